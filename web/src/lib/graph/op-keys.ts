// What nodes of two graphs are matched by, from strict to lax.
import { isDigitAt } from "./fx-text";
import { mix } from "./hash";
import { isSize, isSymbol, NONE, OP_KINDS, type OpGraph, type OpNode } from "./op-graph";

export const LEVEL = {
  /** the same operations with the same constants from the same inputs */
  exact: 0,
  /** the same, but for sizes */
  value: 1,
  /** the same operator, constants and type of the result, from the same line of source */
  lineExact: 2,
  /** the same, but for sizes */
  line: 3,
  /** as lineExact, from any line */
  callExact: 4,
  call: 5,
  target: 6,
} as const;
const LEVELS = 7;

export interface Side {
  graph: OpGraph;
  /** by level and node */
  keys: Float64Array[];
  /** without sizes, by node */
  types: Float64Array;
  /** the words of types, by node */
  typeIds: Int32Array;
  /** names of nested graphs → index */
  nested: Map<string, number>;
  /** names of inputs only have numbers: those of AOTAutograd's graphs */
  numbered: boolean;
}

/** Names of nested graphs → index; of several with a name the first. */
export function nestedGraphs(graph: OpGraph): Map<string, number> {
  const names = new Map<string, number>();
  graph.graphs.forEach(({ name }, i) => i && !names.has(name) && names.set(name, i));
  return names;
}

/** The nested graph that an attribute is; undefined: it is something else. */
export const nestedOf = (side: Side, node: OpNode): number | undefined =>
  node.kind === "get_attr" ? side.nested.get(node.target) : undefined;

/** `tag` is another one for each side. */
export function sideOf(graph: OpGraph, tag: number): Side {
  const count = graph.nodes.length;
  const side: Side = {
    graph,
    keys: Array.from({ length: LEVELS }, () => new Float64Array(count)),
    types: Float64Array.from(graph.nodes, (node) => softType(graph, node)),
    typeIds: Int32Array.from(graph.nodes, ({ type }) => graph.words.id(type ?? "")),
    nested: nestedGraphs(graph),
    numbered: graph.nodes.some(({ kind, graph, name }) => kind === "placeholder" && !graph && isNumbered(name)),
  };
  new Keys(side).make(mix(tag, 2));
  return side;
}

/** `primals_7`, `tangents_1`, `arg0_1` */
const isNumbered = (name: string): boolean =>
  ["arg", "primals_", "tangents_"].some((head) => name.startsWith(head) && isDigitAt(name, head.length));

/** A type without sizes. */
function softType({ words }: OpGraph, node: OpNode): number {
  const { tensor, dtype, shape } = node.parts;
  if (!tensor) return isSymbol(node) ? 1 : words.mix(2, node.type ?? "");
  return mix(words.mix(3, dtype), shape ? shape.split(",").length : 0);
}

/** Which numbers among arguments do not count: sizes, of which a list has any length; or all but the index of an item. */
type Ignored = "nothing" | "sizes" | "numbers";

class Keys {
  private readonly lines: number[];
  private readonly bodies: number[];
  /** of nodes as operands */
  private readonly exact: Float64Array;
  private readonly soft: Float64Array;

  constructor(private readonly side: Side) {
    const { nodes, words, sources } = side.graph;
    this.exact = new Float64Array(nodes.length);
    this.soft = new Float64Array(nodes.length);
    this.lines = sources.map((source) => words.mix(words.mix(0, source.code ?? ""), source.function ?? ""));
    this.bodies = side.graph.graphs.map((nested, g) => (g ? this.body(nested.first, nested.count) : 0));
  }

  make(tag: number): void {
    const { graph, keys, types, numbered } = this.side;
    graph.nodes.forEach((node, i) => {
      const input = node.kind === "placeholder";
      if (input) this.input(node, i, mix(tag, i));
      else this.call(node, i);
      const own = input && numbered;
      this.exact[i] = own ? graph.words.mix(9, node.type ?? "") : keys[LEVEL.exact]![i]!;
      this.soft[i] = own ? mix(9, types[i]!) : keys[LEVEL.value]![i]!;
    });
  }

  /** Inputs are known by their names. Those whose names only have numbers are matched in other ways: no other node has `own`. */
  private input(node: OpNode, i: number, own: number): void {
    const { graph, keys, types, numbered } = this.side;
    const key = numbered ? own : isSymbol(node) ? mix(7, types[i]!) : graph.words.mix(4, node.name);
    for (const level of keys) level[i] = key;
  }

  private call(node: OpNode, i: number): void {
    const { graph, keys, types } = this.side;
    const nested = nestedOf(this.side, node);
    if (nested !== undefined) {
      keys.forEach((level, l) => (level[i] = l < LEVEL.call ? this.bodies[nested]! : 8));
      return;
    }
    const type = types[i]!;
    const exact = mix(this.key(node, null, "nothing"), type);
    const all = [
      this.key(node, this.exact, "nothing"),
      this.key(node, this.soft, "sizes"),
      this.withLine(node, exact),
      this.withLine(node, mix(this.key(node, null, "sizes"), type)),
      exact,
      mix(this.key(node, null, "numbers"), type),
      graph.words.mix(mix(7, OP_KINDS.indexOf(node.kind)), node.target),
    ];
    keys.forEach((level, l) => (level[i] = all[l]!));
  }

  /** The hash of the operations of a nested graph. */
  private body(first: number, count: number): number {
    let hash = 0;
    for (let i = first; i < first + count; i++) hash = mix(hash, this.key(this.side.graph.nodes[i]!, null, "sizes"));
    return hash;
  }

  private withLine(node: OpNode, hash: number): number {
    return node.source === NONE ? hash : mix(hash, this.lines[node.source]!);
  }

  /** `keys`: those of operands, by node; null: operands do not count. */
  private key(node: OpNode, keys: Float64Array | null, ignored: Ignored): number {
    const { nodes, tokens, operands, words } = this.side.graph;
    const item = node.target === "operator.getitem" || node.target === "getattr";
    const exact = ignored === "nothing" || item || (ignored === "sizes" && !node.takesSizes);
    let hash = words.mix(OP_KINDS.indexOf(node.kind), node.target);
    let size = false;
    for (let i = node.first; i < node.first + node.count; i++) {
      const operand = operands[i]!;
      const text = words.text(tokens[i]!);
      const sized = operand === NONE ? !exact && isDigitAt(text, 0) : isSize(nodes[operand]!);
      if (sized || (!exact && isBracket(text))) {
        if (sized && !size) hash = mix(hash, 5);
        size ||= sized;
        continue;
      }
      size = false;
      hash = operand === NONE ? words.mixId(hash, tokens[i]!) : mix(hash, keys ? keys[operand]! : 6);
    }
    return hash;
  }
}

const isBracket = (text: string): boolean => text.length === 1 && "()[],-".includes(text);

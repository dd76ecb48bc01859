// A printed graph as the table of its nodes, in the order of the text: op, target, operands, type and source of each, as `tlparse graph` prints them.
import { behindBracket, callOf, endOfValue, inPlaceOperator, onOneLine, operandsOf, type Call } from "./call";
import { lookUp, type Graph, type Scope, type Source, type Value } from "./model";

export interface GraphNode extends Call {
  /** what the text calls it; null for an output that reads nothing */
  value: Value | null;
  /** the class of a nested graph; "" for the outermost one */
  graph: string;
  /** "" for an output */
  name: string;
  operands: readonly string[];
  type: TypeParts;
  source: Source | null;
}

/** `f32`, `8, s0`, `s0, 1` and `cuda:0`; each "" where it is not printed, all of them for `Sym(s0)`. */
export interface TypeParts {
  dtype: string;
  shape: string;
  strides: string;
  device: string;
  tensor: boolean;
}

const UNPACK = "fx_pytree.tree_flatten_spec(";

export function typeParts(type: string): TypeParts {
  const dtype = /^\w+(?=\[)/.exec(type)?.[0] ?? "";
  const shape = dtype ? behindBracket(type, dtype.length) : -1;
  if (shape < 0) return { dtype: "", shape: "", strides: "", device: "", tensor: false };
  const strides = type[shape] === "[" ? behindBracket(type, shape) : -1;
  return {
    dtype,
    shape: type.slice(dtype.length + 1, shape - 1),
    strides: strides < 0 ? "" : type.slice(shape + 1, strides - 1),
    device: strides < 0 ? "" : type.slice(strides),
    tensor: true,
  };
}

export function nodesOf(graph: Graph, text: string): GraphNode[] {
  const forwards = graph.scopes.filter((scope) => scope.kind === "def" && scope.name === "forward");
  const values = new Map<Scope, Value[]>(forwards.map((scope) => [scope, []]));
  for (const value of graph.values) values.get(value.scope)?.push(value);
  return forwards.flatMap((scope, i) =>
    new ScopeReader(graph, text, scope, i ? (scope.parent?.name ?? "") : "").read(values.get(scope)!),
  );
}

class ScopeReader {
  /** The node that a value is: `l_x_ = L_x_` makes another name of one. */
  private readonly nodes = new Map<Value, string>();
  private line: Line = { start: 0, end: -1, first: 0, inPlace: () => null };

  constructor(
    private readonly graph: Graph,
    private readonly text: string,
    private readonly scope: Scope,
    private readonly name: string,
  ) {}

  read(values: readonly Value[]): GraphNode[] {
    const lists = this.lists(values);
    const found: GraphNode[] = [];
    for (const value of values) {
      if (value.kind === "output" || lists.has(value)) continue;
      const node = value.kind === "input" ? this.input(value) : this.statement(value);
      if (!node) continue;
      this.nodes.set(value, value.name);
      found.push(node);
    }
    const output = this.output(values.find((value) => value.kind === "output") ?? null);
    return output ? [...found, output] : found;
  }

  /** The lists from which a joint graph takes its inputs: `primals_1, = fx_pytree.tree_flatten_spec([primals], …)`. */
  private lists(values: readonly Value[]): Set<Value> {
    const inside = this.text.slice(this.scope.from, this.scope.to).indexOf(UNPACK);
    const found = new Set<Value>();
    if (inside < 0) return found;
    const at = this.scope.from + inside;
    const { end } = this.lineAt(at);
    for (const value of values)
      if (value.kind === "input" && !value.type && value.at < at && value.uses.some((use) => use > at && use < end))
        found.add(value);
    return found;
  }

  private input(value: Value): GraphNode | null {
    // `l_x_ = L_x_` is read as an input, too.
    return value.reads.length ? this.statement(value) : this.node(value, this.call("placeholder", value.name), []);
  }

  /** Names that are known at a place: later ones are not. */
  private names(before: number) {
    return (name: string): Value | undefined => {
      const value = lookUp(this.scope, name);
      return value && value.at < before && this.nodes.has(value) ? value : undefined;
    };
  }

  private statement(value: Value): GraphNode | null {
    const { text } = this;
    const line = this.lineAt(value.at);
    const names = this.names(value.at);
    const right = text.indexOf("=", value.at + value.name.length + this.typeLength(value));
    if (right < 0 || right >= line.end) return null;
    const own = text.slice(right + 1, endOfValue(text, right + 1, line.end)).trim();
    if (/^\w+$/.test(own)) {
      const place = value.at > line.first ? line.inPlace() : null;
      if (place) return this.node(value, place, operandsOf(place.args, names));
      const known = names(own);
      if (known) this.nodes.set(value, this.nodes.get(known)!);
      return null;
    }
    const call = callOf(own, names);
    return this.node(value, call, operandsOf(call.args, names));
  }

  /** The length of `: "f32[4]"`, which may hold an equals sign. */
  private typeLength(value: Value): number {
    const from = value.at + value.name.length;
    if (!value.type) return 0;
    return /^: (?:"[^"\n]*"|'[^'\n]*')/.exec(this.text.slice(from, from + 1000))?.[0].length ?? 0;
  }

  /** From the `return` of the function; its result may go over several lines. */
  private output(value: Value | null): GraphNode | null {
    const body = this.text.slice(this.scope.from, this.scope.to);
    const found = /^[ \t]*return\b/m.exec(body);
    if (!found) return null;
    const from = found.index + found[0].length;
    const line = body.slice(from).split("\n", 1)[0]!;
    const open = line.search(/[([{]/);
    const end = open < 0 ? -1 : behindBracket(body, from + open);
    const args = body.slice(from, Math.max(end, from + line.length)).trim();
    const operands = operandsOf(args, this.names(Infinity));
    return { ...this.node(value, { ...this.call("output", "output"), args }, operands), name: "", source: null };
  }

  private call(op: Call["op"], target: string): Call {
    return { op, target, args: "" };
  }

  private node(value: Value | null, call: Call, operands: readonly Value[]): GraphNode {
    const source = value && call.op !== "placeholder" ? (this.graph.sources[value.source] ?? null) : null;
    return {
      ...call,
      args: onOneLine(call.args),
      value,
      graph: this.name,
      name: value?.name ?? "",
      operands: operands.map((operand) => this.nodes.get(operand)!),
      type: typeParts(value?.type ?? ""),
      source: source?.file ? source : null,
    };
  }

  /** The line of a place. It is kept: a hostile text has many statements on one. */
  private lineAt(at: number): Line {
    if (at < this.line.start || at > this.line.end) this.line = lineAt(this.text, at);
    return this.line;
  }
}

interface Line {
  start: number;
  end: number;
  /** where its text begins */
  first: number;
  /** its first statement, if that is `x += y` of `x += y;  x_1 = x;  x = y = None`, or `x[0] = y` of `x[0] = y;  setitem = x` */
  inPlace: () => Call | null;
}

function lineAt(text: string, at: number): Line {
  const start = at > 0 ? text.lastIndexOf("\n", at - 1) + 1 : 0;
  const next = text.indexOf("\n", at);
  const end = next < 0 ? text.length : next;
  let first = start;
  while (text[first] === " " || text[first] === "\t") first++;
  let call: Call | null | undefined;
  const place = () => (call === undefined ? (call = inPlace(text.slice(first, end))) : call);
  return { start, end, first, inPlace: place };
}

function inPlace(line: string): Call | null {
  const first = line.slice(0, endOfValue(line, 0, line.length)).trim();
  for (let at = first.indexOf("="); at >= 0; at = first.indexOf("=", at + 1)) {
    const target = inPlaceOperator(first.slice(0, at + 1));
    if (target) return { op: "call_function", target, args: first };
  }
  return null;
}

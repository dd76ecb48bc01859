// Reads the text of an FX graph as nodes. A port of src/graph/op_graph.c.
import { FxReader, readStatement, valueRange, type FxItem } from "./fx-items";
import { readSource, NO_SOURCE } from "./fx-source";
import {
  bracketAt,
  bracketEnd,
  hasWord,
  isDigitAt,
  isDigitCode,
  isNameAt,
  isNameCode,
  isQuoteAt,
  spaceEnd,
  stringEnd,
  trimmed,
  wordEnd,
} from "./fx-text";
import {
  NODES_MAX,
  NO_TYPE,
  NONE,
  readType,
  takesSizes,
  TOKENS_MAX,
  type OpGraph,
  type OpKind,
  type OpNode,
} from "./op-graph";
import { inPlaceOperator, readRepr, readValue } from "./op-value";
import type { Words } from "./words";

const UNPACK = "fx_pytree.tree_flatten_spec(";
const LISTS_MAX = 256;

/** A text without a graph has no graphs. */
export function readOpGraph(text: string, words: Words): OpGraph {
  return new OpReader(text, words).read();
}

class OpReader {
  private readonly graph: OpGraph;
  /** in the current graph → its node */
  private names = new Map<string, number>();
  /** the name of the enclosing class */
  private head = "";
  private now = NO_SOURCE;
  /** `now` in the list; NONE: not yet */
  private source = NONE;
  /** a name of the current graph is that of another one */
  private aliased = false;
  private unpacked = false; // once per graph, so that no text makes it take quadratic time
  private unclosed = false; // an output was searched to the end: the same

  constructor(
    private readonly text: string,
    words: Words,
  ) {
    this.graph = { words, graphs: [], nodes: [], tokens: [], operands: [], sources: [], more: 0 };
  }

  read(): OpGraph {
    const reader = new FxReader(this.text);
    for (let item = reader.next(); item; item = reader.next()) this.item(item);
    for (const node of this.graph.nodes) {
      if (node.type !== null) node.parts = readType(node.type);
      node.takesSizes = takesSizes(node.target);
    }
    return this.graph;
  }

  private item(item: FxItem): void {
    if (item.kind === "class") this.head = item.name;
    else if (item.kind === "forward") this.begin();
    else if (item.kind === "parameter" || item.kind === "input") {
      if (this.graph.graphs.length) this.addInput(item.name, item.type, item.line);
    } else if (item.kind === "statement") this.statement(item);
    else if (item.kind === "node") this.reprNode(item);
    else if (item.kind === "return") this.output(item);
    else {
      this.now = readSource(item.text) ?? this.now;
      this.source = NONE;
    }
  }

  private begin(): void {
    this.names = new Map();
    this.graph.graphs.push({ name: this.head, first: this.graph.nodes.length, count: 0 });
    this.now = NO_SOURCE;
    this.source = NONE;
    this.aliased = false;
    this.unpacked = false;
  }

  private addNode(kind: OpKind, name: string, line: number): OpNode | null {
    const { graphs, nodes, tokens } = this.graph;
    if (!graphs.length) return null;
    if (nodes.length === NODES_MAX || tokens.length >= TOKENS_MAX) {
      this.graph.more++;
      return null;
    }
    const node: OpNode = {
      kind,
      name,
      target: "",
      args: "",
      type: null,
      parts: NO_TYPE,
      graph: graphs.length - 1,
      first: tokens.length,
      count: 0,
      source: NONE,
      line,
      takesSizes: false,
    };
    nodes.push(node);
    graphs[graphs.length - 1]!.count++;
    return node;
  }

  /** Makes the latest node known by its name, to those below it. */
  private know(name: string): void {
    if (name) this.names.set(name, this.graph.nodes.length - 1);
  }

  private noteSource(node: OpNode): void {
    if (this.now.file === null) return;
    if (this.source === NONE) this.source = this.graph.sources.push(this.now) - 1;
    node.source = this.source;
  }

  private addInput(name: string, type: string | null, line: number): void {
    const known = this.names.get(name);
    if (known !== undefined) {
      // unpacked from a list whose inputs are declared
      if (type !== null) this.graph.nodes[known]!.type = type;
      return;
    }
    const node = this.addNode("placeholder", name, line);
    if (!node) return;
    node.target = name;
    node.type = type;
    this.know(name);
  }

  private statement(item: FxItem): void {
    const { text, right } = item;
    const left = text.length - right.length;
    const [from, to] = valueRange(right);
    const value = right.slice(from, to);
    if (value.startsWith(UNPACK)) {
      if (this.graph.graphs.length) this.unpack(text.slice(0, left), value, item.line);
      return;
    }
    if (item.name && wordEnd(value, 0) === value.length) return this.alias(item.name, value);
    const node = this.addNode("call_function", item.name, item.line);
    if (!node) return;
    node.type = item.type;
    this.noteSource(node);
    if (item.name)
      Object.assign(
        node,
        readValue(value, (name) => this.names.has(name)),
      );
    else {
      readSecond(node, text);
      node.target = inPlaceOperator(text.slice(0, left));
      node.args = text.slice(0, left + to);
    }
    this.addTokens(node, false);
    this.know(node.name);
  }

  /** Another name of a value, or "x = None". */
  private alias(name: string, of: string): void {
    const node = this.names.get(of);
    if (node === undefined) return;
    this.names.set(name, node);
    this.aliased = true;
  }

  private reprNode(item: FxItem): void {
    const node = this.addNode("call_function", item.name, item.line);
    if (!node) return;
    this.noteSource(node);
    Object.assign(node, readRepr(item.right));
    if (node.kind === "placeholder") node.target = node.name;
    this.addTokens(node, true);
    this.know(item.name);
  }

  /** The output may go over several lines. */
  private output(item: FxItem): void {
    const node = this.addNode("output", "", item.line);
    if (!node) return;
    const { right } = item;
    const start = item.end - right.length;
    let open = 0;
    while (open < right.length && bracketAt(right, open) <= 0) open++;
    const end = open < right.length && !this.unclosed ? bracketEnd(this.text, start + open) : item.end;
    this.unclosed ||= end < 0;

    node.target = "output";
    node.args = trimmed(this.text.slice(start, Math.max(end, item.end)));
    this.addTokens(node, false);
  }

  /** `a, b, = fx_pytree.tree_flatten_spec(lists)`: the inputs of exported and joint graphs. */
  private unpack(left: string, lists: string, line: number): void {
    const end = left.indexOf(" = ");
    const inputs = end < 0 ? left : left.slice(0, end);
    if (!this.unpacked) this.dropLists(lists, inputs);
    this.unpacked = true;

    for (let i = 0; i < inputs.length;) {
      const next = wordEnd(inputs, i);
      if (next > i) this.addInput(inputs.slice(i, next), null, line);
      i = Math.max(next, i + 1);
    }
  }

  /** Removes the parameters that are lists of inputs: `list` names them, `inputs` does not. */
  private dropLists(list: string, inputs: string): void {
    const { nodes, graphs } = this.graph;
    const nested = graphs[graphs.length - 1]!;
    const own = nodes.slice(nested.first);
    const untyped = own.filter((node) => node.type === null).length;
    // Operands are found by place, as are other names; each untyped one is sought in the text.
    if (this.aliased || untyped > LISTS_MAX || own.some((node) => node.kind !== "placeholder")) return;
    nodes.length = nested.first;
    for (const node of own) {
      this.names.delete(node.name);
      if (node.type === null && hasWord(list, node.name) && !hasWord(inputs, node.name)) continue;
      this.names.set(node.name, nodes.push(node) - 1);
    }
    nested.count = nodes.length - nested.first;
  }

  /** Adds the tokens of the arguments. `percent`: operands are "%x", as in a repr. Comments end with their line. */
  private addTokens(node: OpNode, percent: boolean): void {
    const { tokens, operands, words } = this.graph;
    const text = node.args;
    for (let i = 0; i < text.length && tokens.length < TOKENS_MAX;) {
      i = spaceEnd(text, i);
      if (i === text.length) break;
      if (text[i] === "#") {
        const end = text.indexOf("\n", i);
        i = end < 0 ? text.length : end;
        continue;
      }
      const from = i;
      i = tokenEnd(text, from);
      if (percent && text[from] === "%") continue;
      const word = text.slice(from, i);
      const named = isNameAt(text, from) && !isDigitAt(text, from);
      const operand = named && (percent ? text[from - 1] === "%" : text[from - 1] !== "." && !namesArgument(text, i));
      tokens.push(words.id(word));
      operands.push(operand ? (this.names.get(word) ?? NONE) : NONE);
      node.count++;
    }
  }
}

/** The name of the result of `x[0] = y;  setitem = x;  …` or `x += y;  x_1: "f32[4]" = x;  …`, and its type: nothing is the
 * result of the first statement. */
function readSecond(node: OpNode, line: string): void {
  const at = line.indexOf(";");
  const item = readStatement(trimmed(at < 0 ? "" : line.slice(at + 1)));
  if (!item?.name) return;
  const value = item.right.slice(0, wordEnd(item.right, 0));
  if (!value || value === "None") return;
  node.name = item.name;
  node.type = item.type;
}

/** Behind the token at `from`, which is no space. */
function tokenEnd(text: string, from: number): number {
  if (isQuoteAt(text, from)) return stringEnd(text, from);
  if (isDigitAt(text, from)) return numberEnd(text, from);
  return isNameAt(text, from) ? wordEnd(text, from) : from + 1;
}

function numberEnd(text: string, at: number): number {
  while (isDigitCode(text.charCodeAt(at))) at++;
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    const exponent = (c === 43 || c === 45) && text[at - 1] === "e";
    if (!isNameCode(c) && c !== 46 && !exponent) break;
  }
  return at;
}

/** Whether the word that ends at `end` names an argument: `dim = 1`. */
const namesArgument = (text: string, end: number): boolean =>
  text.startsWith(" = ", end) || (text[end] === "=" && text[end + 1] !== "=");

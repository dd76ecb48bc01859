// What is known of a printed FX graph (or of Inductor's output code): values, where they are made and read, and the
// lines of the user's program that they come from. All places are offsets into the text.

export interface Value {
  name: string;
  scope: Scope;
  /** "name": what is neither made by an operator nor given to the graph, such as a submodule */
  kind: "input" | "op" | "name" | "output";
  /** the first definition */
  at: number;
  /** the annotation without its quotes: `f32[4, 8][8, 1]cpu`; "" without one */
  type: string;
  /** what makes it: `torch.ops.aten.mm.default`; "" for inputs */
  op: string;
  /** index into Graph.sources; -1 without one */
  source: number;
  /** ascending; without the places where it is only dropped */
  uses: number[];
  /** further definitions, and places where it is dropped (`x = None`, `del x`) */
  other: number[];
  /** what its definition reads, each once */
  reads: Value[];
}

/** A function or a class; the text itself is the first. */
export interface Scope {
  index: number;
  name: string;
  kind: "text" | "class" | "def";
  parent: Scope | null;
  indent: number;
  from: number;
  to: number;
  at: number;
  values: Map<string, Value>;
}

/** A comment that says where the nodes below it come from: `# File: model.py:12 in forward, code: …` */
export interface Source {
  from: number;
  /** end of the last line that belongs to it */
  to: number;
  file: string;
  line: number;
  func: string;
  code: string;
  /** the comment itself, when it names no file */
  text: string;
  values: Value[];
}

export interface Graph {
  values: Value[];
  scopes: Scope[];
  sources: Source[];
}

/** Whether the text has a graph with nodes, and not only values as output code has. */
export const hasNodes = (text: string): boolean => text.includes("def forward(");

/** The innermost scope of a place; `to` of a scope is behind its last line. */
export function scopeAt(graph: Graph, at: number): Scope {
  let found = graph.scopes[0]!;
  for (const scope of graph.scopes) if (scope.from <= at && at < scope.to) found = scope;
  return found;
}

/** As Python looks names up: this function, the functions around it, the text; never a class from within its functions. */
export function lookUp(scope: Scope, name: string): Value | undefined {
  for (let s: Scope | null = scope; s; s = s.parent) {
    if (s !== scope && s.kind === "class") continue;
    const found = s.values.get(name);
    if (found) return found;
  }
  return undefined;
}

const WORD = /[\w$]/;

/** The value whose name is at a position of the text; nothing in strings, comments, attributes. */
export function valueAt(graph: Graph, text: string, at: number): Value | null {
  let from = at;
  let to = at;
  while (from > 0 && at - from < 500 && WORD.test(text[from - 1]!)) from--;
  while (to < text.length && to - at < 500 && WORD.test(text[to]!)) to++;
  if (from === to) return null;
  const name = text.slice(from, to);
  // A parameter comes before the body of its function, so look in scopes whose text holds the place.
  const value = lookUp(scopeAt(graph, from), name);
  return value && (value.at === from || has(value.uses, from) || has(value.other, from)) ? value : null;
}

/** All places of a value, ascending. */
export function places(value: Value): number[] {
  return [value.at, ...value.uses, ...value.other].sort((a, b) => a - b);
}

function has(sorted: readonly number[], at: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (sorted[mid]! < at) low = mid + 1;
    else high = mid;
  }
  return sorted[low] === at;
}

/** A value in an address: its name, with the number of its scope, since subgraphs use the same names. */
export const valueKey = (value: Value): string => `${value.name}@${value.scope.index}`;

export function valueOf(graph: Graph, key: string): Value | null {
  const cut = key.lastIndexOf("@");
  const scope = cut > 0 ? graph.scopes[Number(key.slice(cut + 1))] : undefined;
  // What a function returns has no name that others could read.
  if (scope && key.slice(0, cut) === "return")
    return graph.values.find((value) => value.kind === "output" && value.scope === scope) ?? null;
  if (cut > 0) return scope?.values.get(key.slice(0, cut)) ?? null;
  for (const scope of graph.scopes) {
    const found = scope.values.get(key);
    if (found) return found;
  }
  return null;
}

// The graph as it is drawn: the nodes of one function of the text, with who reads whom, as a whole or around one node.
import { baseName, familyOf, shortOp, type Family } from "./families";
import type { Graph, Scope, Value } from "./model";

export type NodeKind = "input" | "attr" | "output" | Family;

export interface DrawnNode {
  value: Value;
  kind: NodeKind;
  /** its text */
  title: string;
  note: string;
}

export interface Drawing {
  scope: Scope;
  nodes: DrawnNode[];
  inputs: number[][];
  users: number[][];
}

/** Some nodes of a drawing, ascending, and the arrows between them as places in `nodes`: from, to, from, to, … */
export interface Shown {
  nodes: Int32Array;
  edges: Int32Array;
}

/** Functions with nodes, in the order of the text: the graph itself, then its subgraphs. */
export function drawable(graph: Graph): Scope[] {
  const counts = new Map<Scope, number>();
  for (const value of graph.values) if (isNode(value)) counts.set(value.scope, (counts.get(value.scope) ?? 0) + 1);
  return graph.scopes.filter((scope) => scope.kind === "def" && scope.parent?.kind === "class" && counts.has(scope));
}

/** `GraphModule`, `cond_true_0`, or `Repro.helper` for a function that is not forward. */
export function scopeName(scope: Scope): string {
  const owner = scope.parent?.name ?? "";
  return scope.name === "forward" ? owner : `${owner}.${scope.name}`;
}

export function drawingOf(graph: Graph, scope: Scope): Drawing {
  const read = new Set(graph.values.flatMap((value) => (value.scope === scope ? value.reads : [])));
  // The lists from which a joint graph takes its inputs are no nodes: they have no type, and no node reads them.
  const values = graph.values.filter(
    (value) => value.scope === scope && isNode(value) && (value.kind !== "input" || value.type || read.has(value)),
  );
  const index = new Map(values.map((value, i) => [value, i]));
  const inputs = values.map((value) => value.reads.flatMap((read) => index.get(read) ?? []));
  const users: number[][] = values.map(() => []);
  inputs.forEach((list, i) => list.forEach((from) => users[from]!.push(i)));
  return { scope, nodes: values.map(nodeOf), inputs, users };
}

function isNode(value: Value): boolean {
  return value.kind !== "name" || value.op.startsWith("self.");
}

function nodeOf(value: Value): DrawnNode {
  if (value.kind === "output")
    return {
      value,
      kind: "output",
      title: "output",
      note: `${value.reads.length} ${value.reads.length === 1 ? "value" : "values"}`,
    };
  const type = value.type.length > 40 ? `${value.type.slice(0, 39)}…` : value.type;
  if (value.kind === "input") return { value, kind: "input", title: cutMiddle(value.name, 40), note: type || "input" };
  if (value.kind === "name")
    return { value, kind: "attr", title: cutMiddle(value.name, 40), note: cutMiddle(value.op, 46) };
  const kind = familyOf(value.op);
  const op = /^\w+$/.test(value.op) ? `= ${cutMiddle(value.op, 36)}` : shortOp(value.op);
  return {
    value,
    kind,
    title: cut(op, 40),
    note: cut(type ? `${cutMiddle(value.name, 26)}  ${type}` : cutMiddle(value.name, 46), 52),
  };
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Names of parameters differ at their end. */
function cutMiddle(text: string, most: number): string {
  return text.length > most
    ? `${text.slice(0, Math.floor(most / 3))}…${text.slice(text.length - most + Math.floor(most / 3) + 1)}`
    : text;
}

export function whole({ nodes, inputs }: Drawing): Shown {
  return edgesAmong(inputs, Int32Array.from(nodes.keys()));
}

/** The nodes that are reached from one over so many arrows, of any direction, at most `most` of them: the nearest. */
export function around(
  { inputs, users }: Drawing,
  middle: number,
  steps: number,
  most: number,
): Shown & { cut: boolean } {
  const seen = new Set([middle]);
  let edge = [middle];
  for (let step = 0; step < steps; step++) {
    const next: number[] = [];
    for (const i of edge) {
      for (const j of [...inputs[i]!, ...users[i]!]) {
        if (seen.has(j)) continue;
        if (seen.size >= most) return { ...edgesAmong(inputs, sorted(seen)), cut: true };
        seen.add(j);
        next.push(j);
      }
    }
    edge = next;
  }
  return { ...edgesAmong(inputs, sorted(seen)), cut: false };
}

const sorted = (set: Set<number>): Int32Array => Int32Array.from(set).sort();

function edgesAmong(inputs: readonly number[][], nodes: Int32Array): Shown {
  const place = new Map<number, number>();
  nodes.forEach((node, i) => place.set(node, i));
  const edges: number[] = [];
  nodes.forEach((node, to) => {
    for (const input of inputs[node]!) {
      const from = place.get(input);
      if (from !== undefined) edges.push(from, to);
    }
  });
  return { nodes, edges: Int32Array.from(edges) };
}

/** Boxes around nodes in a row of the same title. */
export interface Boxes {
  /** the box of each node that is shown, -1 for none */
  of: Int32Array;
  titles: string[];
}

/** Which nodes are inputs, or what Dynamo writes for each: `l_x_ = L_x_`. */
function given({ nodes, inputs }: Drawing): boolean[] {
  const found: boolean[] = [];
  nodes.forEach(({ kind, value }, i) => {
    const again = /^\w+$/.test(value.op) && inputs[i]!.every((input) => found[input]);
    found.push(kind === "input" || kind === "attr" || again);
  });
  return found;
}

/**
 * The boxes of what is shown, by the title of each node. Inputs are in the box that alone reads them. A title that comes again later has another box:
 * with one around both, edges would lead out of it and back.
 */
export function boxesOf(drawing: Drawing, shown: Int32Array, titleOf: (value: Value) => string | null): Boxes | null {
  const { nodes, users } = drawing;
  const isGiven = given(drawing);
  const place = new Map([...shown].map((node, i) => [node, i]));
  const of = new Int32Array(shown.length).fill(-1);
  const titles: string[] = [];
  let last: string | null = null;
  shown.forEach((node, i) => {
    if (isGiven[node]) return;
    const title = titleOf(nodes[node]!.value);
    if (title !== null && title !== last) titles.push(title);
    if (title !== null) of[i] = titles.length - 1;
    last = title;
  });
  for (let i = shown.length - 1; i >= 0; i--) {
    if (!isGiven[shown[i]!]) continue;
    const readers = new Set(users[shown[i]!]!.map((user) => of[place.get(user) ?? -1] ?? -1));
    if (readers.size === 1) of[i] = [...readers][0]!;
  }
  return titles.length ? { of, titles } : null;
}

/** 1 for nodes whose name, operator or type has all the words; null when nothing is asked for. */
export function matching({ nodes }: Drawing, text: string): Uint8Array | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  return Uint8Array.from(nodes, ({ value, kind }) => {
    const all = `${value.name} ${value.op} ${value.type} ${kind}`.toLowerCase();
    return words.every((word) => all.includes(word)) ? 1 : 0;
  });
}

/** The function that a get_attr node names: `self.cond_true_0` is the class cond_true_0 within the same class. */
export function subgraphOf(graph: Graph, value: Value): Scope | null {
  if (value.kind !== "name") return null;
  const name = baseName(value.op);
  const owner = value.scope.parent;
  return (
    graph.scopes.find(
      (scope) =>
        scope.kind === "def" &&
        scope.name === "forward" &&
        scope.parent?.name === name &&
        scope.parent.parent === owner,
    ) ?? null
  );
}

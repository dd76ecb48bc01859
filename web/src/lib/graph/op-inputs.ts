// Matches inputs whose names say nothing: `primals_7`.
import { NONE, type Nested } from "./op-graph";
import type { Side } from "./op-keys";

export interface Match {
  /** by node of a: its node of b; NONE: none */
  a: Int32Array;
  /** the same the other way */
  b: Int32Array;
  /** by node of b */
  moved: Uint8Array;
}

interface Inputs {
  a: Side;
  b: Side;
  found: Match;
}

/** By the places in which matched nodes read them, then by their types in order. */
export function matchInputs(inputs: Inputs, a: Nested, b: Nested): void {
  matchRead(inputs, a, true);
  matchRead(inputs, a, false);
  matchTyped(inputs, a, b);
}

function matchRead(inputs: Inputs, graph: Nested, exact: boolean): void {
  const { a, b, found } = inputs;
  for (let i = graph.first; i < graph.first + graph.count; i++) {
    const one = a.graph.nodes[i]!;
    const other = b.graph.nodes[found.a[i]!];
    if (!other || one.kind === "output" || one.count !== other.count) continue;
    for (let t = 0; t < one.count; t++) {
      const [x, y] = [a.graph.operands[one.first + t]!, b.graph.operands[other.first + t]!];
      if (x !== NONE && y !== NONE && mayBe(inputs, x, y, exact)) [found.a[x], found.b[y]] = [y, x];
    }
  }
}

/** Whether two nodes are inputs that are left, and may be the same one. */
function mayBe({ a, b, found }: Inputs, x: number, y: number, exact: boolean): boolean {
  if (found.a[x] !== NONE || found.b[y] !== NONE) return false;
  const [one, other] = [a.graph.nodes[x]!, b.graph.nodes[y]!];
  if (one.kind !== "placeholder" || other.kind !== "placeholder") return false;
  return exact ? a.typeIds[x] === b.typeIds[y] : a.types[x] === b.types[y];
}

function matchTyped({ a, b, found }: Inputs, one: Nested, other: Nested): void {
  const left = new Map<number, number[]>(); // by type, from the last one
  for (let j = other.first + other.count - 1; j >= other.first; j--) {
    if (b.graph.nodes[j]!.kind !== "placeholder" || found.b[j] !== NONE) continue;
    const list = left.get(b.typeIds[j]!);
    if (list) list.push(j);
    else left.set(b.typeIds[j]!, [j]);
  }
  let next = other.first;
  for (let i = one.first; i < one.first + one.count; i++) {
    const input = a.graph.nodes[i]!.kind === "placeholder" && found.a[i] === NONE;
    const list = input && left.get(a.typeIds[i]!);
    if (!list) continue;
    while (list.length && list.at(-1)! < next) list.pop();
    const j = list.pop();
    if (j === undefined) continue;
    [found.a[i], found.b[j]] = [j, i];
    next = j + 1;
  }
}

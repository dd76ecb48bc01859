import type { Compile, StackNode } from "./report";
import { isLibrary } from "./findings";

/** The first of these nodes that is no library's, or else the first. */
export function nearestOwn(nodes: readonly StackNode[], order: Iterable<number>): StackNode | null {
  let first: StackNode | null = null;
  for (const i of order) {
    const node = nodes[i];
    if (!node) break;
    if (!isLibrary(node)) return node;
    first ??= node;
  }
  return first;
}

/** The line of the user's program that called a compiled frame; null where the frame is itself the outermost of its stack. */
export function callerOf(nodes: readonly StackNode[], compile: Compile): StackNode | null {
  return compile.stack === null ? null : nearestOwn(nodes, above(nodes, compile.stack));
}

/** Why a stack is not that of dynamo_start alone. */
export const callerNote = (from: string): string =>
  `The stack in dynamo_start has no caller. The frames above the compiled one are those of ${from}.`;

/** The node, and its callers. */
export function* upwards(nodes: readonly StackNode[], from: number): Generator<number> {
  yield from;
  yield* above(nodes, from);
}

function* above(nodes: readonly StackNode[], from: number): Generator<number> {
  // Parents come before their children, so this ends whatever the data says.
  for (
    let i = from, parent = nodes[i]?.parent ?? -1;
    parent >= 0 && parent < i;
    i = parent, parent = nodes[i]?.parent ?? -1
  )
    yield parent;
}

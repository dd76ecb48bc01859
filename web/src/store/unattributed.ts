// Records that carry a stack and no compile id, by the line that led to them.
import { matches } from "../lib/text";
import { isLibrary } from "./findings";
import type { StackFrame, Unattributed } from "./report";

export interface Caller {
  /** the innermost frame that is no library's; null: the stack has none */
  frame: StackFrame | null;
  items: Unattributed[];
  records: number;
  artifacts: number;
}

/** In the order of the log. */
export function byCaller(all: readonly Unattributed[], wanted: readonly string[] = []): Caller[] {
  const callers = new Map<string, Caller>();
  for (const item of all) {
    if (wanted.length && !matches(textOf(item), wanted)) continue;
    const frame = item.stack.findLast((one) => !isLibrary(one)) ?? null;
    const key = frame ? JSON.stringify([frame.file, frame.line, frame.function]) : "";
    const held = callers.get(key) ?? { frame, items: [], records: 0, artifacts: 0 };
    held.items.push(item);
    held.records += item.records;
    held.artifacts += item.artifacts.length;
    callers.set(key, held);
  }
  return [...callers.values()];
}

/** For compiles without an id, and so without a frame: the line of the program that led to their first record. */
export function callersByCompile(all: readonly Unattributed[]): Map<string, StackFrame> {
  const callers = new Map<string, StackFrame>();
  for (const { stack, artifacts } of all) {
    const frame = stack.findLast((one) => !isLibrary(one));
    for (const { compile } of artifacts) if (frame && !callers.has(compile)) callers.set(compile, frame);
  }
  return callers;
}

export const unattributedRecords = (all: readonly Unattributed[], more = 0): number =>
  all.reduce((n, item) => n + item.records, more);

function textOf({ stack, artifacts }: Unattributed): string {
  return [
    ...stack.map((frame) => `${frame.function} ${frame.file}:${frame.line ?? ""} ${frame.code ?? ""}`),
    ...artifacts.map((artifact) => `${artifact.name} ${artifact.compile}`),
  ]
    .join("\n")
    .toLowerCase();
}

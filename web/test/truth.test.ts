import { expect, it } from "vitest";
import { byCaller, callersByCompile, unattributedRecords } from "../src/store/unattributed";
import { findOpen, openThreads } from "../src/store/unfinished";
import type { Timeline } from "../src/store/timeline-data";
import type { StackFrame, Unattributed, UnfinishedSpan } from "../src/store/report";

const frame = (file: string, line: number, name: string): StackFrame => ({
  file,
  line,
  function: name,
  code: null,
  library: file.includes("site-packages"),
});
const main = frame("/home/me/aot.py", 20, "main");
const torch = frame("/x/site-packages/torch/fx.py", 9, "lower");
const record = (stack: StackFrame[], artifact?: string): Unattributed => ({
  stack,
  records: 1,
  artifacts: artifact === undefined ? [] : [{ name: artifact, url: null, compile: "-/-", index: 0, line: 1 }],
});

it("records without a compile id are grouped by the user's line that led to them", () => {
  const all = [
    record([main, torch], "before_graph"),
    record([main, torch, torch], "after_graph"),
    record([frame("/home/me/b.py", 3, "g")]),
    record([torch]),
  ];
  const callers = byCaller(all);
  expect(callers.map((caller) => [caller.frame?.line ?? null, caller.records, caller.artifacts])).toEqual([
    [20, 2, 2],
    [3, 1, 0],
    [null, 1, 0],
  ]);
  expect(byCaller(all, ["after_graph"]).map((caller) => caller.items.length)).toEqual([1]);
  expect(byCaller(all, ["b.py:3"]).map((caller) => caller.frame?.line)).toEqual([3]);
  expect(unattributedRecords(all, 5)).toBe(9);
});

it("a compile without an id is told by the line that led to its first artifact", () => {
  const of = (compile: string, stack: StackFrame[]): Unattributed => ({
    stack,
    records: 1,
    artifacts: [{ name: "g", url: null, compile, index: 0, line: 1 }],
  });
  const callers = callersByCompile([
    of("-/-", [main, torch]),
    of("-/-", [frame("/home/me/b.py", 3, "g")]),
    of("-/-#2", [torch]),
  ]);
  expect([...callers].map(([key, caller]) => [key, caller.line])).toEqual([["-/-", 20]]);
});

const open = (name: string, started_us: number, compile: string | null, thread = 0): UnfinishedSpan => ({
  name,
  compile,
  started_us,
  before_end_us: 1,
  process: 0,
  thread,
  stack: null,
});

it("open spans are grouped by thread, outermost first, and asked for by compile", () => {
  const all = [open("dynamo", 1, "1/0"), open("codegen", 2, "1/0"), open("backward", 3, "0/0", 9)];
  expect(openThreads(all).map((thread) => [thread.thread, thread.spans.map((span) => span.name)])).toEqual([
    [0, ["dynamo", "codegen"]],
    [9, ["backward"]],
  ]);
  expect(openThreads(all, "0/0").map((thread) => thread.spans.length)).toEqual([1]);
  expect(openThreads(all, "7/7")).toEqual([]);
});

it("open spans are found in the timeline by their start and name; a span that merely has no end is none of them", () => {
  const timeline = {
    zeros: [1000],
    lanes: [{ source: 0 }],
    lane: Int32Array.from([0, 0, 0]),
    count: 3,
    names: ["dynamo", "codegen"],
    name: Int32Array.from([0, 1, 1]),
    from: Float64Array.from([5, 5, 9]),
    flags: Uint8Array.from([2, 2, 0]),
  } as unknown as Timeline;
  expect(
    findOpen(timeline, [open("codegen", 1005, null), open("dynamo", 1005, null), open("codegen", 1009, null)]),
  ).toEqual([1, 0, -1]);
});

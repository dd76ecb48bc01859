import { expect, test } from "vitest";
import { costCount, costWords, isLibrary, ownStack } from "../src/store/findings";
import { failureLine } from "../src/store/failure-line";
import { phasesOf } from "../src/store/phases";
import type { Finding, Report } from "../src/store/types";

test("a time says what it is, and nothing where the report does not say", () => {
  expect(costWords({ cost: "lost_to_restarts" })).toBe("lost to restarts");
  expect(costWords({ cost: "unfinished" })).toBe("unfinished");
  expect(costWords({} as Finding)).toBe("");
});

test("the time of recompiles is not that of the first compile", () => {
  const report = { recompiles: [{ recompiles: 1 }, { recompiles: 7 }] } as unknown as Report;
  expect(costCount({ kind: "recompile", link: "#/recompiles?n=0" }, 2, report)).toBe("1 recompile");
  expect(costCount({ kind: "recompile_limit", link: "#/recompiles?n=1" }, 9, report, 1)).toBe(
    "7 recompiles, 1 refused",
  );
  expect(costCount({ kind: "recompile", link: null }, 3, report)).toBe("3 compiles");
  expect(costCount({ kind: "graph_break", link: "#/recompiles?n=0" }, 2, report)).toBe("2 compiles");
});

test("the verdict on a frame is the report's, not the page's", () => {
  expect(isLibrary({ library: true })).toBe(true);
  expect(isLibrary({ library: false })).toBe(false);
  expect(isLibrary({})).toBe(false);
});

test("a graph break brings its stack, by its link", () => {
  const frame = { function: "f", file: "/a.py", line: 3 };
  const report = { graph_breaks: [{ stack: [] }, { stack: [frame] }] } as unknown as Parameters<typeof ownStack>[0];
  expect(ownStack(report, { link: "#/breaks?n=1" })).toEqual([frame]);
  expect(ownStack(report, { link: "#/breaks?n=9" })).toEqual([]);
  expect(ownStack(report, { link: "#/c/0%2F0" })).toEqual([]);
  expect(ownStack(report, { link: null })).toEqual([]);
});

test("the line of a failure says what was raised", () => {
  expect(failureLine("backend='b' raised:\nRuntimeError: cannot do <this>\nsecond line", 120)).toBe(
    "backend='b' raised: RuntimeError: cannot do <this>",
  );
  expect(
    failureLine(
      "Observed exception\n  Explanation: no handler.\n\n  Developer debug context: raised exception ValueError('α')\n",
      120,
    ),
  ).toBe("Observed exception: ValueError('α')");
  expect(
    failureLine(
      "RuntimeError when making fake tensor call\n  Explanation: Dynamo failed to run FX node with fake tensors: call_function f(): got RuntimeError('a and b')\n",
      120,
    ),
  ).toBe("RuntimeError when making fake tensor call: RuntimeError('a and b')");
  expect(failureLine("Failed to trace builtin operator\n  Explanation: print", 120)).toBe(
    "Failed to trace builtin operator",
  );
  expect(failureLine("", 120)).toBe("");
});

test("the timer of AOTAutograd is that of the backend where nothing of Inductor ran", () => {
  expect(phasesOf({ dynamo: 97_496, aot: 6_578_044 }).map((phase) => phase.label)).toEqual(["Dynamo", "backend"]);
  expect(phasesOf({ dynamo: 2, aot: 3, inductor: 4 }).map((phase) => phase.label)).toEqual([
    "Dynamo",
    "AOTAutograd",
    "Inductor",
  ]);
});

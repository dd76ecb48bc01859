import { expect, test } from "vitest";
import { costCount, costWords, isLibrary, messageOf, ownStack } from "../src/store/findings";
import { failureCauses, restartCauses } from "../src/store/failures";
import type { Report } from "../src/store/report";

test("a time says what it is, and nothing where the report does not say", () => {
  expect(costWords({ cost: "lost_to_restarts" })).toBe("discarded traces");
  expect(costWords({ cost: "unfinished" })).toBe("unfinished");
  expect(costWords({})).toBe("");
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

const listed = { attempt: 0, type: "E", reason: "no\nmore", place: null, sections: null, finding: null };

test("failures that one finding explains are one cause", () => {
  const report = {
    findings: [{ title: "`f` does not compile: E: no" }],
    failures: [
      { ...listed, compile: "0/0", finding: 0 },
      { ...listed, compile: "1/0", finding: 0, type: "F" },
      { ...listed, compile: "2/0" },
      { ...listed, compile: "3/0" },
      { ...listed, compile: "4/0", reason: null, type: null },
    ],
    backward_failures: [{ ...listed, compile: "0/0", reason: "other" }],
  } as unknown as Report;
  expect(
    failureCauses(report).map((cause) => [cause.title, cause.types, cause.compiles, cause.message, cause.backward]),
  ).toEqual([
    ["`f` does not compile: E: no", ["E", "F"], ["0/0", "1/0"], null, false],
    ["E: no", ["E"], ["2/0", "3/0"], "more", false],
    ["unknown exception", ["unknown exception"], ["4/0"], null, false],
    ["E: other", ["E"], ["0/0"], null, true],
  ]);
});

test("restarts for one cause are one entry", () => {
  const sections = {
    reason: "print",
    explanation: "Dynamo cannot print.",
    hints: [],
    context: null,
    id: null,
    url: null,
  };
  const report = {
    findings: [{ title: "Graph break: print" }],
    restart_causes: [
      { reason: "print\n Explanation: …", sections, compiles: ["0/0", "0/0"], finding: 0 },
      { reason: "print", sections: null, compiles: ["1/0"], finding: 0 },
      { reason: "print", sections, compiles: ["2/0"], finding: null },
      { reason: "SpeculationLogDivergence", sections: null, compiles: ["3/0"], finding: null },
    ],
  } as unknown as Report;
  expect(restartCauses(report).map((cause) => [cause.title, cause.compiles, cause.message])).toEqual([
    ["Graph break: print", ["0/0", "1/0"], "Dynamo cannot print."],
    ["print", ["2/0"], "Dynamo cannot print."],
    ["SpeculationLogDivergence", ["3/0"], null],
  ]);
});

test("a message does not repeat the title", () => {
  const said = (title: string, message: string | null) => messageOf({ title, message });
  expect(said("Backend `b` raised E: no", "E: no\nmore\nlines")).toBe("more\nlines");
  expect(said("E: no", "E: no")).toBe(null);
  expect(said("E: no", "something else\nE: no")).toBe("something else\nE: no");
  expect(said("E: no", null)).toBe(null);
});

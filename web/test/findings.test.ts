import { expect, test } from "vitest";
import { costCount, costWords, isLibrary, ownStack } from "../src/data/findings";

test("a time says what it is, and nothing where the report does not say", () => {
  expect(costWords({ cost: "lost_to_restarts" })).toBe("lost to restarts");
  expect(costWords({ cost: "unfinished" })).toBe("unfinished");
  expect(costWords({})).toBe("");
});

test("the time of recompiles is not that of the first compile", () => {
  expect(costCount({ kind: "recompile" }, 2)).toBe("1 recompile");
  expect(costCount({ kind: "recompile_limit" }, 9)).toBe("8 recompiles");
  expect(costCount({ kind: "graph_break" }, 2)).toBe("2 compiles");
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

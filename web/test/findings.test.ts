import { expect, test } from "vitest";
import { costWords, isLibrary, ownStack } from "../src/data/findings";

test("a time says what it is, and nothing where the report does not say", () => {
  expect(costWords({ cost: "lost_to_restarts" })).toBe("lost to restarts");
  expect(costWords({ cost: "unfinished" })).toBe("unfinished");
  expect(costWords({})).toBe("");
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

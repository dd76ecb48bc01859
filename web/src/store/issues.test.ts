import { expect, test } from "vitest";
import { groupsOf, kindsOf, kindWords, shownFindings } from "./issues";
import type { Finding } from "./report";

const finding = (kind: string, time_us: number | null, file: string | null, compiles: string[] = []) =>
  ({ kind, severity: "warning", time_us, compiles, place: file && { file, line: 1 } }) as unknown as Finding;
const LIST = [
  finding("graph_break", 5, "/a/model.py", ["0/0"]),
  finding("recompile", 90, "/a/model.py", ["0/1", "0/2"]),
  finding("graph_break", null, null),
];

test("kinds are counted in the order of the issues", () => {
  expect(kindsOf(LIST)).toEqual([
    ["graph_break", 2],
    ["recompile", 1],
  ]);
  expect(kindWords("graph_break")).toBe("graph break");
});

test("issues are filtered and sorted, and the report's list stays as it is", () => {
  expect(shownFindings(LIST, "recompile", "")).toEqual([LIST[1]]);
  expect(shownFindings(LIST, undefined, "time")).toEqual([LIST[1], LIST[0], LIST[2]]);
  expect(shownFindings(LIST, undefined, "compiles")).toEqual([LIST[1], LIST[0], LIST[2]]);
  expect(shownFindings(LIST, undefined, "no such order")).toEqual(LIST);
  expect(shownFindings(LIST, "no_such_kind", "")).toEqual([]);
});

test("groups keep the order of the issues", () => {
  expect(groupsOf(LIST, "file").map(({ name, findings }) => [name, findings.length])).toEqual([
    ["model.py", 2],
    ["no source line", 1],
  ]);
  expect(groupsOf(LIST, "kind").map(({ name }) => name)).toEqual(["graph break", "recompile"]);
  expect(groupsOf(LIST, "")).toEqual([{ name: "", findings: LIST }]);
});

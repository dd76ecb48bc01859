import { expect, it } from "vitest";
import { logName, rankName } from "../src/store/rank-names";
import type { Rank } from "../src/store/ranks";
import { compareFunctions, compareSettings, isRuns, newFindings } from "../src/store/runs";
import type { Compile, Finding, Report } from "../src/store/types";

const compile = (id: string, name: string, line: number, time_us: number | null, more: Partial<Compile> = {}): Compile => ({ id, key: id, generation: 1, is_compile: true, frame_id: 0, frame: { function: name, file: "/a/m.py", line }, time_us, graph_breaks: [], status: "ok", backward_failure: null, ...more }) as unknown as Compile;
const run = (...compiles: Compile[]): Report => ({ compiles }) as unknown as Report;

it("finds a function again by name and file, by its line first and in order when lines moved", () => {
  const a = run(compile("0/0", "f", 3, 5), compile("0/1", "f", 3, 7), compile("1/0", "forward", 10, 1), compile("2/0", "forward", 20, 2), compile("3/0", "old", 1, 4), { ...compile("-/-", "", 0, 9), is_compile: false });
  const b = run(compile("0/0", "forward", 20, 2), compile("1/0", "forward", 12, 1), compile("2/0", "f", 4, 100), compile("3/0", "torch_dynamo_resume_in_f_at_5", 5, 1));
  const found = compareFunctions(a, b).map((item) => [item.name, ...item.line, item.a?.compiles.map((c) => c.key), item.b?.compiles.map((c) => c.key)]);
  expect(found).toEqual([
    ["f", 3, 4, ["0/0", "0/1"], ["2/0"]],
    ["old", 1, null, ["3/0"], undefined],
    ["torch_dynamo_resume_in_f_at_5", null, 5, undefined, ["3/0"]],
    ["forward", 10, 12, ["1/0"], ["1/0"]],
    ["forward", 20, 20, ["2/0"], ["0/0"]],
  ]);
});

it("what follows a break is the same function though the break's line moved", () => {
  const found = compareFunctions(run(compile("1/0", "torch_dynamo_resume_in_f_at_5", 5, 1)), run(compile("1/0", "torch_dynamo_resume_in_f_at_7", 7, 1)));
  expect(found.map((item) => [item.a !== null, item.b !== null])).toEqual([[true, true]]);
});

it("a finding is new when its words are, whatever its numbers", () => {
  const finding = (title: string, fn: string): Finding => ({ kind: "recompile", title, place: { file: "/x/m.py", line: 3, function: fn } }) as unknown as Finding;
  const before = [finding("f recompiled 2 times", "f")];
  expect(newFindings(before, [finding("f recompiled 8 times", "f")])).toEqual([]);
  expect(newFindings(before, [finding("g recompiled 2 times", "g")])).toHaveLength(1);
});

it("settings are compared by all values that compiles had", () => {
  const config = (compiles: number, values: Record<string, unknown>) => ({ kind: "dynamo", compiles, values });
  expect(compareSettings([config(1, { x: 9 }), config(5, { x: 1, y: "a", z: null })], [config(3, { x: 2, y: "a" })])).toEqual([
    { kind: "dynamo", setting: "x", values: ["1, 9", "2"] }, { kind: "dynamo", setting: "z", values: ["null", null] },
  ]);
  expect(compareSettings([config(2, { x: true })], [config(3, { x: true }), config(1, { x: false })])).toEqual([{ kind: "dynamo", setting: "x", values: ["true", "true, false"] }]);
  expect(compareSettings([config(1, { x: 1 }), config(4, { x: 2 })], [config(2, { x: 1 }), config(1, { x: 2 })])).toEqual([]);
  expect(compareSettings([config(1, { x: 1 })], [])).toEqual([]);
});

it("logs without a rank are runs, and are told apart", () => {
  const rank = (n: number | null, file: string) => ({ rank: n, files: [file], dir: "d" }) as unknown as Rank;
  expect(isRuns({ ranks: [rank(null, "a"), rank(null, "b")] })).toBe(true);
  expect(isRuns({ ranks: [rank(null, "a"), rank(0, "b")] })).toBe(false);
  expect(isRuns({ ranks: [rank(null, "a")] })).toBe(false);
  expect(rankName(rank(null, "/x/dedicated_log_torch_trace_5n_77k9e.log.gz"))).toBe("log 5n_77k9e");
  expect(logName("before.log")).toBe("before");
  expect(logName(".log")).toBe(".log");
});

import { expect, it } from "vitest";
import {
  pairOf,
  reversed,
  type Comparison,
  type Figure,
  type FunctionChange,
  type FunctionSide,
} from "../src/store/comparison";
import { logName, type Rank, rankName } from "../src/store/ranks";
import { isRuns } from "../src/store/runs";

const figure = (name: string, values: [number, number], verdict: Figure["verdict"]): Figure => ({
  name,
  title: name,
  unit: "count",
  values,
  delta: values[1] - values[0],
  verdict,
});
const side = (name: string, line: number): FunctionSide => ({
  name,
  line,
  compiles: ["0/0"],
  compile_count: 1,
  time_us: 5,
  own_us: {},
  by_phase_us: {},
  recompiles: 0,
  graph_breaks: 0,
  failures: 0,
  ops: 0,
  guards: 0,
  kernels: 0,
  cache: [],
});
const newFinding: Comparison["findings"]["new"][number] = {
  index: 4,
  kind: "recompile",
  severity: "warning",
  title: "n",
  place: null,
  time_us: null,
};
const change = (more: Partial<FunctionChange>): FunctionChange => ({
  change: "same",
  name: "f",
  file: "/m.py",
  delta_us: 0,
  sides: [side("f", 3), side("f", 4)],
  differs: [],
  new_reasons: [],
  gone_reasons: [],
  compared: ["0/0", "1/0"],
  ...more,
});

const comparison: Comparison = {
  a: "one",
  b: "two",
  ranks: [],
  figures: [
    figure("recompiles", [1, 3], "worse"),
    figure("ops", [2, 2], "same"),
    { ...figure("torch", [0, 0], "differs"), unit: "text", values: ["2.8", null], delta: null },
  ],
  findings: { new: [newFinding], gone: [], same: 2 },
  logs: [
    {
      rank: null,
      dirs: ["one", "two"],
      function_counts: { new: 1, gone: 0, slower: 2, faster: 0, same: 1 },
      more_functions: 0,
      more_settings: 0,
      settings_in_effect: [{ kind: "inductor", setting: "y", values: [[{ value: { no: 0 }, compiles: ["0/0"] }], []] }],
      more_settings_in_effect: 0,
      functions: [
        change({ change: "slower", delta_us: 7, differs: [figure("guards", [4, 8], "worse")], new_reasons: ["r"] }),
        change({ change: "new", sides: [null, side("g", 9)], name: "g", compared: null }),
        change({ sides: [side("resume_at_5", 5), side("resume_at_7", 7)], name: "resume_at_5" }),
      ],
      graph_breaks: { new: [], gone: [{ id: null, reason: "why", place: null, count: 1 }], same: 0 },
      settings: [{ kind: "dynamo", setting: "x", values: [[1, 9], []] }],
    },
  ],
};

it("seen from the other run, what is new is gone and what is slower is faster", () => {
  const turned = reversed(comparison),
    logs = turned.logs[0]!;
  expect([turned.a, turned.b]).toEqual(["two", "one"]);
  expect(turned.figures.map(({ values, delta, verdict }) => [...values, delta, verdict])).toEqual([
    [3, 1, -2, "better"],
    [2, 2, 0, "same"],
    [null, "2.8", null, "differs"],
  ]);
  expect(turned.findings).toEqual({ new: [], gone: [newFinding], same: 2 });
  expect(logs.function_counts).toEqual({ new: 0, gone: 1, slower: 0, faster: 2, same: 1 });
  expect(
    logs.functions.map((item) => [
      item.change,
      item.name,
      item.delta_us,
      item.sides.map((of) => of?.line ?? null),
      item.compared,
    ]),
  ).toEqual([
    ["faster", "f", -7, [4, 3], ["1/0", "0/0"]],
    ["gone", "g", 0, [9, null], null],
    ["same", "resume_at_7", 0, [7, 5], ["1/0", "0/0"]],
  ]);
  expect(logs.functions[0]).toMatchObject({
    differs: [{ values: [8, 4], verdict: "better" }],
    new_reasons: [],
    gone_reasons: ["r"],
  });
  expect(logs.graph_breaks.new).toHaveLength(1);
  expect(logs.settings![0]!.values).toEqual([[], [1, 9]]);
  expect(logs.settings_in_effect![0]!.values).toEqual([[], [{ value: { no: 0 }, compiles: ["0/0"] }]]);
  expect(reversed(turned)).toEqual(comparison);
});

it("finds the pair of two runs, whichever comes first", () => {
  const pairs = {
    pairs: [
      { a: "one", b: "two", ranks: [] },
      { a: "one", b: "three", ranks: [0, 1] },
    ],
    more: 1,
  };
  expect(pairOf(pairs, "one", "three")).toEqual({ place: 1, swapped: false, ranks: [0, 1] });
  expect(pairOf(pairs, "two", "one")).toEqual({ place: 0, swapped: true, ranks: [] });
  expect(pairOf(pairs, "two", "three")).toBeNull();
  expect(pairOf(undefined, "one", "two")).toBeNull();
});

it("logs without a rank are runs, and are told apart", () => {
  const rank = (n: number | null, file: string) => ({ rank: n, files: [file], dir: "d" }) as unknown as Rank;
  expect(isRuns({ kind: "runs" })).toBe(true);
  expect(isRuns({ kind: "ranks" })).toBe(false);
  expect(rankName(rank(null, "/x/dedicated_log_torch_trace_5n_77k9e.log.gz"))).toBe("log 5n_77k9e");
  expect(rankName({ ...rank(null, "a.log"), name: "before" })).toBe("before");
  expect(logName("before.log")).toBe("before");
  expect(logName(".log")).toBe(".log");
});

import { expect, test } from "vitest";
import { groupGuards, sourceOf, type GuardList } from "../src/store/guards";
import { runnables, shellWord } from "../src/store/runnable";
import { rangeWords, reasonWords, shapeStories, stackFrames, type Shapes } from "../src/store/shapes";
import { stageCells, stageLinks, stageOf } from "../src/store/stages";
import type { Artifact, Report, Stage } from "../src/store/report";

const stage = (
  name: Stage["stage"],
  state: Stage["state"],
  artifacts: number[] = [],
  why: string | null = null,
): Stage => ({
  stage: name,
  backward: false,
  state,
  why,
  time_us: null,
  ops: null,
  nodes: null,
  kernels: null,
  parts: 0,
  artifacts,
});
const artifact = (name: string, more: Partial<Artifact> = {}): Artifact => ({
  name,
  kind: "artifact",
  url: null,
  bytes: 1,
  line: 1,
  number: 1,
  attempt: 0,
  suffix: "",
  readable_url: null,
  dir: "-_0_0_0",
  text: [0, 1],
  lang: "text",
  subgraph: null,
  stem: name,
  ...more,
});

test("stages in a row that are left out for one reason are one cell", () => {
  const stages = [
    stage("dynamo", "done", [0]),
    stage("pre_grad", "skipped", [], "x"),
    stage("joint", "skipped", [], "x"),
    stage("forward", "skipped", [], "y"),
    stage("post_grad", "done"),
    stage("code", "done"),
  ];
  expect(stageCells(stages).map((cell) => cell.stages.map((one) => one.stage))).toEqual([
    ["dynamo"],
    ["pre_grad", "joint"],
    ["forward"],
    ["post_grad"],
    ["code"],
  ]);
});

test("an artifact is of a stage, and has a word there", () => {
  const artifacts = [artifact("before_post_grad_graph"), artifact("inductor_post_grad_graph"), artifact("other")];
  const post = stage("post_grad", "done", [0, 1, 9]);
  expect(stageLinks(post, artifacts).map((link) => link.word)).toEqual(["before", "after"]);
  expect(stageOf([stage("kernels", "done", [1]), post], 1)).toBe(1);
  expect(stageOf([post], 2)).toBe(-1);
  expect(stageOf([post], null)).toBe(-1);
});

const list: GuardList = {
  latency_us: 1,
  count: 4,
  more: 0,
  sources: [{ source: "L['x']", type: "torch.Tensor" }],
  guards: [
    { type: "GLOBAL_STATE", code: "state" },
    {
      type: "TENSOR_MATCH",
      code: "check(L['x'])",
      source: 0,
      user: { file: "a.py", line: 3, function: "f", code: "y = x" },
    },
    { type: "LAMBDA_GUARD", code: "L['n'] > 2", about: "L['n']" },
    { type: "TENSOR_MATCH", code: "again", source: 0 },
  ],
};

test("guards in groups, by what they are about, by kind, or as they come", () => {
  const shape = (order: "source" | "type" | "log", query?: string) =>
    groupGuards(list, order, query).map((group) => `${group.key} ${group.guards.length}`);
  expect(shape("source")).toEqual(["global state 1", "L['x'] 2", "L['n'] 1"]);
  expect(shape("type")).toEqual(["GLOBAL_STATE 1", "TENSOR_MATCH 2", "LAMBDA_GUARD 1"]);
  expect(shape("log")).toEqual([" 4"]);
  expect(shape("log", "a.py:3 Y")).toEqual([" 1"]);
  expect(shape("source", "nothing")).toEqual([]);
  expect(groupGuards(list, "source", "check")[0]!.note).toBe("torch.Tensor");
  expect(sourceOf(list, { type: "X", code: "", source: 7 })).toBe(null);
});

test("a symbol has what was done with it in its attempt", () => {
  const where = (attempt: number) => ({ attempt, line: 1, user_stack: null, stack: null });
  const symbol = (name: string, attempt: number) => ({
    symbol: name,
    unbacked: false,
    value: "3",
    range: "[2, int_oo]",
    source: "L['x']",
    dynamic_by: null,
    dynamic_why: null,
    ...where(attempt),
  });
  const shapes: Shapes = {
    symbols: [symbol("s0", 0), symbol("s0", 1), symbol("s1", 1), symbol("s1", 1)],
    specializations: [
      { symbol: "s0", value: "3", source: null, reason: null, ...where(1) },
      { symbol: "s9", value: "3", source: null, reason: null, ...where(1) },
    ],
    guards: [
      { expr: "s0 > s1", symbols: ["s0", "s1"], ...where(1) },
      { expr: "7 > 3", symbols: [], ...where(0) },
    ],
    more: 0,
    stacks: [],
  };
  const [last, first] = shapeStories(shapes);
  expect(last!.attempt).toBe(1);
  expect(
    last!.stories.map((story) => [story.symbol.symbol, story.specializations.length, story.guards.length]),
  ).toEqual([
    ["s0", 1, 1],
    ["s1", 0, 1],
  ]);
  expect(last!.loose.specializations).toHaveLength(1);
  expect(first!.stories[0]!.guards).toHaveLength(0);
  expect(first!.loose.guards).toHaveLength(1);
});

test("ranges and reasons in words; stacks from their leaf", () => {
  expect(["[2, int_oo]", "[-int_oo, int_oo]", "VR[0, 9]", "[4, 4]", "[-oo, 3]", "odd", null].map(rangeWords)).toEqual([
    "2 or more",
    "any",
    "0 to 9",
    "only 4",
    "3 or less",
    "odd",
    "",
  ]);
  expect(reasonWords("range_refined_to_singleton")).toMatch(/leave one value/);
  expect(reasonWords("new_reason")).toBe("new reason");
  const frame = (parent: number, name: string) => ({
    parent,
    function: name,
    file: "a.py",
    line: 1,
    code: null,
    library: false,
  });
  expect(stackFrames([frame(-1, "a"), frame(0, "b"), frame(0, "c")], 2).map((one) => one.function)).toEqual(["a", "c"]);
  expect(stackFrames([], 3)).toEqual([]);
});

test("commands name files that the report has, and survive a shell", () => {
  const report = { run: { torch: "2.15", cuda: null } } as Report;
  const found = runnables(report, [
    artifact("fx_graph_runnable", { url: "-_0_0_0/fx_graph_runnable_3.txt" }),
    artifact("inductor_output_code_abc", {
      kind: "inductor_output_code",
      lang: "python",
      url: "-_0_0_0/x_4.html",
      payload_url: "payloads/ab.txt",
    }),
    artifact("inductor_output_code_abc", { kind: "inductor_output_code", lang: "python", url: "-_0_0_0/x_4.html" }),
    artifact("inductor_output_code_abc", { kind: "inductor_output_code", lang: "cpp", url: "x.txt" }),
    artifact("fx_graph_runnable"),
  ]);
  expect(found.map((one) => one.file)).toEqual(["./-_0_0_0/fx_graph_runnable_3.txt", "payloads/ab.txt"]);
  expect(shellWord("a b'c;$(x)")).toBe("'a b'\\''c;$(x)'");
});

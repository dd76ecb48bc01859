import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Kernel } from "./kernels";
import { computedBy, ROLES, statedNodes, textSets, type Lowering, type LoweringSet } from "./lowering";
import type { Artifact } from "./report";

const artifact = (name: string, more: Partial<Artifact> = {}): Artifact =>
  ({ name, attempt: 0, subgraph: null, text: [0, 1], ...more }) as Artifact;
const kernel = (more: Partial<Kernel>): Kernel =>
  ({
    name: "k",
    graph: "0_forward",
    artifact: 2,
    nodes: [],
    post_nodes: [],
    nodes_by: null,
    sources: [],
    ...more,
  }) as Kernel;
const source = (line: number): Kernel["sources"][number] => ({ file: "/m.py", line }) as Kernel["sources"][number];
const set = (more: Partial<LoweringSet> = {}): LoweringSet => ({
  post: 1,
  codes: [2],
  stated: new Map([["linear", ["permute", "addmm"]]]),
  before: new Map([["linear", "/m.py:3"]]),
  byLine: new Map([["/m.py:3", ["permute", "addmm", "relu"]]]),
  ...more,
});
const lowering = (sets: LoweringSet[], ...kernels: Kernel[]): Lowering => ({
  sets,
  kernels: kernels.map((one, n) => ({ kernel: one, n })),
});

describe("what a node is computed by", () => {
  const mapped = kernel({ nodes_by: "provenance", post_nodes: ["addmm"], sources: [source(3)] });
  test("nodes of the mapping, and the kernels that it says compute them; nothing is inferred beside them", () => {
    const other = kernel({ nodes_by: "provenance", post_nodes: ["relu"], sources: [source(3)] });
    const found = computedBy(lowering([set()], mapped, other), "linear", "/m.py:3");
    expect(found.nodes).toEqual([{ names: ["permute", "addmm"], artifact: 1, graph: "0_forward" }]);
    expect(found.kernels.map(({ n, by }) => [n, by])).toEqual([[0, "mapping"]]);
    expect(found.sameLine).toEqual({ nodes: [], kernels: [] });
  });
  test("a kernel of another code, or whose nodes are traced through buffers, is not stated", () => {
    const backward = kernel({ ...mapped, artifact: 7 });
    const traced = kernel({ ...mapped, nodes_by: "dataflow" });
    const found = computedBy(lowering([set()], backward, traced), "linear", "/m.py:3");
    expect(found.kernels).toEqual([]);
    expect(found.sameLine.kernels.map(({ n }) => n)).toEqual([0, 1]);
  });
  test("a mapping of a graph in which the name is another node, or of which the text is missing, says nothing", () => {
    for (const before of [new Map([["linear", "/m.py:9"]]), new Map<string, string>(), null]) {
      const found = computedBy(lowering([set({ before })], mapped), "linear", "/m.py:3");
      expect(found.nodes).toEqual([]);
      expect(found.kernels).toEqual([]);
      expect(found.sameLine.nodes.map(({ names }) => names)).toEqual([["permute", "addmm", "relu"]]);
      expect(found.sameLine.kernels.map(({ n }) => n)).toEqual([0]);
    }
  });
  test("comments of the code name nodes of a forward only", () => {
    const named = kernel({ nodes: ["linear"], sources: [source(3)] });
    const found = (one: Kernel) => computedBy(lowering([], one), "linear", "/m.py:3").kernels.map(({ by }) => by);
    expect(found(named)).toEqual(["comment"]);
    expect(found(kernel({ ...named, graph: "0_backward" }))).toEqual([]);
    expect(found(kernel({ ...named, graph: null }))).toEqual([]);
    expect(found(kernel({ ...named, sources: [source(4)] }))).toEqual([]);
  });
  test("without a line and without data there is nothing", () => {
    const found = computedBy(lowering([set({ stated: new Map() })], mapped), "relu", "");
    expect([found.nodes, found.kernels, found.sameLine.nodes, found.sameLine.kernels]).toEqual([[], [], [], []]);
  });
});

describe("the texts of a compile", () => {
  test("each mapping ends a set; a backward uses the pre-grad graph of the forward", () => {
    const names = [
      "dynamo_output_graph",
      "before_pre_grad_graph",
      "inductor_post_grad_graph",
      "inductor_output_code_abc",
      "inductor_provenance_tracking_node_mappings",
      "inductor_post_grad_graph",
      "inductor_output_code_def",
      "inductor_provenance_tracking_node_mappings",
    ];
    expect(
      textSets(
        names.map((name) => artifact(name)),
        0,
      ),
    ).toEqual([
      { pre: 1, post: 2, codes: [3], mapping: 4 },
      { pre: 1, post: 5, codes: [6], mapping: 7 },
    ]);
  });
  test("without mappings, a post-grad graph after code begins a set; other attempts and subgraphs are left out", () => {
    const artifacts = [
      artifact("inductor_post_grad_graph", { attempt: 1 }),
      artifact("inductor_post_grad_graph"),
      artifact("inductor_output_code_a"),
      artifact("inductor_post_grad_graph", { subgraph: "true_graph_0" }),
      artifact("inductor_post_grad_graph"),
      artifact("inductor_output_code_b"),
      artifact("inductor_output_code_c", { text: null }),
    ];
    expect(textSets(artifacts, 0)).toEqual([
      { pre: null, post: 1, codes: [2], mapping: null },
      { pre: null, post: 4, codes: [5], mapping: null },
    ]);
  });
  test("a mapping may be any JSON, or none", () => {
    expect([...statedNodes('{"preToPost": {"a": ["b", 1], "c": 2, "__proto__": ["d"]}}')]).toEqual([
      ["a", ["b"]],
      ["__proto__", ["d"]],
    ]);
    for (const text of ["", "null", "[]", "{", '{"preToPost": 3}', '{"version": 2.0}'])
      expect(statedNodes(text).size).toBe(0);
  });
});

test("artifacts have the roles that the program gives them", () => {
  const program = readFileSync(new URL("../../../src/lowering/provenance_sets.c", import.meta.url), "utf8");
  const names: Record<string, string> = { python: "code", cpp: "code", kernels: "code" };
  const table = [...program.matchAll(/\{SLICE_INIT\("(\w+)"\), ROLE_(\w+)\}/g)]
    .map(([, prefix, role]) => [prefix!, names[role!.toLowerCase()] ?? role!.toLowerCase()])
    .filter(([, role]) => role !== "stacks"); // which the page does not read
  expect(table.length).toBeGreaterThan(5);
  expect([...ROLES].sort()).toEqual(table.sort());
});

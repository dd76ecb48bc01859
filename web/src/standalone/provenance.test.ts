import { describe, expect, test } from "vitest";
import { parseProvenance, splitHandle, type GraphSet } from "./provenance-data";
import { shifted } from "./provenance-columns";
import { Relations } from "./provenance-relations";
import { sourcesOf } from "../lib/graph/line-sources";
import { guessNodes, handlesIn, placesIn } from "./provenance-source";

const GRAPH = [
  "def forward(self, x):", //                                                       1
  "    # File: /home/user/a.py:15 in forward, code: z = relu(fc(x))", //            2
  '    linear: "f32[8, 16]" = torch.linear(x)', //                                  3
  "    z = linear.relu();  linear = None", //                                       4
  "", //                                                                            5
  "    # Backward of forward node: File: /home/user/a.py:16 in forward, code: w", // 6
  "    w = softmax(z)", //                                                          7
  "    return (w,)", //                                                             8
];

function set(): GraphSet {
  const text = JSON.stringify({
    sets: [
      {
        title: "0_forward",
        mapped: true,
        pre: 0,
        post: 1,
        code: [2, 3],
        preToPost: { 3: [10], 4: [11] },
        postToPre: { 11: [4], 12: [4] },
        kernels: [
          { name: "cpp_fused_relu_0:2", nodes: [11, 12], calls: { 2: [20] }, bodies: [[2, 5, 9]] },
          { name: "extern_kernels.mm:1", nodes: [10], calls: { 2: [18], 3: [7] }, bodies: [] },
          { name: "__proto__", nodes: "none", calls: 5, bodies: [[1]] },
        ],
        traces: { "cpp_fused_relu_0:2": "s0t0" },
        traces_url: "x.html",
      },
    ],
    panes: [{ title: "Pre-grad graph", name: "a", url: "b", lang: "python" }],
  });
  return parseProvenance(text).sets[0]!;
}

describe("the data block", () => {
  test("has its shape, or none", () => {
    expect(set().kernels[0]).toMatchObject({ traces: "s0t0", nodes: [11, 12], bodies: [{ pane: 2, from: 5, to: 9 }] });
    expect(set().kernels[2]).toMatchObject({ traces: null, nodes: [], bodies: [] });
    for (const text of [
      "",
      "null",
      "[]",
      '{"sets": 3}',
      '{"sets": [null, 4]}',
      '{"sets": [{"kernels": [7]}], "panes": {}}',
    ])
      expect(() => parseProvenance(text)).not.toThrow();
    expect(parseProvenance("no json")).toEqual({ sets: [], panes: [] });
  });
  test("names and their debug handles", () => {
    expect(splitHandle("triton_poi_fused_mul_1:2")).toEqual(["triton_poi_fused_mul_1", "2"]);
    expect(splitHandle("at::mm")).toEqual(["at::mm", null]);
  });
});

describe("source lines", () => {
  const sources = sourcesOf(GRAPH);
  test("stand in comments above the nodes", () => {
    expect(sources.map((source) => source?.line ?? 0)).toEqual([0, 0, 15, 15, 15, 0, 16, 16, 0]);
    expect(sources[3]).toEqual({
      file: "/home/user/a.py",
      line: 15,
      where: "forward",
      code: "z = relu(fc(x))",
      comment: 2,
    });
  });
  test("and in stack traces", () => {
    expect([...placesIn('  File "/home/user/a.py", line 16, in forward\n  File "/b.py", line 2')]).toEqual([
      "/home/user/a.py:16",
      "/b.py:2",
    ]);
  });
  test("tell the nodes of a kernel that no mapping knows", () => {
    const kernel = { ...set().kernels[2]!, nodes: [] };
    expect(guessNodes(kernel, [], sources, 'File "/home/user/a.py", line 15')).toMatchObject({
      nodes: [3, 4],
      guessed: true,
    });
    expect(guessNodes(kernel, [], sources, 'File "/home/user/a.py", line 99')).toBe(kernel);
    expect(guessNodes({ ...kernel, known: [7] }, sources, sources, 'File "/home/user/a.py", line 15')).toMatchObject({
      nodes: [7],
      before: [3, 4],
      guessed: true,
    });
    expect(guessNodes({ ...kernel, known: [7] }, sources, sources, "")).toMatchObject({ nodes: [7], before: [] });
    expect(guessNodes(set().kernels[0]!, [], sources, 'File "/home/user/a.py", line 15')).toMatchObject({
      nodes: [11, 12],
      guessed: false,
    });
  });
  test("handles stand above the calls", () => {
    expect([...handlesIn(["x", "  # [Provenance debug handles] a:1, b:2"])]).toEqual([[2, ["a:1", "b:2"]]]);
  });
});

describe("what belongs together", () => {
  const relations = new Relations(
    set(),
    new Map([[0, sourcesOf(GRAPH)]]),
    new Map([[2, new Map([[19, ["cpp_fused_relu_0:2"]]])]]),
  );
  const lines = (pane: number, line: number) =>
    Object.fromEntries(
      [...relations.ofLine(pane, line).lines].map(([at, all]) => [at, [...all].sort((a, b) => a - b)]),
    );

  test("a node leads to nodes and kernels, in both directions of the mappings", () => {
    expect(lines(0, 4)).toEqual({ 0: [4], 1: [11, 12], 2: [20] });
    expect(lines(1, 10)).toEqual({ 0: [3], 1: [10], 2: [18], 3: [7] });
    expect(relations.ofLine(1, 10).kernels).toEqual([1]);
  });
  test("a comment stands for the nodes below it", () => {
    expect(lines(0, 2)).toEqual({ 0: [2, 3, 4], 1: [10, 11, 12], 2: [18, 20], 3: [7] });
  });
  test("a call, the comment with its handle, and the kernel's own code lead to its nodes", () => {
    for (const line of [20, 19, 5, 7, 9])
      expect(lines(2, line), `line ${line}`).toEqual({ 0: [4], 1: [11, 12], 2: [20] });
    expect(relations.ofLine(2, 20).bodies).toEqual([{ pane: 2, from: 5, to: 9 }]);
    expect(relations.ofLine(2, 20).sources.map((source) => source.line)).toEqual([15]);
    expect(lines(2, 10)).toEqual({});
    expect(lines(3, 7)).toEqual({ 0: [3], 1: [10], 2: [18], 3: [7] });
  });
  test("the lines that lead anywhere", () => {
    expect(relations.linesWith(0)).toEqual([3, 4]);
    expect(relations.linesWith(1)).toEqual([10, 11, 12]);
    expect(relations.linesWith(2)).toEqual([18, 20]);
  });
});

test("a handle moves what two panes share, and leaves each some", () => {
  expect(shifted([0.4, 0.3, 0.3], 0, 0.1).map((share) => share.toFixed(2))).toEqual(["0.50", "0.20", "0.30"]);
  expect(shifted([0.4, 0.3, 0.3], 1, -5).map((share) => share.toFixed(2))).toEqual(["0.40", "0.12", "0.48"]);
});

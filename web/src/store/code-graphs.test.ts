import { expect, test } from "vitest";
import { codeGraphs, whyNone } from "./code-graphs";
import type { Artifact, Stage } from "./report";

const artifact = (subgraph: string | null = null) => ({ subgraph, text: [0, 9] }) as unknown as Artifact;
const stage = (name: Stage["stage"], artifacts: number[], more: Partial<Stage> = {}) =>
  ({ stage: name, artifacts, backward: false, why: null, state: "done", ...more }) as Stage;
const list = (n: number) => Array.from({ length: n }, () => artifact());

test("forward and backward are two graphs with the same Dynamo graph, each with what came before its code", () => {
  const stages = [
    stage("dynamo", [0]),
    stage("post_grad", [1, 2]),
    stage("code", [3]),
    stage("post_grad", [4, 5], { backward: true }),
    stage("code", [6], { backward: true }),
  ];
  expect(codeGraphs({ artifacts: list(7), stages })).toEqual([
    { name: "forward", backward: false, artifacts: { dynamo: 0, post: 2, code: 3 } },
    { name: "backward", backward: true, artifacts: { dynamo: 0, post: 5, code: 6 } },
  ]);
});

test("subgraphs keep to themselves; graphs that nothing tells apart are counted", () => {
  const artifacts = [artifact(), artifact("a"), artifact("b"), artifact("a"), artifact("b"), artifact("b")];
  const stages = [stage("dynamo", [0]), stage("post_grad", [1, 2]), stage("code", [3, 4, 5])];
  expect(codeGraphs({ artifacts, stages }).map(({ name, artifacts: { post } }) => [name, post])).toEqual([
    ["subgraph a", 1],
    ["subgraph b 1", 2],
    ["subgraph b 2", 2],
  ]);
});

test("without output code there are the graphs, and without graphs nothing, with the reason", () => {
  const only = [stage("dynamo", [0]), stage("post_grad", [1, 2]), stage("code", [], { why: "a cache hit" })];
  const [graph] = codeGraphs({ artifacts: list(3), stages: only });
  expect(graph!.artifacts).toEqual({ dynamo: 0, post: 2, code: null });
  expect(whyNone("code", graph!, only)).toBe("a cache hit");
  const [none] = codeGraphs({ artifacts: [], stages: [] });
  expect(none!.artifacts).toEqual({ dynamo: null, post: null, code: null });
  expect(whyNone("post", none!, [])).toBe(null);
});

import { expect, test } from "vitest";
import { graphDiff, type GraphDiff } from "../lib/graph/graph-diff";
import { areSame, graphDiffText } from "./graph-diff-text";

const graph = (body: string) =>
  graphDiff(`def forward(self, x):\n y = torch.relu(x)\n return (y,)`, `def forward(self, x):\n${body}`)!;

test("equal graphs say so", () => {
  const found = graph(" z = torch.relu(x)\n return (z,)");
  expect(areSame(found)).toBe(true);
  expect(graphDiffText(found)).toBe("The graphs are the same: 1 operation. Names and comments may differ.");
});

test("changes first, with their counts", () => {
  expect(graphDiffText(graph(" y = torch.gelu(x)\n return (y,)"))).toBe("1 operation changed.");
});

test("all parts in one sentence", () => {
  const found: GraphDiff = {
    ...graph(" y = torch.relu(x)\n return (y,)"),
    counts: { changed: 13, added: 2, removed: 0, replaced: 0, moved: 0 },
    edits: [{ change: "added", a: [], b: [], equalTo: 0, times: 1 }],
    inputs: 1,
    sizes: [{ from: "32", to: "s27", nodes: 40 }],
    types: [
      { from: "f32", to: "bf16", nodes: 1 },
      { from: "cpu", to: "cuda:0", nodes: 1 },
    ],
    resized: 39,
    rewired: 2,
    restrided: 1,
    same: 396,
  };
  expect(graphDiffText(found)).toBe(
    "13 operations changed, 2 added, 1 input or output; sizes 32 → s27 in 40 nodes; types f32 → bf16 in 1 node and 1 other; 39 operations with other sizes; 1 with other strides; 2 read what was added or replaced; 396 are the same.",
  );
});

import { expect, test } from "vitest";
import { treeRows, type TreeOptions } from "./stacktree";
import type { StackNode } from "./report";

const node = (parent: number, name: string, compiles: string[] = [], file = "a.py"): StackNode => ({
  parent,
  function: name,
  file,
  line: 1,
  code: null,
  library: false,
  dump: null,
  compiles,
  time_us: null,
});
const options = (changes: Partial<TreeOptions> = {}): TreeOptions => ({
  shown: (n) => !n.file.includes("site-packages"),
  wanted: [],
  collapsed: new Set(),
  unfolded: new Set(),
  ...changes,
});
const names = (nodes: StackNode[], changes?: Partial<TreeOptions>) =>
  treeRows(nodes, options(changes)).map(
    (row) =>
      `${" ".repeat(row.depth)}${row.chain.map((i) => `${nodes[i]!.function}>`).join("")}${nodes[row.node]!.function}`,
  );

//  main - train - step - model - a [0/0]
//                             \- b [1/0] - c [2/0]
const tree = [
  node(-1, "main"),
  node(0, "train"),
  node(1, "lib", [], "/x/site-packages/l.py"),
  node(2, "model"),
  node(3, "a", ["0/0"]),
  node(3, "b", ["1/0", "1/1"]),
  node(5, "c", ["2/0"]),
];

test("a chain that does not branch is one row, frames of libraries are left out", () => {
  expect(names(tree)).toEqual(["main>train>model", " a", " b", "  c"]);
  expect(names(tree, { shown: () => true })).toEqual(["main>train>lib>model", " a", " b", "  c"]);
});

test("chains can be unfolded, branches closed", () => {
  expect(names(tree, { unfolded: new Set([3]) })).toEqual(["main", "train", "model", " a", " b", "  c"]);
  expect(names(tree, { collapsed: new Set([5]) })).toEqual(["main>train>model", " a", " b"]);
  expect(names(tree, { collapsed: new Set([3]) })).toEqual(["main>train>model"]);
});

test("times and counts are those of all below", () => {
  const rows = treeRows(
    tree.map((item, i) => ({ ...item, time_us: [4, 4, 4, 4, 1, 3, 1][i]! })),
    options(),
  );
  expect(rows.map((row) => [row.time, row.compiles])).toEqual([
    [4, 4],
    [1, 1],
    [3, 3],
    [1, 1],
  ]);
});

test("a filter keeps matches, the way to them, and what lies below", () => {
  expect(names(tree, { wanted: ["2/0"] })).toEqual(["main>train>model>b", " c"]);
  expect(names(tree, { wanted: ["train"] })).toEqual(names(tree));
  expect(names(tree, { wanted: ["nothing"] })).toEqual([]);
});

test("a frame of a library where a compile starts is shown", () => {
  expect(names([node(-1, "main"), node(0, "lib", ["0/0"], "/x/site-packages/l.py")])).toEqual(["main>lib"]);
});

test("a stack of 20000 frames", () => {
  const deep = Array.from({ length: 20_000 }, (_, i) => node(i - 1, `f${i}`, i === 19_999 ? ["0/0"] : []));
  const rows = treeRows(deep, options());
  expect(rows).toHaveLength(1);
  expect(rows[0]!.chain).toHaveLength(19_999);
});

test("parents that do not stand before their children do not hang it", () => {
  expect(treeRows([node(0, "self", ["0/0"]), node(5, "later", ["1/0"])], options())).toHaveLength(2);
});

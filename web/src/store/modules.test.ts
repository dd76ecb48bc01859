import { expect, test } from "vitest";
import { words } from "../lib/text";
import {
  findModule,
  firstOp,
  moduleChain,
  moduleOfOps,
  findModules,
  type Module,
  moduleQuery,
  moduleRows,
  type ModuleTree,
  modulesByCompile,
  openAtFirst,
  shortClass,
  treeOf,
  usualCompile,
} from "./modules";

const module = (
  name: string,
  cls: string | null = "torch.nn.modules.linear.Linear",
  more: Partial<Module> = {},
): Module => ({
  compile: "0/0",
  root: "L['self']",
  name,
  class: cls,
  parameters: 10,
  parameter_bytes: 40,
  buffers: 0,
  buffer_bytes: 0,
  ops: 1,
  exact_ops: 1,
  kernels: 1,
  guards: 2,
  compile_us: null,
  run_us: null,
  saved_bytes: null,
  exact_nodes: [],
  nodes_within: [],
  ...more,
});

const block = (n: number, more: Partial<Module> = {}): Module[] => [
  module(`h.${n}`, "model.Block", { parameters: 20, ...more }),
  module(`h.${n}.fc`, "Linear", more),
];
const net = (...below: Module[]) => treeOf([module("", "model.Net"), module("h", "ModuleList"), ...below]);

type How = Parameters<typeof moduleRows>[1];
const all: How = { found: null, open: () => true, sorted: (nodes) => nodes };
const lines = (tree: ModuleTree, how: Partial<How> = {}) =>
  moduleRows(tree, { ...all, ...how }).map(({ node, level }) => `${" ".repeat(level - 1)}${node.label}`);

test("equal numbered siblings are one row with their sums, which opens", () => {
  const tree = net(...block(0), ...block(1), ...block(2));
  const [list] = tree.roots[0]!.children;
  const [fold] = list!.children;
  expect(list!.children).toHaveLength(1);
  expect(fold).toMatchObject({ label: "0 … 2", folded: 3, parameters: 60, guards: 6, run_us: null, module: null });
  expect(lines(tree)).toEqual(["L['self']", " h", "  0 … 2", "   0", "    fc", "   1", "    fc", "   2", "    fc"]);
  expect([...openAtFirst(tree)].map(({ label }) => label)).toEqual(["L['self']", "h"]);
});

test("siblings that differ in a class, a size or a name below them are not folded", () => {
  const differing = [block(1, { parameters: 11 }), [module("h.1", "model.Other"), module("h.1.fc", "Linear")]];
  for (const other of [...differing, [module("h.1", "model.Block", { parameters: 20 }), module("h.1.proj", "Linear")]])
    expect(net(...block(0), ...other).roots[0]!.children[0]!.children.map(({ label }) => label)).toEqual(["0", "1"]);
  // Nor are those with another one between them.
  expect(net(...block(0), ...block(2)).roots[0]!.children[0]!.children).toHaveLength(2);
  const unsized = net(...block(0, { parameters: null }), ...block(1, { parameters: null }));
  expect(unsized.roots[0]!.children[0]!.children[0]).toMatchObject({ folded: 2, parameters: null, ops: 2 });
});

test("numbered siblings are in order; those without parameters come last in the report", () => {
  const tree = treeOf(["", "0", "2", "1"].map((name, i) => module(name, `C${i}`)));
  expect(lines(tree)).toEqual(["L['self']", " 0", " 1", " 2"]);
});

test("a name without the modules above it is below the nearest; lists in attributes too", () => {
  const tree = treeOf(["", "a.b.c", "a.b.c.d", "plain[0]", "plain[1]"].map((name) => module(name)));
  expect(lines(tree)).toEqual(["L['self']", " a.b.c", "  d", " plain[0] … plain[1]", "  plain[0]", "  plain[1]"]);
});

test("a compile may have several roots", () => {
  const modules = [
    module("", "A"),
    module("x"),
    module("", "B", { root: "G['b']" }),
    module("x", "Linear", { root: "G['b']" }),
  ];
  expect(lines(treeOf(modules))).toEqual(["L['self']", " x", "G['b']", " x"]);
  for (const one of modules) {
    const { module: name, root } = moduleQuery(one, "L['self']");
    expect(findModule(modules, { module: name, ...(root ? { root } : {}) })).toBe(one);
  }
  expect(findModule(modules, {})).toBeUndefined();
  expect(findModule(modules, { module: "y" })).toBeUndefined();
});

test("a filter shows matches with what is above them, not all that is below a match", () => {
  const tree = net(...block(0), ...block(1));
  const show = (q: string) => {
    const found = findModules(tree, words(q));
    return lines(tree, { found, open: (node) => found?.above.has(node) ?? true });
  };
  expect(show("FC")).toEqual(["L['self']", " h", "  0 … 1", "   0", "    fc", "   1", "    fc"]);
  expect(show("h.1")).toEqual(["L['self']", " h", "  0 … 1", "   1"]);
  expect(show("block 0")).toEqual(["L['self']", " h", "  0 … 1", "   0"]);
  expect(show("modulelist")).toEqual(["L['self']", " h"]);
  expect(show("none")).toEqual([]);
  expect(show("model")).toEqual([]); // of model.Block
  expect(show("model.block")).toEqual(["L['self']", " h", "  0 … 1", "   0", "   1"]);
});

test("siblings are sorted, not rows", () => {
  const tree = treeOf([module(""), module("a"), module("a.z"), module("b")]);
  expect(lines(tree, { sorted: (nodes) => [...nodes].reverse() })).toEqual(["L['self']", " b", " a", "  z"]);
});

test("the usual compile has the most operations, or the module that is asked for", () => {
  const small = { compile: "1/0" };
  const compiles = modulesByCompile([
    module("", "A", small),
    module("own", "A", small),
    module("", "B", { ops: 5 }),
    module("both", "B"),
    module("both", "A", small),
  ]);
  expect(usualCompile(compiles, {})).toBe("0/0");
  expect(usualCompile(compiles, { module: "own" })).toBe("1/0");
  expect(usualCompile(compiles, { module: "both" })).toBe("0/0");
  expect(usualCompile(compiles, { module: "none" })).toBe("0/0");
  expect(usualCompile(new Map(), {})).toBeUndefined();
  const alike = [module("", "A"), module("", "A", { compile: "0/1", run_us: 3 })];
  expect(usualCompile(modulesByCompile(alike), {})).toBe("0/1");
});

test("few rows are open at first, but always what is below the roots", () => {
  const many = treeOf([
    module(""),
    ...Array.from({ length: 90 }, (_, i) => [module(`m${i}`), module(`m${i}.x`)]).flat(),
  ]);
  expect(openAtFirst(many).size).toBe(1);
  expect(shortClass("a.b.C")).toBe("C");
  expect(shortClass("C")).toBe("C");
  expect(shortClass(null)).toBeNull();
});

test("operations have their module, or the nearest that is known", () => {
  const tree = treeOf([
    module("", "A", { nodes_within: ["x"] }),
    module("h", "B", { exact_nodes: ["body/y"] }),
    module("h.0", "C", { exact_nodes: ["z"] }),
    module("h.1", "C"),
  ]);
  const ops = moduleOfOps(tree);
  expect([...ops].map(([name, { node, exact }]) => [name, node.label, exact])).toEqual([
    ["x", "L['self']", false],
    ["body/y", "h", true],
    ["z", "0", true],
  ]);
  expect(moduleChain(ops.get("z")!.node).map(({ name }) => name)).toEqual(["", "h", "h.0"]);
  expect(tree.nodes.map(firstOp)).toEqual(["x", "body/y", "z", undefined]);
  expect(firstOp(treeOf([module(""), module("a"), module("b", "C", { exact_nodes: ["w"] })]).roots[0]!)).toBe("w");
});

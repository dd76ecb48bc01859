// The modules of a compile as a tree: with equal siblings folded, filtered, and as the rows of a table.
import { matches } from "../lib/text";
import type { Report } from "./report";

export type Module = NonNullable<Report["modules"]>[number];

const FIGURES = [
  "parameters",
  "parameter_bytes",
  "buffers",
  "buffer_bytes",
  "ops",
  "exact_ops",
  "kernels",
  "guards",
  "compile_us",
  "run_us",
  "saved_bytes",
] as const;
export type Figures = Record<(typeof FIGURES)[number], number | null>;

export interface ModuleNode extends Figures {
  key: string;
  /** its name in the module above; of a root its source; of folded siblings the first and the last */
  label: string;
  class: string | null;
  /** null: folded siblings */
  module: Module | null;
  /** how many siblings are folded into it */
  folded: number;
  parent: ModuleNode | null;
  children: ModuleNode[];
}

export interface ModuleTree {
  roots: ModuleNode[];
  /** of each module, in the order of the report: those below a module follow it */
  nodes: ModuleNode[];
}

/** The modules of each compile, in the order of the report. */
export function modulesByCompile(modules: readonly Module[]): Map<string, Module[]> {
  const found = new Map<string, Module[]>();
  for (const module of modules) {
    const own = found.get(module.compile);
    if (own) own.push(module);
    else found.set(module.compile, [module]);
  }
  return found;
}

const isRoot = ({ name }: Module): boolean => name === "";

/** What belongs to any module of a compile. */
export const sumOfRoots = (modules: readonly Module[], key: "ops" | "exact_ops" | "run_us"): number =>
  modules.reduce((sum, module) => sum + (isRoot(module) ? (module[key] ?? 0) : 0), 0);

/**
 * The compile with the most operations of modules, and of those with as many the one that ran longest; where a module is asked for, among those that
 * have it.
 */
export function usualCompile(
  compiles: ReadonlyMap<string, readonly Module[]>,
  query: Readonly<Record<string, string>>,
): string | undefined {
  const having = [...compiles].filter(([, modules]) => !query.module || findModule(modules, query));
  return (having.length ? having : [...compiles])
    .map(([key, modules]) => ({ key, ops: sumOfRoots(modules, "ops"), run: sumOfRoots(modules, "run_us") }))
    .sort((a, b) => b.ops - a.ops || b.run - a.run)[0]?.key;
}

/** What an address says of a module. Of a root, which has no name, its source; the source of others if the first root is not theirs. */
export function moduleQuery(module: Module, first: string): { module: string; root: string | null } {
  return { module: module.name || module.root, root: isRoot(module) || module.root === first ? null : module.root };
}

export function findModule(
  modules: readonly Module[],
  { module: name, root }: Readonly<Record<string, string>>,
): Module | undefined {
  if (!name) return undefined;
  return (
    modules.find((one) => one.name === name && (!root || one.root === root)) ??
    modules.find((one) => isRoot(one) && one.root === name)
  );
}

/** "torch.nn.modules.linear.Linear" -> "Linear" */
export const shortClass = (name: string | null): string | null => name && name.slice(name.lastIndexOf(".") + 1);

/** The nearest module above that is in the report: logs without guards lack those that hold no parameters. */
function above(name: string, known: ReadonlyMap<string, ModuleNode>): ModuleNode | undefined {
  for (let end = name.length; end > 0;) {
    end = Math.max(name.lastIndexOf(".", end - 1), name.lastIndexOf("[", end - 1));
    const found = end > 0 ? known.get(name.slice(0, end)) : undefined;
    if (found) return found;
  }
  return name ? known.get("") : undefined;
}

function nodeOf(module: Module, i: number, parent: ModuleNode | null): ModuleNode {
  const within = parent?.module?.name.length ?? 0;
  return {
    ...(Object.fromEntries(FIGURES.map((key) => [key, module[key]])) as Figures),
    key: `${i}`,
    label: isRoot(module) ? module.root : module.name.slice(within).replace(/^\./, ""),
    class: module.class,
    module,
    folded: 0,
    parent,
    children: [],
  };
}

export function treeOf(modules: readonly Module[]): ModuleTree {
  const byRoot = new Map<string, Map<string, ModuleNode>>();
  const nodes = modules.map((module, i) => {
    let known = byRoot.get(module.root);
    if (!known) byRoot.set(module.root, (known = new Map<string, ModuleNode>()));
    const node = nodeOf(module, i, above(module.name, known) ?? null);
    known.set(module.name, node);
    node.parent?.children.push(node);
    return node;
  });
  foldAll(nodes);
  return { roots: nodes.filter((node) => !node.parent), nodes };
}

/** "0" and "plain[0]" of a list; null for a name. */
function numbered({ label }: ModuleNode): { list: string; n: number } | null {
  const found = /^(.*[.[])?(\d+)\]?$/.exec(label);
  return found && { list: found[1] ?? "", n: Number(found[2]) };
}

/**
 * Folds equal siblings that are numbered one after another. Equal are those of the same class with the same parameters, and with equal modules
 * of the same names below them. Goes through the modules backwards, so that those below one come before it.
 */
function foldAll(nodes: readonly ModuleNode[]): void {
  const shapes = new Map<string, number>();
  const shapeOf = new Map<ModuleNode, number>();
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i]!;
    const numbers = node.children.map(numbered);
    // Modules without parameters are the last in the report.
    if (numbers.every((one) => one && one.list === numbers[0]!.list))
      node.children.sort((a, b) => numbered(a)!.n - numbered(b)!.n);
    const below = node.children.map((child) => `${child.label} ${shapeOf.get(child)}`);
    const shape = [node.class, node.parameters, node.buffers, ...below].join("\n");
    if (!shapes.has(shape)) shapes.set(shape, shapes.size);
    shapeOf.set(node, shapes.get(shape)!);
    if (node.children.length > 1) node.children = runsOf(node.children, shapeOf).map(folded);
  }
}

function runsOf(siblings: readonly ModuleNode[], shapeOf: ReadonlyMap<ModuleNode, number>): ModuleNode[][] {
  const runs: ModuleNode[][] = [];
  for (const node of siblings) {
    const before = runs.at(-1)?.at(-1);
    const [a, b] = [before && numbered(before), numbered(node)];
    if (before && a && b && a.list === b.list && b.n === a.n + 1 && shapeOf.get(before) === shapeOf.get(node))
      runs.at(-1)!.push(node);
    else runs.push([node]);
  }
  return runs;
}

function folded(run: ModuleNode[]): ModuleNode {
  const first = run[0]!;
  if (run.length === 1) return first;
  const sum = (key: keyof Figures) =>
    run.reduce<number | null>((total, one) => (total === null || one[key] === null ? null : total + one[key]), 0);
  const node: ModuleNode = {
    ...(Object.fromEntries(FIGURES.map((key) => [key, sum(key)])) as Figures),
    key: `${first.key}+`,
    label: `${first.label} … ${run.at(-1)!.label}`,
    class: first.class,
    module: null,
    folded: run.length,
    parent: first.parent,
    children: run,
  };
  for (const one of run) one.parent = node;
  return node;
}

export function ancestors(node: ModuleNode | undefined): ModuleNode[] {
  const found: ModuleNode[] = [];
  for (let above = node?.parent; above; above = above.parent) found.push(above);
  return found;
}

/** The module of each operation, by the name that the report gives it, and whether it is that one itself: else it may be one below. */
export function moduleOfOps({ nodes }: ModuleTree): Map<string, { node: ModuleNode; exact: boolean }> {
  const found = new Map<string, { node: ModuleNode; exact: boolean }>();
  for (const node of nodes) {
    for (const name of node.module!.exact_nodes) found.set(name, { node, exact: true });
    for (const name of node.module!.nodes_within) found.set(name, { node, exact: false });
  }
  return found;
}

/** The first operation of a module, or else of those below it. */
export function firstOp({ module, children }: ModuleNode): string | undefined {
  const own = module?.exact_nodes[0] ?? module?.nodes_within[0];
  return own ?? children.reduce<string | undefined>((found, child) => found ?? firstOp(child), undefined);
}

/** The modules from the root to this one. */
export const moduleChain = (node: ModuleNode): Module[] =>
  [node, ...ancestors(node)].flatMap(({ module }) => module ?? []).reverse();

/** What a filter finds. */
export interface Found {
  hits: ReadonlySet<ModuleNode>;
  /** what is above them, and is open */
  above: ReadonlySet<ModuleNode>;
}

/** Modules whose whole name and class have all words; the Python module of a class counts only for "torch.nn". What is below one has its name, too, and is only found by its own part of it. */
export function findModules({ nodes }: ModuleTree, wanted: readonly string[]): Found | null {
  if (!wanted.length) return null;
  const dotted = wanted.some((word) => word.includes("."));
  const whole = new Set<ModuleNode>();
  const hits = new Set<ModuleNode>();
  const above = new Set<ModuleNode>();
  for (const node of nodes) {
    const own = `${node.label} ${(dotted ? node.class : shortClass(node.class)) ?? ""}`.toLowerCase();
    if (!matches(`${node.module!.name.toLowerCase()} ${own}`, wanted)) continue;
    whole.add(node);
    const over = node.parent?.folded ? node.parent.parent : node.parent;
    if (over && whole.has(over) && !wanted.some((word) => own.includes(word))) continue;
    hits.add(node);
    for (let up = node.parent; up && !above.has(up); up = up.parent) above.add(up);
  }
  return { hits, above };
}

export interface ModuleRow {
  node: ModuleNode;
  /** from 1 */
  level: number;
  /** undefined: has nothing below it */
  open: boolean | undefined;
}

interface Shown {
  found: Found | null;
  open: (node: ModuleNode) => boolean;
  sorted: (siblings: readonly ModuleNode[]) => readonly ModuleNode[];
}

/** The rows of what is open, and matches the filter. */
export function moduleRows({ roots }: ModuleTree, { found, open, sorted }: Shown): ModuleRow[] {
  const rows: ModuleRow[] = [];
  const kept = (nodes: readonly ModuleNode[]) =>
    found ? nodes.filter((node) => found.hits.has(node) || found.above.has(node)) : nodes;
  const left: { node: ModuleNode; level: number }[] = [];
  const push = (nodes: readonly ModuleNode[], level: number) => {
    for (const node of [...sorted(nodes)].reverse()) left.push({ node, level });
  };
  push(kept(roots), 1);
  for (let next = left.pop(); next; next = left.pop()) {
    const { node, level } = next;
    // What is below a match can be opened, unless there are matches below it.
    const below = found && !found.above.has(node) ? node.children : kept(node.children);
    const shown = below.length > 0 && open(node);
    rows.push({ node, level, open: below.length ? shown : undefined });
    if (shown) push(below, level + 1);
  }
  return rows;
}

/** What is open at first: as many levels as have few rows. */
export function openAtFirst({ roots }: ModuleTree, most = 40): Set<ModuleNode> {
  const open = new Set<ModuleNode>();
  let rows = roots.length;
  for (let level: readonly ModuleNode[] = roots; level.length;) {
    const next = level.flatMap((node) => (node.folded ? [] : node.children));
    rows += next.length;
    if (rows > most && level !== roots) break;
    for (const node of level) if (!node.folded) open.add(node);
    level = next;
  }
  return open;
}

// The stack tree as a flame graph: a bar is as wide as the compile time of what began there and below.
import { matches } from "../lib/text";
import { rowsOf, type Bars } from "../lib/flame/bars";
import { searchText, treeRows } from "./stacktree";
import { stackName, type StackNode } from "./report";
import { STATUSES, type Status } from "../lib/status";

export interface StackFlame {
  bars: Bars;
  count: number;
  /** the frame of a bar, -1 for the whole and for compiles */
  node: Int32Array;
  /** the compile of a bar, null for frames */
  compile: (string | null)[];
  parent: Int32Array;
  /** frames folded into a bar, outermost first, without its own */
  chain: (readonly number[])[];
  total: number;
  /** how a compile is called */
  named: (key: string) => string;
  /** compiles whose compile time is not known: they have no width */
  unknown: number;
  /** nothing has a time: widths are numbers of compiles */
  counted: boolean;
}

export interface StackFlameOptions {
  shown: (node: StackNode) => boolean;
  time: (id: string) => number | null;
  status: (id: string) => Status;
  name: (id: string) => string;
  sign: (status: Status) => string;
  framework: (file: string) => boolean;
}

/** Colors of frames by their file, gray for libraries; those of statuses follow p0 … p7. */
const FILES = [1, 2, 4, 6, 3, 7];

export function stackFlame(nodes: readonly StackNode[], options: StackFlameOptions): StackFlame {
  const tree = treeRows(nodes, { shown: options.shown, wanted: [], collapsed: new Set(), unfolded: new Set() });
  const counted = !nodes.some((node) => (node.time_us ?? 0) > 0);
  const from: number[] = [];
  const to: number[] = [];
  const depth: number[] = [];
  const node: number[] = [];
  const compile: (string | null)[] = [];
  const parent: number[] = [];
  const chain: (readonly number[])[] = [];
  const color: number[] = [];
  const files = new Map<string, number>();
  let unknown = 0;
  const add = (
    x: number,
    wide: number,
    d: number,
    up: number,
    n: number,
    id: string | null,
    folded: readonly number[],
    hue: number,
  ): number => {
    to.push(x + wide);
    depth.push(d);
    node.push(n);
    compile.push(id);
    parent.push(up);
    chain.push(folded);
    color.push(hue);
    return from.push(x) - 1;
  };
  const total = tree.reduce((sum, row) => sum + (row.depth === 0 ? width(row.node, row.compiles) : 0), 0);
  add(0, total, 0, -1, -1, null, [], 0);
  const next: number[] = [0]; // where the next bar of each depth begins
  const last: number[] = [0]; // the bar that was put last at each depth
  for (const row of tree) {
    const at = nodes[row.node]!;
    const d = row.depth + 1;
    const x = next[row.depth]!;
    const wide = width(row.node, row.compiles);
    const hue = options.framework(at.file) ? 0 : FILES[place(files, at.file) % FILES.length]!;
    const bar = add(x, wide, d, last[row.depth]!, row.node, null, row.chain, hue);
    last[d] = bar;
    next[row.depth] = x + wide;
    let inner = x;
    for (const id of at.compiles) {
      const us = counted ? 1 : options.time(id);
      if (us === null) unknown++;
      if (!us) continue;
      const status = options.status(id);
      add(inner, us, d + 1, bar, -1, id, [], 8 + STATUSES.indexOf(status));
      inner += us;
    }
    next[d] = inner;
  }
  const count = from.length;
  // Bars of a row are in order: children after their parents, compiles before their sibling frames.
  const order = Int32Array.from({ length: count }, (_, i) => i).sort((a, b) => from[a]! - from[b]! || a - b);
  const depths = Int32Array.from(depth);
  const columns = { from: Float64Array.from(from), to: Float64Array.from(to) };
  const label = (i: number): string => {
    const id = compile[i];
    if (id) return `${options.sign(options.status(id))} ${options.name(id)}`;
    if (node[i]! < 0) return "all compiles";
    const name = stackName(nodes[node[i]!]!);
    return chain[i]!.length ? `${name} (+${chain[i]!.length} caller${chain[i]!.length > 1 ? "s" : ""})` : name;
  };
  return {
    bars: {
      rows: rowsOf(
        depths,
        order,
        0,
        depth.reduce((most, d) => Math.max(most, d + 1), 1),
      ),
      ...columns,
      row: depths,
      color: Uint8Array.from(color),
      look: new Uint8Array(count),
      label,
    },
    count,
    node: Int32Array.from(node),
    compile,
    parent: Int32Array.from(parent),
    chain,
    total,
    unknown,
    counted,
    named: options.name,
  };

  function width(n: number, compiles: number): number {
    return counted ? compiles : (nodes[n]!.time_us ?? 0);
  }
}

function place(files: Map<string, number>, file: string): number {
  if (!files.has(file)) files.set(file, files.size);
  return files.get(file)!;
}

/** Bars in whose frame, folded frames or compile all words occur; null when nothing is asked for. */
export function findBars(flame: StackFlame, nodes: readonly StackNode[], wanted: readonly string[]): Uint8Array | null {
  if (!wanted.length) return null;
  const mask = new Uint8Array(flame.count);
  for (let i = 0; i < flame.count; i++) {
    const text =
      flame.compile[i] ??
      [...flame.chain[i]!, flame.node[i]!]
        .filter((n) => n >= 0)
        .map((n) => searchText(nodes[n]!))
        .join("\n");
    mask[i] = matches(text, wanted) ? 1 : 0;
  }
  return mask;
}

/** From bar to bar by arrow keys: up and down as the bars are placed. */
export function stepBar(flame: StackFlame, bar: number, to: "parent" | "child" | "next" | "previous"): number {
  if (bar < 0) return 0;
  if (to === "parent") return Math.max(0, flame.parent[bar]!);
  const row = flame.bars.rows[flame.bars.row[bar]! + (to === "child" ? 1 : 0)];
  if (!row) return bar;
  if (to === "child") return row.items.find((item) => flame.parent[item] === bar) ?? bar;
  const k = row.items.indexOf(bar) + (to === "next" ? 1 : -1);
  return row.items[k] ?? bar;
}

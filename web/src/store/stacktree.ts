// The stack tree as rows: frames of libraries left out, chains that do not branch folded into one row, filtered by text.
import { matches } from "../lib/text";
import { stackName, type StackNode } from "./report";

export interface TreeOptions {
  /** whether the frame is shown though no compile starts there */
  shown: (node: StackNode) => boolean;
  wanted: readonly string[];
  collapsed: ReadonlySet<number>;
  /** chains that are shown frame by frame, by their last node */
  unfolded: ReadonlySet<number>;
}

export interface TreeRow {
  node: number;
  depth: number;
  /** frames folded into this row, outermost first, without `node` */
  chain: number[];
  branches: boolean;
  open: boolean;
  /** compile time of the compiles here and below; 0: not known */
  time: number;
  compiles: number;
}

/** Nodes come after their parents, so one pass up and one down suffice. Not recursive: stacks may be 20,000 deep. */
export function treeRows(nodes: readonly StackNode[], options: TreeOptions): TreeRow[] {
  const { wanted, collapsed, unfolded } = options;
  const n = nodes.length;
  const visible = nodes.map((node) => node.compiles.length > 0 || options.shown(node));
  const parent = new Int32Array(n);
  const count = new Int32Array(n);
  const keep = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const p = nodes[i]!.parent;
    parent[i] = p < 0 || p >= i ? -1 : visible[p] ? p : parent[p]!;
    // Descendants of a match are shown too.
    keep[i] = matches(searchText(nodes[i]!), wanted) || (p >= 0 && p < i && keep[p]) ? 1 : 0;
  }
  const children: number[][] = nodes.map(() => []);
  const roots: number[] = [];
  for (let i = n - 1; i >= 0; i--) {
    const p = nodes[i]!.parent;
    count[i]! += nodes[i]!.compiles.length;
    if (p < 0 || p >= i) continue;
    count[p]! += count[i]!;
    if (keep[i]) keep[p] = 1;
  }
  for (let i = 0; i < n; i++) {
    if (!visible[i] || !keep[i]) continue;
    (parent[i]! < 0 ? roots : children[parent[i]!]!).push(i);
  }

  const rows: TreeRow[] = [];
  const todo = roots.reverse().map((node) => ({ node, depth: 0 }));
  for (let next = todo.pop(); next; next = todo.pop()) {
    let { node } = next;
    const chain: number[] = [];
    while (children[node]!.length === 1 && !nodes[node]!.compiles.length) {
      chain.push(node);
      node = children[node]![0]!;
    }
    const below = children[node]!;
    const row = (at: number): TreeRow => ({
      node: at,
      depth: next.depth,
      chain: [],
      branches: false,
      open: true,
      time: nodes[at]!.time_us ?? 0,
      compiles: count[at]!,
    });
    if (unfolded.has(node)) for (const at of chain) rows.push(row(at));
    const open = !collapsed.has(node);
    rows.push({ ...row(node), chain: unfolded.has(node) ? [] : chain, branches: below.length > 0, open });
    if (open) for (let k = below.length - 1; k >= 0; k--) todo.push({ node: below[k]!, depth: next.depth + 1 });
  }
  return rows;
}

export function searchText(node: StackNode): string {
  return `${stackName(node)} ${node.file}:${node.line} ${node.code ?? ""} ${node.compiles.join(" ")}`.toLowerCase();
}

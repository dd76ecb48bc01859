// Nodes of one graph that the other does not have: those with something in common replace each other.
import { isOp, isSymbol, NONE, type OpGraph } from "./op-graph";
import type { Edit } from "./op-edit";
import type { Match } from "./op-inputs";

/** Nodes; a larger group says nothing. */
const REPLACED_MAX = 64;
const NODES = 2 ** 20; // one graph has no more
const GRAPHS = 2 ** 31; // numbers of graphs count down from here, so that no node has them

/** Matches nodes that are alone in their groups, and returns the changes of the others. */
export function groupUnmatched(a: OpGraph, b: OpGraph, match: Match): Edit[] {
  const edits: Edit[] = [];
  for (const group of new Groups(a, b, match).all())
    for (const edit of changesOf(group, a.nodes.length, match)) edits.push(edit);
  return edits;
}

/** Nodes are numbered: those of a, then those of b. */
class Groups {
  private readonly parent: Int32Array;
  /** by node: the matched node of b before it, or a number of its graph */
  private readonly gap: Float64Array;
  private readonly operands = new Map<number, number>();
  private readonly readers = new Map<number, number>();
  private readonly base: number;

  constructor(
    private readonly a: OpGraph,
    private readonly b: OpGraph,
    private readonly match: Match,
  ) {
    this.base = a.nodes.length;
    const count = this.base + b.nodes.length;
    this.parent = Int32Array.from({ length: count }, (_, i) => i);
    this.gap = new Float64Array(count);
    for (const ofB of [false, true]) this.findGaps(ofB);
    for (const ofB of [false, true]) this.link(ofB);
  }

  all(): Iterable<number[]> {
    const groups = new Map<number, number[]>(); // the root is the first node of its group
    for (let i = 0; i < this.parent.length; i++) {
      if ((i < this.base ? this.match.a[i] : this.match.b[i - this.base]) !== NONE) continue;
      const root = this.root(i);
      if (root === i) groups.set(root, [i]);
      else groups.get(root)!.push(i);
    }
    return groups.values();
  }

  private root(node: number): number {
    const { parent } = this;
    while (parent[node] !== node) node = parent[node] = parent[parent[node]!]!;
    return node;
  }

  private join(one: number, other: number): void {
    const [a, b] = [this.root(one), this.root(other)];
    this.parent[Math.max(a, b)] = Math.min(a, b);
  }

  private findGaps(ofB: boolean): void {
    const base = ofB ? this.base : 0;
    const match = ofB ? this.match.b : this.match.a;
    let gap = 0;
    let nested = NONE;
    (ofB ? this.b : this.a).nodes.forEach((node, i) => {
      const inB = ofB ? i : match[i]!;
      if (node.graph !== nested) gap = GRAPHS - node.graph;
      nested = node.graph;
      if (match[i] !== NONE && !this.match.moved[inB]) gap = inB;
      this.gap[base + i] = gap;
    });
  }

  /** Joins the node with the first one that has something in common with it, in the same gap: an operand, or a reader. */
  private share(shared: Map<number, number>, node: number, common: number): void {
    const key = this.gap[node]! * NODES + common;
    const first = shared.get(key);
    if (first === undefined) shared.set(key, node);
    else this.join(node, first);
  }

  private link(ofB: boolean): void {
    const graph = ofB ? this.b : this.a;
    graph.nodes.forEach((node, i) => {
      if (!isOp(node)) return;
      for (let t = node.first; t < node.first + node.count; t++) {
        const operand = graph.operands[t]!;
        if (operand !== NONE && !isSymbol(graph.nodes[operand]!)) this.linkTo(ofB, i, operand);
      }
    });
  }

  private linkTo(ofB: boolean, node: number, operand: number): void {
    const base = ofB ? this.base : 0;
    const match = ofB ? this.match.b : this.match.a;
    const inB = (i: number) => (ofB ? i : match[i]!);
    const lone = match[node] === NONE;
    const loneOperand = match[operand] === NONE && isOp((ofB ? this.b : this.a).nodes[operand]!);
    if (lone && loneOperand && this.gap[base + node] === this.gap[base + operand])
      this.join(base + node, base + operand);
    else if (lone && match[operand] !== NONE) this.share(this.operands, base + node, inB(operand));
    else if (!lone && loneOperand) this.share(this.readers, base + operand, inB(node));
  }
}

function changesOf(group: readonly number[], base: number, match: Match): Edit[] {
  const a = group.filter((node) => node < base);
  const b = group.filter((node) => node >= base).map((node) => node - base);
  if (a.length === 1 && b.length === 1) {
    [match.a[a[0]!], match.b[b[0]!]] = [b[0]!, a[0]!];
    return [];
  }
  if (a.length && b.length && group.length <= REPLACED_MAX) return [{ change: "replaced", a, b }];
  return [
    ...a.map((node): Edit => ({ change: "removed", a: [node], b: [] })),
    ...b.map((node): Edit => ({ change: "added", a: [], b: [node] })),
  ];
}

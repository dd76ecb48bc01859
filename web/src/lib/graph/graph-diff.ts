// The difference of the texts of two graphs, as the page shows it.
import { callText, typeText } from "./op-call";
import { diffGraphs, type OpDiff } from "./op-diff";
import type { Change } from "./op-edit";
import { countOps, graphName, NONE, type OpGraph } from "./op-graph";
import type { SizeChange } from "./op-pairs";
import { readOpGraph } from "./op-read";
import { Words } from "./words";

export interface DiffNode {
  /** "" for what nothing is the result of */
  name: string;
  /** what it calls, with which operands */
  value: string;
  type: string;
  /** in the text, from 0 */
  line: number;
  /** null: the outermost one */
  graph: string | null;
  place: { file: string; line: number; function: string | null } | null;
  code: string | null;
}

export interface GraphEdit {
  change: Change;
  a: DiffNode[];
  b: DiffNode[];
  /** the first edit of the list that is the same but for numbers in names, or itself */
  equalTo: number;
  /** edits that are equal to this one, with itself; 0: it is not the first */
  times: number;
}

type Numbers = Pick<OpDiff, "counts" | "inputs" | "same" | "resized" | "rewired" | "restrided" | "retyped">;

export interface GraphDiff extends Numbers {
  edits: GraphEdit[];
  /** edits that are not in the list */
  moreEdits: number;
  sizes: SizeChange[];
  types: SizeChange[];
  /** pairs of sizes and types that are not in the lists */
  moreSizes: number;
  moreTypes: number;
  /** operations of both */
  ops: [number, number];
  /** nodes of both graphs that were not read */
  moreNodes: number;
}

const EDITS = 5000;
const PAIRS = 100;
const VALUE = 1000; // characters

/** null: one of the texts has no graph. */
export function graphDiff(left: string, right: string): GraphDiff | null {
  const words = new Words();
  const [a, b] = [readOpGraph(left, words), readOpGraph(right, words)];
  if (!a.graphs.length || !b.graphs.length) return null;
  const diff = diffGraphs(a, b);
  const times = new Map<number, number>();
  for (const first of diff.equalTo) times.set(first, (times.get(first) ?? 0) + 1);
  const { counts, inputs, same, resized, rewired, restrided, retyped, edits, sizes, types } = diff;
  return {
    ...{ counts, inputs, same, resized, rewired, restrided, retyped },
    edits: edits.slice(0, EDITS).map((edit, i) => ({
      change: edit.change,
      a: edit.a.map((i) => shown(a, i)),
      b: edit.b.map((i) => shown(b, i)),
      equalTo: diff.equalTo[i]!,
      times: times.get(i) ?? 0,
    })),
    moreEdits: Math.max(0, edits.length - EDITS),
    sizes: sizes.slice(0, PAIRS),
    types: types.slice(0, PAIRS),
    moreSizes: Math.max(0, sizes.length - PAIRS),
    moreTypes: Math.max(0, types.length - PAIRS),
    ops: [countOps(a), countOps(b)],
    moreNodes: a.more + b.more,
  };
}

function shown(graph: OpGraph, i: number): DiffNode {
  const node = graph.nodes[i]!;
  const source = node.source === NONE ? null : graph.sources[node.source]!;
  return {
    name: node.name,
    value: cut(callText(node)),
    type: cut(typeText(node)),
    line: node.line,
    graph: graphName(graph, node),
    place: source && { file: source.file!, line: source.line, function: source.function },
    code: source?.code ?? null,
  };
}

const cut = (text: string): string => (text.length > VALUE ? `${text.slice(0, VALUE)}…` : text);

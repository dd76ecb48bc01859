// What differs between two graphs, as graphs: operations that are added, removed, changed, replaced or moved. Names of nodes
// do not matter. A port of src/graph/graph_diff.c, which describes the answer.
import { Budget } from "./budget";
import { ChangedPairs, type SizeChange } from "./op-pairs";
import { compareNodes } from "./op-compare";
import { foldEdits } from "./op-fold";
import { groupUnmatched } from "./op-groups";
import { matchGraphs } from "./op-match";
import { DIFFERS, isOp, NONE, type OpGraph } from "./op-graph";
import { CHANGES, type Change, type Edit } from "./op-edit";
import type { Match } from "./op-inputs";

export interface OpDiff {
  a: OpGraph;
  b: OpGraph;
  match: Match;
  /** by node of b: bits of DIFFERS, 0 unless it is matched */
  differs: Uint8Array;
  /** in the order of b; what b does not have comes after what it follows in a */
  edits: Edit[];
  /** by edit: the first one that is the same but for numbers in names, often of another layer; or itself */
  equalTo: number[];
  /** most frequent first; types are those of results: `f32` → `bf16` */
  sizes: SizeChange[];
  types: SizeChange[];
  /** of edits; without inputs and outputs */
  counts: Record<Change, number>;
  /** edits of inputs and outputs */
  inputs: number;
  /** matched operations */
  same: number;
  resized: number;
  rewired: number;
  restrided: number;
  retyped: number;
}

/** Steps for each token, and in all: more is spent only on texts that are made for it. */
const STEPS = 20;
const LEAST_STEPS = 2_000_000;

export function diffGraphs(a: OpGraph, b: OpGraph): OpDiff {
  const budget = new Budget(LEAST_STEPS + STEPS * (a.tokens.length + b.tokens.length));
  const match = matchGraphs(a, b);
  const found = groupUnmatched(a, b, match);
  const pairs = new ChangedPairs(budget);
  const differs = compareNodes(a, b, match, pairs, budget);
  for (let j = 0; j < b.nodes.length; j++) {
    const changed = (differs[j]! & DIFFERS.changed) !== 0;
    if (match.b[j] !== NONE && (changed || match.moved[j]))
      found.push({ change: changed ? "changed" : "moved", a: [match.b[j]!], b: [j] });
  }
  const edits = sorted(found, match);
  const counts = Object.fromEntries(CHANGES.map((change) => [change, 0])) as Record<Change, number>;
  const diff: OpDiff = {
    a,
    b,
    match,
    differs,
    edits,
    equalTo: foldEdits(a, b, match, edits),
    sizes: pairs.sizes.list(),
    types: pairs.types.list(),
    counts,
    inputs: 0,
    same: 0,
    resized: 0,
    rewired: 0,
    restrided: 0,
    retyped: 0,
  };
  countEdits(diff);
  countMatched(diff);
  return diff;
}

function countEdits(diff: OpDiff): void {
  for (const { change, a, b } of diff.edits) {
    const node = b.length ? diff.b.nodes[b[0]!]! : diff.a.nodes[a[0]!]!;
    if (isOp(node)) diff.counts[change]++;
    else diff.inputs++;
  }
}

function countMatched(diff: OpDiff): void {
  diff.b.nodes.forEach((node, j) => {
    const differs = diff.differs[j]!;
    if (diff.match.b[j] === NONE || !isOp(node) || differs & DIFFERS.changed || diff.match.moved[j]) return;
    diff.same += Number(!differs);
    diff.resized += Number((differs & DIFFERS.resized) !== 0);
    diff.rewired += Number((differs & DIFFERS.rewired) !== 0);
    diff.restrided += Number((differs & DIFFERS.restrided) !== 0);
    diff.retyped += Number((differs & DIFFERS.retyped) !== 0);
  });
}

/** By their first node of b; what is removed by the one that precedes it. */
function sorted(edits: readonly Edit[], { a, moved }: Match): Edit[] {
  let last = 0;
  const before = Array.from(a, (other) => (last = other !== NONE && !moved[other] ? other + 1 : last));
  const placed = edits.map((edit) => ({
    edit,
    b: edit.b[0] ?? before[edit.a[0]!]!,
    a: edit.b.length ? Infinity : edit.a[0]!,
  }));
  placed.sort((one, other) => one.b - other.b || (one.a < other.a ? -1 : Number(one.a > other.a)));
  return placed.map(({ edit }) => edit);
}

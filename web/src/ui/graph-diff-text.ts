// What differs between two graphs, in sentences.
import type { GraphDiff, GraphEdit } from "../lib/graph/graph-diff";
import { nameRanges } from "../lib/name-ranges";
import { count, plural } from "../lib/text";
import type { ModuleOf } from "../store/graph-modules";

const ORDER = ["changed", "added", "removed", "replaced", "moved"] as const;

/** Nothing differs but names, comments and places. */
export const areSame = (diff: GraphDiff): boolean =>
  !diff.edits.length && !diff.sizes.length && !diff.types.length && !diff.restrided && !diff.resized && !diff.rewired;

const pair = ({ from, to, nodes }: GraphDiff["sizes"][number]): string => `${from} → ${to} in ${plural(nodes, "node")}`;

function pairs(what: string, list: GraphDiff["sizes"], more: number): string[] {
  const others = list.length - 1 + more;
  return list[0] ? [`${what} ${pair(list[0])}${others ? ` and ${plural(others, "other")}` : ""}`] : [];
}

function operations(diff: GraphDiff): string {
  const parts: string[] = [];
  for (const change of ORDER) {
    const n = diff.counts[change];
    if (n) parts.push(`${parts.length ? count(n) : plural(n, "operation")} ${change}`);
  }
  return parts.join(", ") || "No operation added, removed or changed";
}

/** What differs first, then what is the same. */
export function graphDiffText(diff: GraphDiff): string {
  if (areSame(diff))
    return `The graphs are the same: ${plural(diff.ops[1], "operation")}. Names and comments may differ.`;
  const parts = [
    operations(diff) + (diff.inputs ? `, ${plural(diff.inputs, "input or output", "inputs and outputs")}` : ""),
    ...pairs("sizes", diff.sizes, diff.moreSizes),
    ...pairs("types", diff.types, diff.moreTypes),
    ...(diff.resized ? [`${plural(diff.resized, "operation")} with other sizes`] : []),
    ...(diff.restrided ? [`${count(diff.restrided)} with other strides`] : []),
    ...(diff.rewired ? [`${count(diff.rewired)} read what was added or replaced`] : []),
    ...(diff.same ? [`${count(diff.same)} ${diff.same === 1 ? "is" : "are"} the same`] : []),
  ];
  return `${parts.join("; ")}.`;
}

const PLACES = 3;

/**
 * Where changes are that stand for several equal ones: the modules of all of them, "in transformer.h.0–11.attn", or the names of the nodes if one
 * module is unknown.
 */
export function editPlaces(
  edits: readonly GraphEdit[],
  modules: readonly [ModuleOf, ModuleOf],
): Map<GraphEdit, string> {
  const groups = new Map<GraphEdit, GraphEdit[]>();
  for (const edit of edits) {
    const first = edits[edit.equalTo]!;
    const group = groups.get(first);
    if (group) group.push(edit);
    else groups.set(first, [edit]);
  }
  const places = new Map<GraphEdit, string>();
  for (const [first, group] of groups) {
    if (group.length < 2) continue;
    const nodes = group.map(({ a, b }) => ({ node: (b.at(-1) ?? a.at(-1))!, of: modules[b.length ? 1 : 0] }));
    const found = nodes.map(({ node, of }) => of(node.graph, node.name));
    const known = found.filter((module) => module !== null);
    places.set(
      first,
      known.length === found.length
        ? `in ${nameRanges(known, PLACES)}`
        : nameRanges(
            nodes.flatMap(({ node: { name } }) => name || []),
            PLACES,
          ),
    );
  }
  return places;
}

// The rows of the table of nodes, and of the replay: what they show, and what a filter finds in them.
import type { Graph } from "../../lib/graph/model";
import type { NodeModule } from "../../lib/graph/nodes-csv";
import type { GraphNode } from "../../lib/graph/nodes";
import type { Step } from "../../lib/graph/replay";
import { tensorType } from "../../lib/graph/tensor-type";
import { matches } from "../../lib/text";
import { moduleText, type GraphModules } from "./modules";

export interface NodeRow {
  key: number;
  node: GraphNode;
  module: NodeModule | null;
  operands: string;
  place: string;
}

/** A line, or a value that it produced. */
export interface ReplayRow {
  key: string;
  step: Step;
  row: NodeRow | null;
}

export function nodeRows(nodes: readonly GraphNode[], graph: Graph, modules: GraphModules | null): NodeRow[] {
  return nodes.map((node, key) => {
    const { value, source } = node;
    return {
      key,
      node,
      module: value && modules ? moduleText(modules, graph, value) : null,
      operands: node.operands.join(", "),
      place: source ? `${source.file}:${source.line}` : "",
    };
  });
}

const texts = new WeakMap<NodeRow, string>();

/** What a filter finds, in small letters. Made for the first filter: most graphs are never filtered. */
function textOf(row: NodeRow): string {
  const held = texts.get(row);
  if (held !== undefined) return held;
  const { node, module, operands, place } = row;
  const type = node.value?.type ?? "";
  const words = [
    ...[node.op, node.name, node.target, operands, node.args, type, tensorType(type)?.dtype, node.graph, module?.text],
    ...(node.source ? [place, node.source.func, node.source.code] : []),
  ];
  const made = words.join(" ").toLowerCase();
  texts.set(row, made);
  return made;
}

export const foundRows = (rows: readonly NodeRow[], wanted: readonly string[]): readonly NodeRow[] =>
  wanted.length ? rows.filter((row) => matches(textOf(row), wanted)) : rows;

/** Each line with its values. Of a line that has all words itself, all values are found: they have its words, too. */
export function replayRows(steps: readonly Step[], rows: readonly NodeRow[]): ReplayRow[] {
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  return steps.flatMap((step, i) => {
    const own = step.nodes.flatMap((node) => rowOf.get(node) ?? []);
    if (!own.length) return [];
    return [{ key: `${i}`, step, row: null }, ...own.map((row): ReplayRow => ({ key: `${i} ${row.key}`, step, row }))];
  });
}

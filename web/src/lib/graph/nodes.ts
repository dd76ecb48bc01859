// A printed graph as the table of its nodes, in the order of the text: op, target, operands, type and source of each, as `tlparse graph` prints them.
import type { Graph, Source, Value } from "./model";
import { graphName, NONE, type OpGraph, type OpKind, type OpNode, type OpType } from "./op-graph";
import { readOpGraph } from "./op-read";
import { Words } from "./words";

export interface GraphNode {
  op: OpKind;
  /** `torch.sin`, `view`, `fc.weight`, `operator.add`; of an input its name */
  target: string;
  /** on one line */
  args: string;
  /** what the text calls it; null for an output that reads nothing */
  value: Value | null;
  /** the class of a nested graph; "" for the outermost one */
  graph: string;
  /** "" for an output */
  name: string;
  operands: readonly string[];
  type: OpType;
  source: Source | null;
}

export function nodesOf(graph: Graph, text: string): GraphNode[] {
  const read = readOpGraph(text, new Words());
  const values = valuesOf(graph);
  return read.nodes.map((node) => {
    const value = values[node.graph]?.get(node.kind === "output" ? OUTPUT : node.name) ?? null;
    const source = value && node.kind !== "placeholder" ? (graph.sources[value.source] ?? null) : null;
    return {
      op: node.kind,
      target: node.target,
      args: onOneLine(node.args),
      value,
      graph: graphName(read, node) ?? "",
      name: node.name,
      operands: operandsOf(read, node),
      type: node.parts,
      source: source?.file && node.kind !== "output" ? source : null,
    };
  });
}

const OUTPUT = ""; // no value has this name

/** The values of each forward() by name; the first of one name is the node. */
function valuesOf(graph: Graph): Map<string, Value>[] {
  const forwards = graph.scopes.filter((scope) => scope.kind === "def" && scope.name === "forward");
  const found = new Map(forwards.map((scope) => [scope, new Map<string, Value>()]));
  for (const value of graph.values) {
    const own = found.get(value.scope);
    const name = value.kind === "output" ? OUTPUT : value.name;
    if (own && !own.has(name)) own.set(name, value);
  }
  return [...found.values()];
}

function operandsOf(graph: OpGraph, node: OpNode): string[] {
  const names: string[] = [];
  for (let i = node.first; i < node.first + node.count; i++)
    if (graph.operands[i] !== NONE) names.push(graph.nodes[graph.operands[i]!]!.name);
  return names;
}

const isOpen = (c: string): boolean => "([{".includes(c);
const isClose = (c: string): boolean => ")]}".includes(c);

/** Without comments, and without the indentation of arguments that go over several lines. */
function onOneLine(text: string): string {
  if (!text.includes("\n") && !text.includes("  # ")) return text.trim();
  let out = "";
  text.split("\n").forEach((raw, i) => {
    const line = raw.trim().split("  # ", 1)[0]!.trim();
    if (i && line && out && !isOpen(out.at(-1)!) && !isClose(line[0]!)) out += " ";
    out += line;
  });
  return out;
}

// Which changes are the same but for numbers in names, as those of equal layers are. A port of src/graph/graph_fold.c, which
// describes the answer.
import type { Edit } from "./op-edit";
import { graphName, NONE, type OpGraph } from "./op-graph";
import type { Match } from "./op-inputs";

/** `layer_3_relu` as `layer_#_relu`, and `relu_3` as `relu`, which the first one has. */
const unnumbered = (name: string): string => name.replace(/(?<!^)_[0-9]+$/, "").replace(/[0-9]+/g, "#");

class Folder {
  /** names without their numbers */
  private readonly names = new Map<string, string>();
  /** the operands of an edit, in order */
  private ordinals = new Map<number, number>();

  constructor(
    private readonly a: OpGraph,
    private readonly b: OpGraph,
    private readonly match: Match,
  ) {}

  key({ change, a, b }: Edit): string {
    this.ordinals = new Map();
    const nodes = [...a.map((i) => this.node(this.a, i)), ...b.map((i) => this.node(this.b, i))];
    return `${change}\n${nodes.join("")}`;
  }

  private name(name: string): string {
    let found = this.names.get(name);
    if (found === undefined) this.names.set(name, (found = unnumbered(name)));
    return found;
  }

  /** Which operand of the edit it is, and its name. Nodes that are matched are one. */
  private operand(graph: OpGraph, i: number): string {
    const match = graph === this.b ? this.match.b[i]! : i;
    const place = match === NONE ? this.a.nodes.length + i : match;
    let ordinal = this.ordinals.get(place);
    if (ordinal === undefined) this.ordinals.set(place, (ordinal = this.ordinals.size));
    return `%${ordinal} ${this.name(graph.nodes[i]!.name)}`;
  }

  private node(graph: OpGraph, i: number): string {
    const node = graph.nodes[i]!;
    const isCall = node.kind === "call_function" || node.kind === "call_method";
    const parts = [
      (graph === this.b ? "+" : "-") + node.kind,
      this.name(graphName(graph, node) ?? ""),
      this.operand(graph, i),
      isCall ? node.target : this.name(node.target),
      node.type ?? "",
    ];
    for (let t = node.first; t < node.first + node.count; t++) {
      const operand = graph.operands[t]!;
      parts.push(operand === NONE ? graph.words.text(graph.tokens[t]!) : this.operand(graph, operand));
    }
    const source = graph.sources[node.source];
    return `${parts.join("\n")}\n${source ? `@${source.file}:${source.line}\n` : ""}`;
  }
}

/** By edit: the first one that is equal to it, often itself. */
export function foldEdits(a: OpGraph, b: OpGraph, match: Match, edits: readonly Edit[]): number[] {
  const folder = new Folder(a, b, match);
  const first = new Map<string, number>();
  return edits.map((edit, i) => {
    const key = folder.key(edit);
    const known = first.get(key);
    if (known === undefined) first.set(key, i);
    return known ?? i;
  });
}

// The source lines of a Dynamo graph in the order in which Dynamo traced them, each with the nodes that it produced.
import type { Source } from "./model";
import type { GraphNode } from "./nodes";

export interface Step {
  source: Source;
  nodes: GraphNode[];
}

/** A line that comes again later is a step of its own. Nodes without a source line belong to none. */
export function stepsOf(nodes: readonly GraphNode[]): Step[] {
  const steps: Step[] = [];
  for (const node of nodes) {
    if (!node.source) continue;
    const last = steps.at(-1);
    if (last?.source === node.source) last.nodes.push(node);
    else steps.push({ source: node.source, nodes: [node] });
  }
  return steps;
}

// dagre with the types that are used of it; its own say nothing of the ranks that a node may be given.
import * as dagre from "@dagrejs/dagre";

export interface LayoutGraph {
  setGraph(label: { rankdir: string; ranker: string; nodesep: number; edgesep: number; ranksep: number }): unknown;
  setNode(name: string, label: { width: number; height: number; rank: number }): unknown;
  setEdge(from: string, to: string, label: object): unknown;
  graph(): unknown;
  node(name: string): unknown;
  edge(from: string, to: string): unknown;
}

export const Graph = dagre.graphlib.Graph as unknown as new () => LayoutGraph;
export const layout = dagre.layout as unknown as (graph: LayoutGraph, options?: object) => void;

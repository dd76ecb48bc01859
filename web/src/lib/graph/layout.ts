// Where the nodes of a drawing are placed. Ranks are found here, in one pass, since FX prints nodes after what they read; dagre orders each rank and finds
// the columns. An arrow over many ranks costs dagre a place in each of them (a joint graph of 900 nodes took it half a minute), so long ones are not
// given to it and are drawn straight.
import { Graph, layout as dagre } from "./dagre";

/** No DOM, no objects of the graph: it goes to a worker. Sizes are points of the drawing at zoom 1. */
export interface LayoutRequest {
  widths: Float32Array;
  height: number;
  /** of each node, instead of the same for all */
  heights?: Float32Array;
  /** the box of each node, -1 for none: boxes.ts */
  boxes?: Int32Array;
  /** from, to, from, to, … (indices of nodes); `from` comes before `to` */
  edges: Int32Array;
}

export interface Layout {
  /** the middles of nodes */
  x: Float32Array;
  y: Float32Array;
  rank: Int32Array;
  /** the points between the ends of edge i are bends[starts[i]] … bends[starts[i + 1] - 1], as x, y, x, y, … */
  starts: Int32Array;
  bends: Float32Array;
  /** 1 for an edge that dagre does not get */
  long: Uint8Array;
  width: number;
  height: number;
  /** left, top, width and height of each box */
  boxes?: Float32Array;
}

/** An arrow over more ranks than that is long. */
const LONG_SPAN = 4;
const RANK_GAP = 34;
const NODE_GAP = 18;

export function layoutOf({ widths, height, heights, edges }: LayoutRequest): Layout {
  const n = widths.length;
  const m = edges.length / 2;
  const rank = ranksOf(n, edges);
  const graph = new Graph();
  // Given ranks are used as they are; dagre wants every second one free for labels of edges, and halves the gap.
  graph.setGraph({ rankdir: "TB", ranker: "none", nodesep: NODE_GAP, edgesep: 10, ranksep: RANK_GAP });
  for (let i = 0; i < n; i++)
    graph.setNode(String(i), { width: widths[i]!, height: heights?.[i] ?? height, rank: rank[i]! * 2 });
  const long = new Uint8Array(m);
  for (let i = 0; i < m; i++) {
    const from = edges[2 * i]!;
    const to = edges[2 * i + 1]!;
    if (rank[to]! - rank[from]! > LONG_SPAN) long[i] = 1;
    else graph.setEdge(String(from), String(to), {});
  }
  dagre(graph);
  const x = new Float32Array(n);
  const y = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    const placed = graph.node(String(i)) as { x: number; y: number };
    x[i] = placed.x;
    y[i] = placed.y;
  }
  const starts = new Int32Array(m + 1);
  const bends: number[] = [];
  for (let i = 0; i < m; i++) {
    starts[i] = bends.length;
    if (long[i]) continue;
    const { points } = graph.edge(String(edges[2 * i]), String(edges[2 * i + 1])) as {
      points: { x: number; y: number }[];
    };
    for (const point of points.slice(1, -1)) bends.push(point.x, point.y);
  }
  starts[m] = bends.length;
  const { width = 0, height: tall = 0 } = graph.graph() as { width?: number; height?: number };
  return { x, y, rank, starts, bends: Float32Array.from(bends), long, width, height: tall };
}

/**
 * A node is one rank below the lowest that it reads. What depends on one input at most (weights, their transposes) then moves down to right above
 * its first user: all weights in the first rank would make it thousands of boxes wide.
 */
export function ranksOf(n: number, edges: Int32Array): Int32Array {
  const rank = new Int32Array(n);
  const reads = new Int32Array(n);
  const reader = new Int32Array(n).fill(-1);
  const first = new Int32Array(n).fill(-1); // what a node with one input reads
  for (let e = 0; e < edges.length; e += 2) {
    const to = edges[e + 1]!;
    reads[to]!++;
    first[to] = edges[e]!;
  }
  const order = byTarget(n, edges);
  for (const e of order) rank[edges[e + 1]!] = Math.max(rank[edges[e + 1]!]!, rank[edges[e]!]! + 1);
  const loose = new Uint8Array(n);
  for (let i = 0; i < n; i++) loose[i] = reads[i] === 0 || (reads[i] === 1 && loose[first[i]!]) ? 1 : 0;
  const lowest = new Int32Array(n).fill(-1);
  for (let k = order.length - 1; k >= 0; k--) {
    const from = edges[order[k]!]!;
    const to = edges[order[k]! + 1]!;
    // By the time a node is a target, all that reads it has been seen.
    if (loose[to] && reader[to] !== -2) {
      if (lowest[to]! >= 0) rank[to] = lowest[to]! - 1;
      reader[to] = -2;
    }
    lowest[from] = lowest[from]! < 0 ? rank[to]! : Math.min(lowest[from]!, rank[to]!);
  }
  for (let i = 0; i < n; i++) if (reads[i] === 0 && lowest[i]! >= 0) rank[i] = lowest[i]! - 1;
  return rank;
}

/** Places of edges in `edges`, by their target: all of a node's inputs are then known before anything reads it. */
function byTarget(n: number, edges: Int32Array): Int32Array {
  const counts = new Int32Array(n + 1);
  for (let e = 1; e < edges.length; e += 2) counts[edges[e]! + 1]!++;
  for (let i = 0; i < n; i++) counts[i + 1]! += counts[i]!;
  const order = new Int32Array(edges.length / 2);
  for (let e = 0; e < edges.length; e += 2) order[counts[edges[e + 1]!]!++] = e;
  return order;
}

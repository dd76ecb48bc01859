// Which node the arrow keys lead to.
import type { Layout } from "./layout";
import type { Shown } from "./drawing";

export type Way = "up" | "down" | "left" | "right";

/**
 * Up to what the node reads, down to what reads it, left and right to its neighbours in the rank. `from` is where the reader came from: it goes before the
 * nearest, so that down and up lead back. All are places in the layout; -1 where there is no such node.
 */
export function nextNode(
  { edges }: Pick<Shown, "edges">,
  { x, rank }: Pick<Layout, "x" | "rank">,
  at: number,
  way: Way,
  from = -1,
): number {
  const found: number[] = [];
  if (way === "up" || way === "down") {
    for (let e = 0; e < edges.length; e += 2) {
      if (way === "up" && edges[e + 1] === at) found.push(edges[e]!);
      if (way === "down" && edges[e] === at) found.push(edges[e + 1]!);
    }
    if (found.includes(from)) return from;
  } else {
    for (let i = 0; i < x.length; i++)
      if (i !== at && rank[i] === rank[at] && (way === "left" ? x[i]! < x[at]! : x[i]! > x[at]!)) found.push(i);
  }
  const far = (i: number) => Math.abs(x[i]! - x[at]!);
  return found.reduce((best, i) => (best < 0 || far(i) < far(best) ? i : best), -1);
}

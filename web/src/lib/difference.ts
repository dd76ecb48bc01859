import type { LineDiff, Options } from "./diff-lines";
import type { GraphDiff } from "./graph/graph-diff";
import { bundle } from "./tl";
import { Work } from "./work";

const SMALL = 200_000; // characters of both: quicker here than the way to the worker
const LIMIT_MS = 30_000;

/** The difference of two texts; of large ones in a worker, so that the page goes on. */
export async function differenceOf(left: string, right: string, options: Options): Promise<LineDiff> {
  if (left.length + right.length <= SMALL) return (await bundle("worker")).lineDiff(left, right, options);
  const work = new Work();
  try {
    return await work.ask({ kind: "diff", left, right, options }, LIMIT_MS);
  } finally {
    work.stop();
  }
}

/** The difference of two graphs, in the same way; null: one of the texts has no graph. */
export async function graphDifferenceOf(left: string, right: string): Promise<GraphDiff | null> {
  if (left.length + right.length <= SMALL) return (await bundle("worker")).graphDiff(left, right);
  const work = new Work();
  try {
    return (await work.ask({ kind: "graphs", left, right }, LIMIT_MS)).found;
  } finally {
    work.stop();
  }
}

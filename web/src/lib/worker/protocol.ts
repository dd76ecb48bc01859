// What the page asks of its worker, and what it answers. Texts go there as bytes: they are moved, not copied.
import type { LineDiff, Options } from "../diff-lines";
import type { GraphDiff } from "../graph/graph-diff";
import type { SearchQuery, TextHits } from "../search";

export type Request =
  | { kind: "diff"; left: string; right: string; options: Options }
  | { kind: "graphs"; left: string; right: string }
  | { kind: "search"; query: SearchQuery; texts: Uint8Array<ArrayBuffer>[] };

export interface Answers {
  diff: LineDiff;
  /** found: null where one of the texts has no graph */
  graphs: { found: GraphDiff | null };
  search: TextHits[];
}

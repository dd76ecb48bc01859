/** Ranks whose logs are not here: a report that was made from facts (`tlparse merge`) has no report of these. */
import type { Rank } from "./generated/report";

type Elsewhere = Pick<Rank, "dir" | "elsewhere">;

const dirs = new Set<string>();

/** Remembers the ranks of the report that is shown. */
export function noteElsewhere(ranks: readonly Elsewhere[] | undefined): void {
  dirs.clear();
  for (const rank of ranks ?? []) if (rank.elsewhere) dirs.add(rank.dir);
}

/** Whether the report of a rank, by its folder, is not part of this report. */
export const isElsewhere = (dir: string): boolean => dirs.has(dir);

// Aligns the sequences of several groups: common items share a row, a missing one leaves a gap in its column.
import { diff, numbering } from "../lib/diff";

export interface AlignedRow {
  key: string;
  /** for each sequence the place of the item in it, or -1 */
  at: number[];
}

export interface Aligned {
  rows: AlignedRow[];
  coarse: boolean;
}

/** The others are aligned with the first sequence; their additional items get rows of their own. */
export function align(sequences: readonly (readonly string[])[], budgetMs = 1000): Aligned {
  const number = numbering();
  const until = performance.now() + budgetMs;
  let rows: AlignedRow[] = [];
  let coarse = false;
  sequences.forEach((sequence, s) => {
    const keys = rows.map((row) => row.key);
    const found = diff(
      number(keys),
      number(sequence),
      Math.max(20, (until - performance.now()) / (sequences.length - s)),
    );
    const next: AlignedRow[] = [];
    coarse ||= found.coarse;
    for (const hunk of found.hunks) {
      for (let i = hunk.a; i < hunk.aEnd; i++) {
        const row = rows[i]!;
        row.at[s] = hunk.same ? hunk.b + i - hunk.a : -1;
        next.push(row);
      }
      if (hunk.same) continue;
      for (let j = hunk.b; j < hunk.bEnd; j++) {
        const at = new Array<number>(sequences.length).fill(-1);
        at[s] = j;
        next.push({ key: sequence[j]!, at });
      }
    }
    rows = next;
  });
  return { rows, coarse };
}

export type Cell = "same" | "missing" | "moved" | "extra" | "absent";

/**
 * What a row says of each sequence. `moved`: it has as many of these as the first, elsewhere. `missing`: the first has it here and this one has fewer
 * of them. `extra`: the first has fewer of them. `absent`: neither it nor the first has anything here.
 */
export function judge(aligned: Aligned, sequences: readonly (readonly string[])[]): Cell[][] {
  const counts = sequences.map((sequence) => {
    const map = new Map<string, number>();
    for (const item of sequence) map.set(item, (map.get(item) ?? 0) + 1);
    return map;
  });
  return aligned.rows.map((row) =>
    row.at.map((at, s): Cell => {
      const inFirst = row.at[0]! >= 0;
      const mine = counts[s]!.get(row.key) ?? 0;
      const first = counts[0]!.get(row.key) ?? 0;
      if (inFirst) return at >= 0 ? "same" : mine >= first ? "moved" : "missing";
      if (s === 0) return "absent";
      return at < 0 ? "absent" : mine <= first ? "moved" : "extra";
    }),
  );
}

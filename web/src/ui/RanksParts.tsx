import { address } from "../lib/address";
import { count } from "../lib/text";
import { dirOf, ranges, ranksText, rankUrl } from "../store/ranks";
import { useStore } from "./page";

/** Ranks that are alike, as a chip: "0–3, 7". The color goes with the group's place among the groups. */
export function RankChip({ ranks, place, limit = 8 }: { ranks: readonly number[]; place?: number; limit?: number }) {
  const text = ranges(ranks, limit);
  return (
    <span class="chip rank-chip" title={ranksText(ranks, 200)} aria-label={ranksText(ranks, limit)}>
      {place !== undefined && <i style={{ background: groupColor(place) }} />}
      {text}
      {ranks.length > 3 && <span class="muted">({count(ranks.length)})</span>}
    </span>
  );
}

export const groupColor = (place: number): string => `var(--p${(place % 7) + 1})`;

/** A compile of a rank, as a link into that rank's report. */
export function RankCompile({ rank, id }: { rank: number; id: string }) {
  const { ranks } = useStore().report;
  const dir = dirOf(ranks, rank);
  if (dir === null) return <span class="mono">{id}</span>;
  return (
    <a class="mono" href={toRankCompile(dir, id)} title={`${id} of rank ${rank}`}>
      {id}
    </a>
  );
}

export function toRankCompile(dir: string, id: string): string {
  return toRank(dir, address(["c", id]));
}

/** A place of a rank's page; the report itself keeps its own page. */
export function toRank(dir: string, hash = "#/"): string {
  return rankUrl(dir, hash);
}

export interface DiffPlace {
  a: string;
  b: string;
  id?: string | null;
  /** of b, where it is another one */
  idb?: string | null;
  name?: string | null;
}

export function toDiff({ a, b, id, idb, name }: DiffPlace): string {
  // An empty dir (the report itself) would be left out of the address.
  return address(["ranks", "diff"], { a: a || ".", b: b || ".", id, idb: idb === id ? null : idb, name });
}

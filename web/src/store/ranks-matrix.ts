// The compile matrix, ranks by compile ids: its rows and cells.
import { type Rank, rankName, type RanksPart } from "./ranks";
import type { Status } from "./report";

export type CellKind = Status | "absent";
const KINDS: Record<string, CellKind> = {
  o: "ok",
  r: "restart",
  x: "error",
  e: "empty",
  "?": "missing",
  ".": "absent",
};

export interface MatrixRow {
  /** more than one where equal rows are one */
  ranks: Rank[];
  status: string;
  /** the longest of these ranks */
  times: readonly (number | null)[];
  /** the shortest of these ranks; absent where there is only one */
  shortest?: readonly (number | null)[];
  /** ids under which another function was compiled than on the first rank that has them */
  others: ReadonlyMap<number, string>;
}

export function kindOf(row: MatrixRow, column: number): CellKind {
  return KINDS[row.status[column] ?? "."] ?? "missing";
}

/** A row for each log that was read; with `merge` one for all ranks whose compiles ended alike, the most frequent first. */
export function matrixRows(part: RanksPart, merge: boolean): MatrixRow[] {
  const byDir = new Map((part.ranks ?? []).map((rank) => [rank.dir, rank]));
  const rows: MatrixRow[] = [];
  const frames = part.matrix?.frames ?? [];
  for (const row of part.matrix?.rows ?? []) {
    const rank = byDir.get(row.dir);
    if (rank && rank.status !== "bad")
      rows.push({
        ranks: [rank],
        status: row.status,
        times: row.time_us,
        others: new Map((row.other ?? []).map(([column, frame]) => [column, frames[frame] ?? ""])),
      });
  }
  if (!merge) return rows;
  const groups = new Map<string, MatrixRow[]>();
  for (const row of rows) {
    const key =
      row.ranks[0]!.rank === null || row.ranks[0]!.older
        ? row.ranks[0]!.dir
        : `${row.status} ${[...row.others].join(" ")}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => ({
      ranks: group.map((row) => row.ranks[0]!),
      status: group[0]!.status,
      others: group[0]!.others,
      times: group[0]!.times.map((_, i) => extreme(group, i, Math.max)),
      ...(group.length > 1 && { shortest: group[0]!.times.map((_, i) => extreme(group, i, Math.min)) }),
    }));
}

function extreme(group: readonly MatrixRow[], column: number, of: (a: number, b: number) => number): number | null {
  let found: number | null = null;
  for (const row of group) {
    const time = row.times[column];
    if (time != null) found = found === null ? time : of(found, time);
  }
  return found;
}

/** `dir`: of the rank, which may be one of several of its row */
export type FoundRow = { row: number; dir: string } | { none: string };

/** The row of a rank: "517", "rank 517", or a part of the name of a log without a rank; else why there is none. */
export function findRow(part: RanksPart, rows: readonly MatrixRow[], text: string): FoundRow {
  const wanted = text.trim().replace(/^ranks?\s*/i, "");
  const number = /^\d+$/.test(wanted) ? Number(wanted) : null;
  const fits = (rank: Rank): boolean =>
    rank.rank === null
      ? wanted !== "" && rankName(rank).toLowerCase().includes(wanted.toLowerCase())
      : rank.rank === number;
  for (const [row, { ranks }] of rows.entries()) {
    const rank = ranks.find(fits);
    if (rank) return { row, dir: rank.dir };
  }
  if (number !== null && part.missing_ranks?.includes(number)) return { none: `rank ${number} has no log` };
  if (number !== null && part.ranks?.some((rank) => rank.rank === number && rank.status === "bad"))
    return { none: `the log of rank ${number} cannot be read` };
  return { none: `no rank ${number ?? wanted}` };
}

/** The most frequent kind of each column. */
export function usualKinds(rows: readonly MatrixRow[], columns: number): CellKind[] {
  return Array.from({ length: columns }, (_, column) => {
    const counts = new Map<CellKind, number>();
    for (const row of rows) {
      const kind = kindOf(row, column);
      counts.set(kind, (counts.get(kind) ?? 0) + row.ranks.length);
    }
    return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ["absent", 0] as [CellKind, number])[0];
  });
}

/** What stands for several rows where they are too low to see: what differs from most ranks, a failure before all else. */
export function kindOfRows(
  rows: readonly MatrixRow[],
  from: number,
  to: number,
  column: number,
  usual: CellKind,
): CellKind {
  let found = usual;
  for (let r = from; r < to; r++) {
    const kind = kindOf(rows[r]!, column);
    if (kind === "error") return kind;
    if (kind !== usual) found = kind;
  }
  return found;
}

/** The longest time of a column in several rows; null: none has it. */
export function timeOfRows(rows: readonly MatrixRow[], from: number, to: number, column: number): number | null {
  return extreme(rows.slice(from, to), column, Math.max);
}

/** The share of the longest time on a log scale: compiles take milliseconds or minutes. */
export function timeShare(us: number | null | undefined, longestUs: number): number {
  if (us == null || us <= 0 || longestUs <= 0) return 0;
  const [low, high] = [Math.log10(1000), Math.log10(Math.max(longestUs, 1001))];
  return Math.max(0, Math.min(1, (Math.log10(us) - low) / (high - low)));
}

/** The function of a compile and the number of the compile, which ids of several ranks have in common. */
export function slotNames(part: RanksPart): (rank: number, id: string) => string | null {
  const { ids = [], frames = [], id_frames = [], rows = [] } = part.matrix ?? {};
  const columns = new Map(ids.map((id, column) => [id, column]));
  const byRank = new Map<number, Map<number, number>>();
  const rowOf = new Map(rows.map((row) => [row.dir, row]));
  for (const rank of part.ranks ?? []) {
    if (rank.rank !== null && rank.compared) byRank.set(rank.rank, new Map(rowOf.get(rank.dir)?.other ?? []));
  }
  return (rank, id) => {
    const column = columns.get(id);
    const others = byRank.get(rank);
    if (column === undefined || !others) return null;
    const frame = frames[others.get(column) ?? id_frames[column] ?? -1];
    return frame ? `${frame} ${id.replace(/^.*\//, "/").replace(/#\d+$/, "")}` : null;
  };
}

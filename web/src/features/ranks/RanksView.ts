// What the compile matrix says, and where in it the reader is. Pure, and in the bundle of what is drawn: no first view needs it.
import { count, time } from "../../lib/text";
import { ranges, rankName } from "../../store/ranks";
import { kindOf, type CellKind, type MatrixRow } from "../../store/ranks-matrix";

export const SIGNS: Record<CellKind, string> = {
  ok: "✓",
  restart: "↻",
  error: "✕",
  empty: "○",
  missing: "?",
  absent: "",
};

/** A selected cell: the rank and not its row, since rows change when equal ones are merged. */
export interface Picked {
  dir: string;
  column: number;
}

export const bound = (n: number, length: number): number => Math.max(0, Math.min(length - 1, n));

/** A size in the address; null: there is none. */
export function sizeOf(text: string | undefined): number | null {
  const size = Number(text ?? NaN);
  return Number.isFinite(size) && size >= 0 ? size : null;
}

/** "rank_517,0/1" in the address. */
export function pickedOf(text: string | undefined, ids: readonly string[]): Picked | null {
  const comma = text?.lastIndexOf(",") ?? -1;
  const column = comma < 0 ? -1 : ids.indexOf(text!.slice(comma + 1));
  return column < 0 ? null : { dir: text!.slice(0, comma), column };
}

export function middleOf(scroll: number, room: number, cell: number, length: number): number {
  return bound(Math.floor((scroll + Math.min(room, length * cell) / 2) / cell), length);
}

/** The first row or column in view, and the one after the last; a sliver does not count. */
export function viewOf(scroll: number, room: number, cell: number, length: number): [number, number] {
  const first = bound(Math.floor(scroll / cell + 0.2), length);
  return [first, Math.max(first + 1, Math.min(length, Math.ceil((scroll + room) / cell - 0.2)))];
}

/** How many columns are cut off on the left and on the right. */
export function cutOff(scroll: number, room: number, cell: number, length: number): [number, number] {
  return [Math.max(0, Math.ceil(scroll / cell - 0.1)), Math.max(0, length - Math.floor((scroll + room) / cell + 0.1))];
}

export function viewText(
  names: readonly string[],
  ids: readonly string[],
  { rows, columns }: { rows: [number, number]; columns: [number, number] },
): string {
  const part = (all: readonly string[], [from, to]: [number, number]): string =>
    to - from >= all.length
      ? ""
      : `${to - from > 1 ? `${all[from]!.replace(/^rank /, "ranks ")} to ${all[to - 1]!.replace(/^rank /, "")}` : all[from]} of ${count(all.length)}`;
  const some = part(ids, columns);
  const shown = [part(names, rows), some && `${columns[1] - columns[0] > 1 ? "ids" : "id"} ${some}`];
  return shown.filter(Boolean).join(" · ");
}

export function tipPlace(at: { x: number; y: number }, size: { width: number; height: number }, box: HTMLElement) {
  const bounds = box.getBoundingClientRect();
  const tip = { x: at.x - bounds.left, y: at.y - bounds.top };
  const right = tip.x > size.width / 2;
  const low = tip.y > size.height - 60;
  return {
    left: `${box.offsetLeft + tip.x + (right ? -12 : 14)}px`,
    top: `${box.offsetTop + tip.y + (low ? -12 : 14)}px`,
    transform: `translate(${right ? "-100%" : "0"}, ${low ? "-100%" : "0"})`,
  };
}

export const rowRanks = (row: MatrixRow, limit: number): string =>
  ranges(
    row.ranks.map((rank) => rank.rank ?? -1),
    limit,
  );

export function describe(
  row: MatrixRow,
  id: string,
  column: number,
  usual: string,
  words: Record<CellKind, string>,
): string {
  const kind = kindOf(row, column);
  const who = row.ranks.length === 1 ? rankName(row.ranks[0]!) : `ranks ${rowRanks(row, 6)}`;
  if (kind === "absent") return `${who} · ${id} · ${words.absent}`;
  const [least, most] = [time(row.shortest?.[column] ?? row.times[column]), time(row.times[column])];
  const took = least === most ? most : `${least} to ${most}`;
  const other = row.others.get(column);
  return `${who} · ${id} · ${SIGNS[kind]} ${words[kind]} · ${took}${other !== undefined ? ` · ≠ ${other}` : usual ? ` · ${usual}` : ""}`;
}

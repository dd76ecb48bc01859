// Two texts as rows to be shown: what is equal far from any difference is folded, and what differs lies beside its counterpart.
import { diff, numbering, type Hunk } from "./diff";
import { tokens, withoutNoise, withoutNumbers } from "./diff-noise";

export interface Options {
  /** differences of noise count as well */
  noise: boolean;
  /** the order of lines does not count */
  sorted: boolean;
  /** numbers at the end of names, and of lines, do not count */
  loose?: boolean;
}

/** What two lines are compared by. */
function plain(text: string, options: Options): string {
  const quiet = options.noise ? text : withoutNoise(text);
  return options.loose ? withoutNumbers(quiet) : quiet;
}

export interface LineDiff {
  a: readonly string[];
  b: readonly string[];
  hunks: Hunk[];
  coarse: boolean;
  added: number;
  removed: number;
  /** lines that are equal only without their noise */
  noisy: number;
}

const LIMIT = 300_000; // lines of one side; more is cut and said

export function lineDiff(left: string, right: string, options: Options, budgetMs?: number): LineDiff {
  const [a, b] = [linesOf(left, options), linesOf(right, options)];
  const number = numbering();
  const keyed = (lines: readonly string[]) => number(options.noise && !options.loose ? lines : lines.map((line) => plain(line, options)));
  const { hunks, coarse } = diff(keyed(a), keyed(b), budgetMs);
  let [added, removed, noisy] = [0, 0, 0];
  for (const hunk of hunks) {
    if (!hunk.same) {
      removed += hunk.aEnd - hunk.a;
      added += hunk.bEnd - hunk.b;
    } else if (!options.noise || options.loose) for (let i = hunk.a; i < hunk.aEnd; i++) if (a[i] !== b[hunk.b + i - hunk.a]) noisy++;
  }
  return { a, b, hunks, coarse, added, removed, noisy };
}

function linesOf(text: string, options: Options): string[] {
  const lines = text.split("\n", LIMIT + 1);
  if (lines[lines.length - 1] === "") lines.pop();
  if (!options.sorted) return lines;
  const keyed = lines.map((line) => [plain(line, options), line] as const);
  return keyed.sort(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0)).map(([, line]) => line);
}

export interface DiffRow {
  kind: "same" | "removed" | "added" | "changed" | "fold";
  /** lines from 0; -1: none on this side */
  a: number;
  b: number;
  /** of a fold: how many lines, and its place among the hunks */
  count?: number;
  hunk?: number;
  /** of a line that was removed or added: its counterpart on the other side */
  other?: number;
}

const AROUND = 3;
const SHOWN = 2000; // lines of two texts without a difference, shown all the same

/** `sides`: what is removed and what is added in its place share rows. `open` are folds that the reader opened. */
export function rowsOf(found: LineDiff, sides: boolean, open: ReadonlySet<number>): DiffRow[] {
  const rows: DiffRow[] = [];
  found.hunks.forEach((hunk, h) => {
    if (hunk.same) sameRows(rows, hunk, h, found.hunks.length, open.has(h));
    else if (sides) {
      const length = Math.max(hunk.aEnd - hunk.a, hunk.bEnd - hunk.b);
      for (let i = 0; i < length; i++) {
        const a = hunk.a + i < hunk.aEnd ? hunk.a + i : -1;
        const b = hunk.b + i < hunk.bEnd ? hunk.b + i : -1;
        rows.push({ kind: a < 0 ? "added" : b < 0 ? "removed" : "changed", a, b });
      }
    } else {
      for (let i = hunk.a; i < hunk.aEnd; i++) rows.push({ kind: "removed", a: i, b: -1, ...partner(hunk.b + i - hunk.a, hunk.bEnd) });
      for (let i = hunk.b; i < hunk.bEnd; i++) rows.push({ kind: "added", a: -1, b: i, ...partner(hunk.a + i - hunk.b, hunk.aEnd) });
    }
  });
  return rows;
}

const partner = (place: number, end: number): { other?: number } => (place < end ? { other: place } : {});

function sameRows(rows: DiffRow[], hunk: Hunk, place: number, count: number, open: boolean): void {
  const length = hunk.aEnd - hunk.a;
  const head = place === 0 ? 0 : AROUND;
  const tail = place === count - 1 ? 0 : AROUND;
  const add = (from: number, to: number) => {
    for (let i = from; i < to; i++) rows.push({ kind: "same", a: hunk.a + i, b: hunk.b + i });
  };
  if (open || (count === 1 && length < SHOWN) || length <= head + tail + 2) return add(0, length);
  add(0, head);
  rows.push({ kind: "fold", a: hunk.a + head, b: hunk.b + head, count: length - head - tail, hunk: place });
  add(length - tail, length);
}

export interface Piece {
  text: string;
  on: boolean;
}

const PIECE_LIMIT = 2000;

/** A line and its counterpart in pieces, those that differ marked. Noise is not marked when it does not count. */
export function pieces(left: string, right: string, options: Options, limit = PIECE_LIMIT): { a: Piece[]; b: Piece[] } {
  if (left.length > limit || right.length > limit) return { a: [{ text: left, on: false }], b: [{ text: right, on: false }] };
  const [a, b] = [tokens(left), tokens(right)];
  const number = numbering();
  const keyed = (items: readonly string[]) => number(items.map((item) => plain(item, options)));
  const out = { a: [] as Piece[], b: [] as Piece[] };
  for (const hunk of diff(keyed(a), keyed(b), 20).hunks) {
    if (hunk.aEnd > hunk.a) out.a.push({ text: a.slice(hunk.a, hunk.aEnd).join(""), on: !hunk.same });
    if (hunk.bEnd > hunk.b) out.b.push({ text: b.slice(hunk.b, hunk.bEnd).join(""), on: !hunk.same });
  }
  return out;
}

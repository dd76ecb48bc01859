// Two texts as rows to be shown: what is equal far from any difference is folded, and what differs is next to its counterpart.
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
  const keyed = (lines: readonly string[]) =>
    number(options.noise && !options.loose ? lines : lines.map((line) => plain(line, options)));
  const { hunks, coarse } = diff(keyed(a), keyed(b), budgetMs);
  let [added, removed, noisy] = [0, 0, 0];
  for (const hunk of hunks) {
    if (!hunk.same) {
      removed += hunk.aEnd - hunk.a;
      added += hunk.bEnd - hunk.b;
    } else if (!options.noise || options.loose)
      for (let i = hunk.a; i < hunk.aEnd; i++) if (a[i] !== b[hunk.b + i - hunk.a]) noisy++;
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
    else {
      const pairs = partners(found, hunk);
      if (sides) for (const [a, b] of pairs) rows.push({ kind: a < 0 ? "added" : b < 0 ? "removed" : "changed", a, b });
      else {
        for (const [a, b] of pairs) if (a >= 0) rows.push({ kind: "removed", a, b: -1, ...(b >= 0 && { other: b }) });
        for (const [a, b] of pairs) if (b >= 0) rows.push({ kind: "added", a: -1, b, ...(a >= 0 && { other: a }) });
      }
    }
  });
  return rows;
}

const FEW = 60; // lines of one side of a hunk that are paired by their names

/** Which removed line answers to which added one: as many of both one after the other; else those that give the same name a value, and the others by themselves. */
function partners(found: LineDiff, hunk: Hunk): [number, number][] {
  const [n, m] = [hunk.aEnd - hunk.a, hunk.bEnd - hunk.b];
  const pairs: [number, number][] = [];
  if (n === m || n === 0 || m === 0 || n > FEW || m > FEW) {
    for (let i = 0; i < Math.max(n, m); i++) pairs.push([i < n ? hunk.a + i : -1, i < m ? hunk.b + i : -1]);
    return pairs;
  }
  const a = found.a.slice(hunk.a, hunk.aEnd).map(nameOf);
  const b = found.b.slice(hunk.b, hunk.bEnd).map(nameOf);
  if (!a.some((name) => name && b.includes(name))) {
    for (let i = 0; i < Math.max(n, m); i++) pairs.push([i < n ? hunk.a + i : -1, i < m ? hunk.b + i : -1]);
    return pairs;
  }
  // The longest run of equal names, from the end.
  const best = Array.from({ length: n + 1 }, () => new Int32Array(m + 1));
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      best[i]![j] = a[i] && a[i] === b[j] ? best[i + 1]![j + 1]! + 1 : Math.max(best[i + 1]![j]!, best[i]![j + 1]!);
  for (let i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[i] && a[i] === b[j]) pairs.push([hunk.a + i++, hunk.b + j++]);
    else if (j === m || (i < n && best[i + 1]![j]! >= best[i]![j + 1]!)) pairs.push([hunk.a + i++, -1]);
    else pairs.push([-1, hunk.b + j++]);
  }
  return pairs;
}

/** The first word of a line: "mul_1" of "    mul_1: f32[4] = …". */
const nameOf = (line: string): string => /^[\s|+-]*([\w.]{1,200})/.exec(line)?.[1] ?? "";

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
  /** letters that are equal on both sides and left out here */
  cut?: number;
}

const PIECE_LIMIT = 2000;

/** What is at the same position of both lines: equal, or not. */
interface Segment {
  a: string;
  b: string;
  on: boolean;
}

/** Equal ends are split off at once, and the middle is compared word by word up to `limit` letters. Noise is equal when it does not count. */
function segments(left: string, right: string, options: Options, limit: number): Segment[] {
  const head = commonHead(left, right);
  const tail = commonTail(left, right, head);
  const [one, other] = [left.slice(head, left.length - tail), right.slice(head, right.length - tail)];
  const out: Segment[] = [];
  const add = (a: string, b: string, on: boolean) => {
    const last = out[out.length - 1];
    if (last && last.on === on) [last.a, last.b] = [last.a + a, last.b + b];
    else if (a || b) out.push({ a, b, on });
  };
  add(left.slice(0, head), right.slice(0, head), false);
  if (one.length > limit || other.length > limit) add(one, other, true);
  else {
    const [a, b] = [tokens(one), tokens(other)];
    const number = numbering();
    const keyed = (items: readonly string[]) => number(items.map((item) => plain(item, options)));
    for (const hunk of diff(keyed(a), keyed(b), 20).hunks)
      add(a.slice(hunk.a, hunk.aEnd).join(""), b.slice(hunk.b, hunk.bEnd).join(""), !hunk.same);
  }
  add(left.slice(left.length - tail), right.slice(right.length - tail), false);
  return out;
}

/** One side of the segments, where what is equal is left out but for `around` letters next to each change. */
function side(list: readonly Segment[], of: (segment: Segment) => string, around = Infinity): Piece[] {
  const out: Piece[] = [];
  list.forEach((segment, i) => {
    const text = of(segment);
    const [head, tail] = [i === 0 ? 0 : around, i === list.length - 1 ? 0 : around];
    const shortest = Math.min(segment.a.length, segment.b.length); // both sides leave out the same
    if (segment.on || list.length < 2 || shortest - head - tail <= LEAST_CUT) {
      if (text) out.push({ text, on: segment.on });
      return;
    }
    if (head) out.push({ text: text.slice(0, head), on: false });
    out.push({ text: "…", on: false, cut: text.length - head - tail });
    if (tail) out.push({ text: text.slice(-tail), on: false });
  });
  return out;
}

const LEAST_CUT = 4;
const AROUND_CHANGE = [120, 90, 70, 55, 40, 30, 22, 16, 12, 8];

/** A line and its counterpart in pieces, those that differ marked. */
export function pieces(left: string, right: string, options: Options, limit = PIECE_LIMIT): { a: Piece[]; b: Piece[] } {
  const list = segments(left, right, options, limit);
  return { a: side(list, (segment) => segment.a), b: side(list, (segment) => segment.b) };
}

/** The same for lines that are longer than `letters`: as much of what is equal as there is room for, but never so much that a change is out of view. */
export function elided(left: string, right: string, options: Options, letters: number): { a: Piece[]; b: Piece[] } {
  const list = segments(left, right, options, PIECE_LIMIT);
  const fits = (pieces: readonly Piece[]) =>
    pieces.reduce((n, piece) => n + piece.text.length + (piece.cut ? 2 : 0), 0) <= letters;
  const both = (around: number) => ({
    a: side(list, (segment) => segment.a, around),
    b: side(list, (segment) => segment.b, around),
  });
  if (Math.max(left.length, right.length) <= letters) return both(Infinity);
  const around =
    AROUND_CHANGE.find((n) => fits(both(n).a) && fits(both(n).b)) ?? AROUND_CHANGE[AROUND_CHANGE.length - 1]!;
  return both(around);
}

const BOUND = /[^\p{L}\p{N}\p{Cs}_./:-]/u; // never within a word, a path, an address, or a letter of two units

/** How many letters at the start are equal, up to the end of a word. */
function commonHead(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  if (n === a.length && n === b.length) return n;
  while (n > 0 && !BOUND.test(a[n - 1]!)) n--;
  return n;
}

function commonTail(a: string, b: string, head: number): number {
  const most = Math.min(a.length, b.length) - head;
  let n = 0;
  while (n < most && a.charCodeAt(a.length - 1 - n) === b.charCodeAt(b.length - 1 - n)) n++;
  while (n > 0 && !BOUND.test(a[a.length - n]!)) n--;
  return n;
}

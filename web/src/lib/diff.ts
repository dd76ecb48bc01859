// A difference of two sequences of numbers, where equal numbers mean equal things. Common ends are cut, what occurs once on both sides parts the rest,
// and Myers' algorithm does what is left, as long as there is time: two texts of megabytes without likeness must not hang the page.

/** A stretch: equal (`same`), or what is only left and what is only right in its place. */
export interface Hunk {
  same: boolean;
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

export interface Diff {
  hunks: Hunk[];
  /** time ran out: some regions are shown as fully changed although lines in them are equal */
  coarse: boolean;
}

const SMALL = 1000;

type Pair = readonly [a: number, b: number];

export function diff(a: Int32Array, b: Int32Array, budgetMs = 1200): Diff {
  const until = performance.now() + budgetMs;
  const state = { a, b, until, coarse: false, out: [] as Hunk[] };
  split(state, 0, a.length, 0, b.length);
  return { hunks: joined(state.out), coarse: state.coarse };
}

interface State {
  a: Int32Array;
  b: Int32Array;
  until: number;
  coarse: boolean;
  out: Hunk[];
}

function emit(state: State, same: boolean, a: number, aEnd: number, b: number, bEnd: number): void {
  if (a < aEnd || b < bEnd) state.out.push({ same, a, aEnd, b, bEnd });
}

function split(state: State, a0: number, a1: number, b0: number, b1: number): void {
  const { a, b } = state;
  let head = 0;
  while (a0 + head < a1 && b0 + head < b1 && a[a0 + head] === b[b0 + head]) head++;
  emit(state, true, a0, a0 + head, b0, b0 + head);
  a0 += head;
  b0 += head;
  let tail = 0;
  while (a1 - tail > a0 && b1 - tail > b0 && a[a1 - tail - 1] === b[b1 - tail - 1]) tail++;
  a1 -= tail;
  b1 -= tail;
  if (a0 === a1 || b0 === b1) emit(state, false, a0, a1, b0, b1);
  else if (performance.now() > state.until) {
    state.coarse = true;
    emit(state, false, a0, a1, b0, b1);
  } else {
    const anchors = a1 - a0 + b1 - b0 > SMALL ? unique(a, b, a0, a1, b0, b1) : []; // short ones get the shortest difference
    if (anchors.length) {
      let [fromA, fromB] = [a0, b0];
      for (const [atA, atB] of anchors) {
        split(state, fromA, atA, fromB, atB);
        emit(state, true, atA, atA + 1, atB, atB + 1);
        [fromA, fromB] = [atA + 1, atB + 1];
      }
      split(state, fromA, a1, fromB, b1);
    } else myers(state, a0, a1, b0, b1);
  }
  emit(state, true, a1, a1 + tail, b1, b1 + tail);
}

/** What occurs once on either side, in the longest run of pairs that have the same order on both. */
function unique(a: Int32Array, b: Int32Array, a0: number, a1: number, b0: number, b1: number): Pair[] {
  const seen = new Map<number, { inA: number; inB: number; at: number }>();
  for (let i = a0; i < a1; i++) {
    const entry = seen.get(a[i]!);
    if (entry) entry.inA++;
    else seen.set(a[i]!, { inA: 1, inB: 0, at: i });
  }
  const place = new Map<number, number>();
  for (let j = b0; j < b1; j++) {
    const entry = seen.get(b[j]!);
    if (!entry) continue;
    entry.inB++;
    place.set(b[j]!, j);
  }
  const pairs: Pair[] = [];
  for (const [value, entry] of seen) if (entry.inA === 1 && entry.inB === 1) pairs.push([entry.at, place.get(value)!]);
  return rising(pairs); // seen is in the order of a
}

function rising(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = []; // the pair that ends the best run of each length
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, b], i) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (pairs[ends[mid]!]![1] < b) low = mid + 1;
      else high = mid;
    }
    if (low) before[i] = ends[low - 1]!;
    ends[low] = i;
  });
  const run: Pair[] = [];
  for (let i = ends.length ? ends[ends.length - 1]! : -1; i >= 0; i = before[i]!) run.push(pairs[i]!);
  return run.reverse();
}

const STEPS = 2000; // differences that Myers may find in one stretch: its memory grows with their square

/** The shortest way from a to b, greedily; what it costs is the number of differences, squared. */
function myers(state: State, a0: number, a1: number, b0: number, b1: number): void {
  const { a, b } = state;
  const n = a1 - a0;
  const m = b1 - b0;
  const most = Math.min(n + m, STEPS);
  const v = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  const at = most + 1;
  let found = -1;
  for (let d = 0; d <= most && found < 0; d++) {
    if ((d & 31) === 31 && performance.now() > state.until) break;
    trace.push(v.slice(at - d - 1, at + d + 2));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && v[at + k - 1]! < v[at + k + 1]!) ? v[at + k + 1]! : v[at + k - 1]! + 1;
      while (x < n && x - k < m && a[a0 + x] === b[b0 + x - k]) x++;
      v[at + k] = x;
      if (x >= n && x - k >= m) {
        found = d;
        break;
      }
    }
  }
  if (found < 0) {
    state.coarse = true;
    emit(state, false, a0, a1, b0, b1);
    return;
  }
  const back: Hunk[] = [];
  let x = n;
  let y = m;
  for (let d = found; d >= 0; d--) {
    const row = trace[d]!; // v before step d; k is at d + 1 + k
    const k = x - y;
    const down = k === -d || (k !== d && row[d + k]! < row[d + 2 + k]!);
    const fromX = d === 0 ? 0 : down ? row[d + 2 + k]! : row[d + k]!;
    const fromY = d === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    const startX = d === 0 ? 0 : down ? fromX : fromX + 1;
    const startY = d === 0 ? 0 : down ? fromY + 1 : fromY;
    if (x > startX) back.push({ same: true, a: a0 + startX, aEnd: a0 + x, b: b0 + startY, bEnd: b0 + y });
    if (d > 0) back.push({ same: false, a: a0 + fromX, aEnd: a0 + startX, b: b0 + fromY, bEnd: b0 + startY });
    x = fromX;
    y = fromY;
  }
  state.out.push(...back.reverse());
}

/** Neighbours of one sort become one hunk. */
function joined(hunks: readonly Hunk[]): Hunk[] {
  const out: Hunk[] = [];
  for (const hunk of hunks) {
    const last = out[out.length - 1];
    if (last && last.same === hunk.same) {
      last.aEnd = hunk.aEnd;
      last.bEnd = hunk.bEnd;
    } else out.push({ ...hunk });
  }
  return out;
}

/** Equal texts get equal numbers, over all lists that are given to the same function. */
export function numbering(): (items: readonly string[]) => Int32Array {
  const known = new Map<string, number>();
  return (items) =>
    Int32Array.from(items, (item) => {
      let n = known.get(item);
      if (n === undefined) known.set(item, (n = known.size));
      return n;
    });
}

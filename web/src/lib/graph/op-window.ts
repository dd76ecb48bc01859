// Matches nodes of two ranges without unique ones: a longest common subsequence, in windows.

/** Nodes that are matched at once. */
const WINDOW = 1024;

interface Range {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

type Matched = (a: number, b: number) => void;

/** Matches many nodes of a range in order: of a large one in windows, of which only the first half counts. `work`: the steps
 * that are left; returns how many are left then. */
export function matchWindows(a: Float64Array, b: Float64Array, range: Range, work: number, matched: Matched): number {
  const left = { ...range };
  while (left.a < left.aEnd && left.b < left.bEnd) {
    const window = {
      ...left,
      aEnd: Math.min(left.a + WINDOW, left.aEnd),
      bEnd: Math.min(left.b + WINDOW, left.bEnd),
    };
    const last = window.aEnd === left.aEnd && window.bEnd === left.bEnd;
    const steps = ((window.aEnd - window.a) * (window.bEnd - window.b)) >> 3;
    if (work < steps) break;
    work -= steps;
    const next = walk(a, b, window, last ? left.aEnd : left.a + WINDOW / 2, matched);
    if (last) break;
    left.a = next.a > left.a ? next.a : left.a + WINDOW / 2;
    left.b = next.b > left.b ? next.b : left.b + WINDOW / 2;
  }
  return work;
}

/** Matches those before `stop` in a. Returns what follows the last one in the range, or zeros. */
function walk(a: Float64Array, b: Float64Array, window: Range, stop: number, matched: Matched) {
  const most = longest(a, b, window);
  const next = { a: 0, b: 0 };
  for (let i = window.a, j = window.b; most && i < window.aEnd && j < window.bEnd && i < stop;) {
    if (a[i] === b[j]) {
      matched(i++, j++);
      [next.a, next.b] = [i, j];
    } else if (most(i + 1, j) >= most(i, j + 1)) i++;
    else j++;
  }
  return next;
}

/** How many nodes can be matched from two places on; null: none in the window. Nodes that the other part does not have are
 * left out of the table: they change no number. */
function longest(a: Float64Array, b: Float64Array, window: Range): ((i: number, j: number) => number) | null {
  const inB = new Set(b.subarray(window.b, window.bEnd));
  const [keysA, from] = common(a, window.a, window.aEnd, inB);
  if (!keysA.length) return null;
  const [keysB, to] = common(b, window.b, window.bEnd, new Set(keysA));
  const width = keysB.length + 1;
  const most = new Uint16Array((keysA.length + 1) * width);
  for (let i = keysA.length - 1; i >= 0; i--)
    for (let j = keysB.length - 1, at = i * width + j; j >= 0; j--, at--)
      most[at] = keysA[i] === keysB[j] ? most[at + width + 1]! + 1 : Math.max(most[at + width]!, most[at + 1]!);
  return (i, j) => most[from[i - window.a]! * width + to[j - window.b]!]!;
}

/** The keys of a part that are among the others, and for each place how many of them are before it. */
function common(keys: Float64Array, from: number, end: number, others: ReadonlySet<number>) {
  const kept: number[] = [];
  const before = new Uint16Array(end - from + 1);
  for (let i = from; i < end; i++) {
    before[i - from] = kept.length;
    if (others.has(keys[i]!)) kept.push(keys[i]!);
  }
  before[end - from] = kept.length;
  return [Float64Array.from(kept), before] as const;
}

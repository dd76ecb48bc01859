import type { LineDiff } from "./diff-lines";

const AROUND = 3;

/** The difference as a patch that `patch` and `git apply` take. */
export function patchOf(found: LineDiff, names: readonly [string, string]): string {
  const out = [`--- ${names[0]}`, `+++ ${names[1]}`];
  const { hunks, a, b } = found;
  for (let first = 0; first < hunks.length; first++) {
    if (hunks[first]!.same) continue;
    let last = first;
    for (let h = first + 1; h < hunks.length; h++) {
      const hunk = hunks[h]!;
      if (!hunk.same) last = h;
      else if (hunk.aEnd - hunk.a > 2 * AROUND) break;
    }
    const before = Math.min(AROUND, first > 0 ? hunks[first - 1]!.aEnd - hunks[first - 1]!.a : 0);
    const after = Math.min(AROUND, last + 1 < hunks.length ? hunks[last + 1]!.aEnd - hunks[last + 1]!.a : 0);
    const [fromA, fromB] = [hunks[first]!.a - before, hunks[first]!.b - before];
    const [toA, toB] = [hunks[last]!.aEnd + after, hunks[last]!.bEnd + after];
    out.push(`@@ -${range(fromA, toA)} +${range(fromB, toB)} @@`);
    for (let i = fromA; i < hunks[first]!.a; i++) out.push(` ${a[i]}`);
    for (let h = first; h <= last; h++) {
      const hunk = hunks[h]!;
      for (let i = hunk.a; i < hunk.aEnd; i++) out.push(`${hunk.same ? " " : "-"}${a[i]}`);
      if (!hunk.same) for (let i = hunk.b; i < hunk.bEnd; i++) out.push(`+${b[i]}`);
    }
    for (let i = hunks[last]!.aEnd; i < toA; i++) out.push(` ${a[i]}`);
    first = last;
  }
  return `${out.join("\n")}\n`;
}

const range = (from: number, to: number): string =>
  to - from === 0 ? `${from},0` : to - from === 1 ? `${from + 1}` : `${from + 1},${to - from}`;

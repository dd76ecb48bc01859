import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { diff, numbering, type Hunk } from "../src/lib/diff";
import { tokens, withoutNoise } from "../src/lib/diff-noise";
import { agreementText, ranges, ranksText, shortOp, shownId } from "../src/store/ranks";
import { align, judge } from "../src/store/ranks-align";

test("ranks are told as ranges, and stay a line", () => {
  expect(ranges([0, 1, 2, 3, 7])).toBe("0–3, 7");
  expect(ranges([1, 0])).toBe("0, 1");
  expect(ranges([5])).toBe("5");
  expect(ranges([])).toBe("");
  expect(
    ranges(
      Array.from({ length: 500 }, (_, i) => 2 * i),
      3,
    ),
  ).toBe("0, 2, 4, … and 497 more");
  expect(ranksText([4])).toBe("rank 4");
  expect(ranksText([4, 5, 6])).toBe("ranks 4–6");
});

test("names of collectives lose what all have", () => {
  expect(shortOp("torch.ops._c10d_functional.all_reduce_.default")).toBe("all_reduce_");
  expect(shortOp("mine.all_reduce")).toBe("mine.all_reduce");
  expect(shownId('{"compile_id":null}')).toBe(null);
  expect(shownId("2/0")).toBe("2/0");
});

test("noise is what src/base/noise.c calls noise", () => {
  expect(withoutNoise("at 0x7f12ab id 140439264606080 on cuda:3 in /tmp/torch_x/ab.py:12, and 123456789")).toBe(
    "at 0x id # on cuda: in /tmp/…:12, and 123456789",
  );
  expect(withoutNoise("Guard latency = 161.84 us")).toBe("Guard latency =  us");
  expect(withoutNoise("    setup_fake_process_groups({'0': {'size': 4, 'rank': 1}})")).toBe(
    "    setup_fake_process_groups({'0': {'size': 4, 'rank': }})",
  );
  expect(withoutNoise("xpu:1 npu:2 hpu:7 cpu:0")).toBe("xpu: npu: hpu: cpu:0");
  expect(withoutNoise("(/tmp/a b)")).toBe("(/tmp/… b)");
  expect(withoutNoise("a0x12 1e0x3")).toBe("a0x 1e0x");
  expect(withoutNoise("1230x45")).toBe("1230x45"); // digits are read as far as they go
  expect(tokens('x = foo(0x12, "/tmp/a/b") ')).toEqual([
    "x",
    " ",
    "=",
    " ",
    "foo",
    "(",
    "0x12",
    ",",
    " ",
    '"',
    "/tmp/a/b",
    '"',
    ")",
    " ",
  ]);
});

const parts = (hunks: readonly Hunk[]) =>
  hunks.map((hunk) => `${hunk.same ? "=" : "!"}${hunk.a}-${hunk.aEnd}/${hunk.b}-${hunk.bEnd}`);
const of = (a: string, b: string, budget?: number) => {
  const number = numbering();
  return diff(number([...a]), number([...b]), budget);
};

test("the difference of two sequences", () => {
  expect(parts(of("abc", "abc").hunks)).toEqual(["=0-3/0-3"]);
  expect(parts(of("", "").hunks)).toEqual([]);
  expect(parts(of("", "ab").hunks)).toEqual(["!0-0/0-2"]);
  expect(parts(of("abcd", "axcd").hunks)).toEqual(["=0-1/0-1", "!1-2/1-2", "=2-4/2-4"]);
  expect(parts(of("aabb", "abab").hunks).length).toBeGreaterThan(1);
});

/** Whatever way it took: the hunks cover both sides in order, what is called equal is equal, and no less is found than there is. */
test("differences of any sequences are sound and short", () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % n;
  for (let round = 0; round < 300; round++) {
    const a = Int32Array.from({ length: random(30) }, () => random(5));
    const b = Int32Array.from({ length: random(30) }, () => random(5));
    const { hunks, coarse } = diff(a, b);
    let [x, y, same] = [0, 0, 0];
    for (const hunk of hunks) {
      expect([hunk.a, hunk.b]).toEqual([x, y]);
      if (hunk.same) {
        expect([...a.slice(hunk.a, hunk.aEnd)]).toEqual([...b.slice(hunk.b, hunk.bEnd)]);
        same += hunk.aEnd - hunk.a;
      }
      [x, y] = [hunk.aEnd, hunk.bEnd];
    }
    expect([x, y, coarse]).toEqual([a.length, b.length, false]);
    expect(same).toBe(longest(a, b));
  }
});

function longest(a: Int32Array, b: Int32Array): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (let j = 0; j < b.length; j++) next.push(x === b[j] ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    row = next;
  }
  return row[b.length]!;
}

test("two large texts without likeness end in time, and say that they are told coarsely", () => {
  let seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % 50;
  const a = Int32Array.from({ length: 200_000 }, random);
  const b = Int32Array.from({ length: 200_000 }, random);
  const start = performance.now();
  const found = diff(a, b, 300);
  expect(performance.now() - start).toBeLessThan(3000);
  expect(found.coarse).toBe(true);
  const last = found.hunks[found.hunks.length - 1]!;
  expect([last.aEnd, last.bEnd]).toEqual([a.length, b.length]);
});

const [REDUCE, GATHER, WAIT] = ["all_reduce_", "all_gather", "wait"];

test("a collective that one group lacks is seen as missing", () => {
  const sequences = [
    [REDUCE, WAIT, GATHER, WAIT],
    [REDUCE, WAIT],
  ];
  const aligned = align(sequences);
  expect(aligned.rows.map((row) => row.at)).toEqual([
    [0, 0],
    [1, 1],
    [2, -1],
    [3, -1],
  ]);
  expect(judge(aligned, sequences).map((row) => row[1])).toEqual(["same", "same", "missing", "missing"]);
});

test("collectives in another order are seen as moved, those that only one has as extra", () => {
  const moved = [
    ["r", "w", "g", "x"],
    ["g", "x", "r", "w"],
  ];
  const cells = judge(align(moved), moved);
  expect(cells.flat()).toContain("moved");
  expect(cells.flat()).not.toContain("missing");
  expect(cells.flat()).not.toContain("extra");
  const extra = [
    ["r", "w"],
    ["r", "b", "w"],
    ["r", "b", "w"],
  ];
  const aligned = align(extra);
  expect(aligned.rows.map((row) => row.key)).toEqual(["r", "b", "w"]); // both groups' extra ones share a row
  expect(judge(aligned, extra)[1]).toEqual(["absent", "extra", "extra"]);
});

test("noise is what it is in C", () => {
  const rows = JSON.parse(readFileSync(new URL("../../tests/data/noise.json", import.meta.url), "utf8")) as [
    string,
    string,
  ][];
  expect(rows.length).toBeGreaterThan(5);
  for (const [text, plain] of rows) expect(withoutNoise(text)).toBe(plain);
});

test("ranks that fail alike have compiled nothing", () => {
  expect(
    agreementText([
      { compiles: 3, failed: 0 },
      { compiles: 3, failed: 0 },
    ]),
  ).toBe("2 ranks compiled the same functions in the same order.");
  expect(
    agreementText([
      { compiles: 3, failed: 3 },
      { compiles: 3, failed: 3 },
    ]),
  ).toBe("2 ranks tried to compile the same functions in the same order, and every compile failed.");
  expect(
    agreementText([
      { compiles: 3, failed: 1 },
      { compiles: 3, failed: 1 },
    ]),
  ).toBe("2 ranks compiled the same functions in the same order; 2 of 6 compiles failed.");
});

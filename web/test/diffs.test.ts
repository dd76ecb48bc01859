// Patches, numbers of names, partners of an artifact.
import { expect, test } from "vitest";
import { elided, lineDiff, pieces, rowsOf } from "../src/lib/diff-lines";
import { withoutNumbers } from "../src/lib/diff-noise";
import { pairArtifacts } from "../src/store/diff-pairs";
import { counterpartOf, parseRef, refText } from "../src/store/partners";
import { patchOf } from "../src/lib/patch";
import type { Artifact, Details } from "../src/store/report";

const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}`);
const strict = { noise: true, sorted: false };

test("a patch has its lines of context, and one part for changes that are near", () => {
  const a = lines(30);
  const b = a.slice();
  b[5] = "other";
  b.splice(9, 0, "new");
  b.splice(25, 1);
  const patch = patchOf(lineDiff(a.join("\n"), b.join("\n"), strict), ["a/x", "b/x"]);
  expect(patch.split("\n").filter((line) => line.startsWith("@@"))).toEqual(["@@ -3,10 +3,11 @@", "@@ -22,7 +23,6 @@"]);
  expect(patch).toContain("\n-line 5\n+other\n line 6\n");
});

test("a patch of something made of nothing begins at line 0", () => {
  expect(patchOf(lineDiff("", "x\ny", strict), ["a", "b"])).toBe("--- a\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+y\n");
});

test("numbers of names do not count when they shall not, those of types do", () => {
  expect(withoutNumbers("add_3: f32[4] = aten.add(arg0_1, buf17)")).toBe(
    withoutNumbers("add_4: f32[4] = aten.add(arg2_1, buf9)"),
  );
  expect(withoutNumbers("x: f32[4]")).not.toBe(withoutNumbers("x: f16[4]"));
  expect(withoutNumbers("__")).toBe("__");
  const loose = lineDiff("mul_1 = a_2 * 3", "mul_7 = a_9 * 3", { noise: false, sorted: false, loose: true });
  expect([loose.added, loose.noisy]).toEqual([0, 1]);
  // Were it to try each place anew, this would not end within the test's time.
  expect(withoutNumbers("_".repeat(300_000) + " " + "a_".repeat(200_000) + "x").length).toBeGreaterThan(600_000);
});

test("words are marked in one column as well", () => {
  const found = lineDiff("a\nx = f(1)\nb", "a\nx = g(1)\nb", strict);
  const rows = rowsOf(found, false, new Set()).filter((row) => row.kind !== "same");
  expect(rows).toEqual([
    { kind: "removed", a: 1, b: -1, other: 1 },
    { kind: "added", a: -1, b: 1, other: 1 },
  ]);
  expect(pieces("x = f(1)", "x = g(1)", strict).b.filter((piece) => piece.on)).toEqual([{ text: "g", on: true }]);
});

const artifact = (name: string, attempt: number): Artifact =>
  ({
    name,
    kind: "artifact",
    url: `${name}.txt`,
    bytes: 3,
    line: 1,
    number: null,
    attempt,
    suffix: "",
    readable_url: null,
    dir: "d",
    text: [0, 3],
    lang: "graph",
    subgraph: null,
  }) as Artifact;
const details = (...artifacts: Artifact[]) =>
  ({ artifacts, stages: [], passes: [], metrics: null, backward_metrics: null }) as Details;

test("artifacts of two compiles correspond by their slots", () => {
  const slots = (...names: (string | undefined)[]) =>
    details(...names.map((slot) => ({ ...artifact("x", 0), slot }) as Artifact));
  const own = slots("dynamo_output_graph (attempt 0)", "guards", "dynamo_output_graph", undefined);
  const other = slots("guards", "dynamo_output_graph", undefined);
  expect(own.artifacts.map((one) => counterpartOf(one, other))).toEqual([-1, 0, 1, -1]);
  expect(pairArtifacts(own, other).map(({ key, a, b }) => [key, a !== null, b !== null])).toEqual([
    ["dynamo_output_graph (attempt 0)", true, false],
    ["guards", true, true],
    ["dynamo_output_graph", true, true],
  ]);
  expect(parseRef(refText({ id: "!0/3/1", n: 4 }))).toEqual({ id: "!0/3/1", n: 4 });
  expect(parseRef("nothing")).toBeNull();
});

test("a long line is shown around its changes, and says what it leaves out", () => {
  const [a, b] = [
    `    x = f(${"same, ".repeat(60)}1, ${"more, ".repeat(60)}end)`,
    `    x = f(${"same, ".repeat(60)}2, ${"more, ".repeat(60)}end)`,
  ];
  const marked = pieces(a, b, strict);
  expect(marked.a.filter((piece) => piece.on)).toEqual([{ text: "1", on: true }]);
  expect(marked.a.map((piece) => piece.text).join("")).toBe(a);
  const { a: left, b: right } = elided(a, b, strict, 80);
  const text = (parts: readonly { text: string }[]) => parts.map((piece) => piece.text).join("");
  expect(text(left).length).toBeLessThan(80);
  expect(text(left).length).toBeGreaterThan(50); // the room is used
  expect(text(left)).toMatch(/^….*same, 1, more, .*…$/);
  expect(text(left).replace("1", "2")).toBe(text(right)); // both sides leave out the same
  const kept = left.filter((piece) => !piece.cut);
  expect(text(kept).length + left.reduce((n, piece) => n + (piece.cut ?? 0), 0)).toBe(a.length);
  expect(elided(a, b, strict, 2000)).toEqual(marked);
  // What is only on one side leaves its place on the other.
  const inserted = elided(
    `def forward(self, ${"x, ".repeat(50)})`,
    `def forward(self, new, ${"x, ".repeat(50)})`,
    strict,
    60,
  );
  expect(text(inserted.a)).toMatch(/^def forward\(self, x, .*…$/);
  expect(text(inserted.b)).toMatch(/^def forward\(self, new, x, .*…$/);
  expect(elided("short", "shore", strict, 60).a).toEqual([{ text: "short", on: true }]);
  const many = elided(
    "f(1, 2, 3, 4, 5, 6, 7, 8)" + "y".repeat(100),
    "f(9, 8, 7, 6, 5, 4, 3, 2)" + "y".repeat(100),
    strict,
    30,
  );
  expect(text(many.a)).toContain("1"); // beyond the screen at worst, but the first change is in it
});

test("a changed line lies beside its counterpart, also where others are added before it", () => {
  const found = lineDiff(
    "a\n  mul: f32[4] = x * 2\nz",
    "a\n  exp: f32[4] = x.exp()\n  sin: f32[4] = exp.sin()\n  mul: f32[8] = sin * 2\nz",
    strict,
  );
  expect(rowsOf(found, true, new Set()).filter((row) => row.kind !== "same")).toEqual([
    { kind: "added", a: -1, b: 1 },
    { kind: "added", a: -1, b: 2 },
    { kind: "changed", a: 1, b: 3 },
  ]);
  expect(rowsOf(found, false, new Set()).filter((row) => row.kind !== "same")).toEqual([
    { kind: "removed", a: 1, b: -1, other: 3 },
    { kind: "added", a: -1, b: 1 },
    { kind: "added", a: -1, b: 2 },
    { kind: "added", a: -1, b: 3, other: 1 },
  ]);
});

test("lines of many thousands of letters are marked where they differ, not as a whole", () => {
  const [head, tail] = ["a: f32, ".repeat(2000), "b: f32, ".repeat(2000)];
  const marked = pieces(`${head}x: f16, ${tail}`, `${head}y: f16, ${tail}`, strict);
  expect(marked.b.filter((piece) => piece.on)).toEqual([{ text: "y", on: true }]);
  const far = pieces(`1 ${head}2`, `3 ${head}4`, strict); // too much in between for words
  expect(far.a[0]).toEqual({ text: `1 ${head}2`, on: true });
  expect(elided(`1 ${head}2`, `3 ${head}4`, strict, 80).a[0]!.on).toBe(true);
});

test("what is noise stays unmarked, also next to what is equal", () => {
  const quiet = { noise: false, sorted: false };
  expect(pieces("load /tmp/run-1/x.py at 3", "load /tmp/run-2/x.py at 4", quiet).a.filter((piece) => piece.on)).toEqual(
    [{ text: "3", on: true }],
  );
  expect(pieces("😀 x", "😁 x", strict).a[0]).toEqual({ text: "😀", on: true });
  expect(pieces("same", "same", strict).a).toEqual([{ text: "same", on: false }]);
});

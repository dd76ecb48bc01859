import { expect, test } from "vitest";
import { fromFound, HITS_SHOWN, mayRunAway, pattern, patternError, searchSlices, searchText, toFound } from "./search";

const plain = (text: string) => ({ text, regexp: false, caseSensitive: false, word: false });
const re = (text: string) => ({ text, regexp: true, caseSensitive: true, word: false });

test("finds lines, each once, with its number and the place of the match", () => {
  const found = searchText("one\n  two two\n\nTWO", plain("two"));
  expect(found.count).toBe(2);
  expect(found.hits).toEqual([
    { line: 2, text: "two two", from: 0, to: 3 },
    { line: 4, text: "TWO", from: 0, to: 3 },
  ]);
});

test("signs of expressions are letters in a plain search", () => {
  expect(searchText("f(x)*", plain("(x)*")).count).toBe(1);
  expect(searchText("fx", plain("(x)*")).count).toBe(0);
});

test("expressions: lines have begin and end, matches of nothing do not count", () => {
  expect(searchText("ab\nba\nab", re("^ab$")).hits.map((hit) => hit.line)).toEqual([1, 3]);
  expect(searchText("aaa\nb", re("x*")).count).toBe(0);
  expect(pattern(re("("))).toBeNull();
  expect(searchText("x", re("(")).count).toBe(0);
});

test("of many lines only the first are kept, and all are counted up to a bound", () => {
  const found = searchText("hit\n".repeat(50), plain("hit"));
  expect([found.hits.length, found.count, found.more]).toEqual([HITS_SHOWN, 50, false]);
  const many = searchText("hit\n".repeat(20_000), plain("hit"));
  expect([many.count, many.more]).toEqual([10_000, true]);
});

test("of a long line the part with the match is shown", () => {
  const [hit] = searchText(`${"a".repeat(5000)}needle${"b".repeat(5000)}`, plain("needle")).hits;
  expect(hit!.text.slice(hit!.from, hit!.to)).toBe("needle");
  expect(hit!.text.length).toBeLessThan(300);
});

test("a match over several lines is marked in its first", () => {
  const [hit] = searchText("x = (\n  1)", re("\\(\\s+1")).hits;
  expect([hit!.line, hit!.text.slice(hit!.from, hit!.to)]).toEqual([1, "("]);
});

test("a match far to the right of its line is shown with what stands before it", () => {
  const [hit] = searchText(`  ${"a ".repeat(70)}needle`, plain("needle")).hits;
  expect(hit!.text.startsWith("…")).toBe(true);
  expect(hit!.from).toBe(61);
});

test("whole words", () => {
  expect(searchText("addmm\nmm_1\nmm(x)", { ...plain("mm"), word: true }).hits.map((hit) => hit.line)).toEqual([3]);
  expect(searchText("ab cd", { ...re("b|c"), word: true }).count).toBe(0);
});

test("what is wrong with an expression", () => {
  expect(patternError(re("("))).toMatch(/group/i);
  expect(patternError(re("a)(b"))).not.toBeNull(); // also within whole words, where it would fit
  expect(patternError({ ...re("a)|(b"), word: true })).not.toBeNull();
  expect(patternError(plain("("))).toBeNull();
});

test("expressions that may run away are recognized", () => {
  for (const bad of ["(a+)+", "(a|aa)*b", "((a+)b)+", "(?:x*){2,}"]) expect(mayRunAway(bad), bad).toBe(true);
  for (const good of ["a+b*", "(abc)+", "(a+)b", "[(a+)]+", "\\(a+\\)+", "(?:ab)+", "mm\\(.*f16"])
    expect(mayRunAway(good), good).toBe(false);
});

test("in slices the same is found, with the same line numbers", () => {
  const text = Array.from({ length: 40_000 }, (_, i) => `line number ${i} ${i % 9000 === 8999 ? "needle" : ""}`).join(
    "\n",
  );
  const steps = searchSlices(text, plain("needle"));
  let turns = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) turns++;
  expect(step.value).toEqual(searchText(text, plain("needle")));
  expect(turns).toBeGreaterThan(2);
});

test("a query goes through an address, unless it may run away", () => {
  const query = { text: "a.b", regexp: true, caseSensitive: true, word: true };
  expect(fromFound(toFound(query))).toEqual(query);
  expect(toFound(re("(a+)+"))).toEqual({});
  expect(fromFound({ f: "(a+)+", fo: "r" })).toBeNull();
  expect(fromFound({})).toBeNull();
});

import { expect, test } from "vitest";
import { HITS_SHOWN, pattern, searchText } from "../src/data/search";

const plain = (text: string) => ({ text, regexp: false, caseSensitive: false });
const re = (text: string) => ({ text, regexp: true, caseSensitive: true });

test("finds lines, each once, with its number and the place of the match", () => {
  const found = searchText("one\n  two two\n\nTWO", plain("two"));
  expect(found.count).toBe(2);
  expect(found.hits).toEqual([{ line: 2, text: "two two", from: 0, to: 3 }, { line: 4, text: "TWO", from: 0, to: 3 }]);
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

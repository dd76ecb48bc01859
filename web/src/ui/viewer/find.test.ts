import { expect, test } from "vitest";
import { countMatches, findMatch } from "./find";

const query = (search: string, more = {}) => ({
  search,
  caseSensitive: false,
  regexp: false,
  wholeWord: false,
  ...more,
});
const text = "mul = MUL(a, b)\nadd = mul + 1\n";

test("next and previous, round the end", () => {
  expect(findMatch(text, query("mul"), 0, 1)).toEqual({ from: 0, to: 3 });
  expect(findMatch(text, query("mul"), 3, 1)).toEqual({ from: 6, to: 9 });
  expect(findMatch(text, query("mul"), 25, 1)).toEqual({ from: 0, to: 3 });
  expect(findMatch(text, query("mul"), 6, -1)).toEqual({ from: 0, to: 3 });
  expect(findMatch(text, query("mul"), 0, -1)).toEqual({ from: 22, to: 25 });
  expect(findMatch(text, query("none"), 0, 1)).toBeNull();
  expect(findMatch(text, query("none"), 9, -1)).toBeNull();
});

test("case, regular expressions, and text that looks like one", () => {
  expect(countMatches(text, query("mul"), 6, 9)).toEqual({ count: 3, current: 2, more: false });
  expect(countMatches(text, query("mul", { caseSensitive: true }), 0, 0).count).toBe(2);
  expect(countMatches(text, query("(a, b)"), 0, 0).count).toBe(1);
  expect(countMatches(text, query("^\\w+", { regexp: true }), 0, 0).count).toBe(2);
  expect(countMatches(text, query("x*", { regexp: true }), 0, 0).count).toBe(0);
  expect(findMatch(text, query("x*", { regexp: true }), 0, 1)).toBeNull();
});

test("backwards over a long text", () => {
  const long = `needle${"x".repeat(500_000)}`;
  expect(findMatch(long, query("needle"), long.length, -1)).toEqual({ from: 0, to: 6 });
});

test("counting a letter in megabytes ends", () => {
  const { more, count } = countMatches("a".repeat(3_000_000), query("a"), 0, 0);
  expect(more).toBe(true);
  expect(count).toBeGreaterThan(0);
});

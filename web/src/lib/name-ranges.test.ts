// tests/unit/test_name_ranges.c has the same cases for the program.
import { expect, test } from "vitest";
import { nameRanges } from "./name-ranges";

const cases: [names: string, most: number, expected: string][] = [
  ["lm_head", 3, "lm_head"],
  ["h.0.attn h.1.attn h.2.attn", 3, "h.0–2.attn"],
  ["h.10.attn h.9.attn h.9.attn h.2.attn", 3, "h.2,9–10.attn"],
  ["layers[0] layers[1]", 3, "layers[0–1]"],
  ["3 4 5", 3, "3–5"],
  ["h.0.fc h.1.fc h.0.out head", 3, "h.0–1.fc, h.0.out, head"],
  ["h.0.fc h.0.out head tail", 2, "h.0.fc, h.0.out and 2 more"],
  ["a.0 a.2 a.4 a.6", 3, "a.*"],
  ["a.00 a.01", 3, "a.00, a.01"],
  ["conv1.w conv2.w", 3, "conv1.w, conv2.w"],
  ["a.1234567890 a.1234567891", 3, "a.1234567890, a.1234567891"],
  ["relu_1 relu_2 relu_3 relu_4", 3, "relu_1, relu_2, relu_3 and 1 more"],
  ["l.0.e.0 l.0.e.1 l.1.e.0 l.1.e.1", 3, "l.0–1.e.0–1"],
  ["l.0.e.0 l.0.e.1 l.1.e.0", 3, "l.*.e.*"],
  ["l.0.e.5 l.1.e.5", 3, "l.0–1.e.5"],
  ["0.1.2.3.4.5.6 0.1.2.3.4.5.7", 3, "0.1.2.3.4.5.6, 0.1.2.3.4.5.7"],
];

test.each(cases)("%s, at most %i: %s", (names, most, expected) => {
  expect(nameRanges(names.split(" "), most)).toBe(expected);
});

test("no names are no text", () => {
  expect(nameRanges([], 3)).toBe("");
});

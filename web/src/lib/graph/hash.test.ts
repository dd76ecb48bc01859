import { expect, test } from "vitest";
import { mix } from "./hash";

test("keys of sequences are integers, and no two of half a million are the same", () => {
  const keys = new Set<number>();
  for (let i = 0; i < 700; i++) for (let j = 0; j < 700; j++) keys.add(mix(mix(7, i), j));
  expect(keys.size).toBe(490_000);
  expect([...keys].every(Number.isSafeInteger)).toBe(true);
});

test("the order counts, and operands of 53 bits do", () => {
  expect(mix(mix(0, 1), 2)).not.toBe(mix(mix(0, 2), 1));
  expect(mix(1, 2 ** 52)).not.toBe(mix(1, 2 ** 51));
});

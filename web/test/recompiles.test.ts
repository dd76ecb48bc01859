import { expect, it } from "vitest";
import { failureWords, flapping } from "../src/data/recompiles";
import type { GuardFailure, Recompile } from "../src/data/types";

const failure = (more: Partial<GuardFailure>): GuardFailure => ({ against: "0/0", guard: "k == 0", guard_type: "value", source: "k", had: null, has: null, ...more });

it("says in words what failed", () => {
  expect(failureWords(failure({}))).toBe("value of k");
  expect(failureWords(failure({ guard_type: "size", source: "x", guard: "tensor 'x' size mismatch at index 1. expected 2, actual 3" }))).toBe("size of x, dimension 1");
  expect(failureWords(failure({ guard_type: "relation", source: null, guard: "a < b" }))).toBe("condition on sizes of inputs");
  expect(failureWords(failure({ guard_type: "other", source: null, guard: "whatever" }))).toBe("guard on whatever");
  expect(failureWords(failure({ guard_type: "new one", source: "x" }))).toBe("guard on x");
});

it("finds the guards that fail again and again by those of the latest version alone", () => {
  const step = (...reasons: GuardFailure[]) => ({ compile: "0/1", from: "0/0", reasons, more_reasons: 0, sizes: [] });
  const old = failure({ source: "old" });
  const item = { steps: [step(failure({ had: "0", has: "1" })), step(failure({ had: "1", has: "2" }), old), step(failure({ source: "once" }), old), step()] } as unknown as Recompile;
  expect(flapping(item)).toEqual([{ words: "value of k", count: 2, values: ["0", "1", "2"] }]);
});

import { describe, expect, it } from "vitest";
import { layout } from "./RanksCanvas";
import { cutOff, pickedOf, viewOf } from "./RanksView";

const room = { width: 1200, height: 700 };
const of = (columns: number, rows: number, high: number | null = null, wide: number | null = null, width = 1200) =>
  layout(columns, rows, { ...room, width }, 8, 4, high, wide);

describe("the compile matrix", () => {
  it("zooms from all ranks to one", () => {
    const all = of(66, 1000, 0);
    expect(all.top + 1000 * all.height).toBeLessThanOrEqual(room.height);
    expect(of(66, 2, 0).height).toBe(26); // few rows are no lower than they need be
    const one = of(66, 1000, 1e9);
    expect(one.top + 2 * one.height).toBeGreaterThan(room.height);
    expect(one.top + one.height).toBeLessThanOrEqual(room.height);
    expect(1e6 * of(66, 1e6, 1e9).height).toBeLessThan(17e6); // browsers scroll no further
  });

  it("has all columns in view on a phone, if they can be seen", () => {
    const { left, width } = of(66, 1000, null, null, 400);
    expect(left + 66 * width).toBeLessThanOrEqual(400);
    expect(of(1000, 10, null, null, 400).width).toBe(4);
  });

  it("knows what is in view and what is cut off", () => {
    expect([viewOf(0, 100, 10, 20), viewOf(95, 100, 10, 20)]).toEqual([
      [0, 10],
      [9, 20],
    ]);
    expect([cutOff(0, 200, 10, 20), cutOff(0, 100, 10, 20), cutOff(95, 100, 10, 20)]).toEqual([
      [0, 0],
      [0, 10],
      [10, 1],
    ]);
  });

  it("reads the selected cell from the address", () => {
    const ids = ["0/0", "1/0"];
    expect(pickedOf("rank_1,1/0", ids)).toEqual({ dir: "rank_1", column: 1 });
    for (const text of [undefined, "", "rank_1", "rank_1,9/9"]) expect(pickedOf(text, ids)).toBeNull();
  });
});

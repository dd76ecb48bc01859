import { describe, expect, it } from "vitest";
import { kindOfRows, timeOfRows, usualKinds, type MatrixRow } from "./ranks-matrix";
import type { Rank } from "./ranks";

const row = (status: string, ranks = 1): MatrixRow => ({
  ranks: Array.from({ length: ranks }, () => ({}) as Rank),
  status,
  times: [...status].map((kind, i) => (kind === "." ? null : 10 * (i + 1))),
  others: new Map(),
});

describe("rows that are too low to see", () => {
  const rows = [row("oo."), row("oo."), row("oeo"), row("xo."), row("o..")];
  const usual = usualKinds(rows, 3);

  it("knows what most ranks have, weighed by the ranks of a row", () => {
    expect(usual).toEqual(["ok", "ok", "absent"]);
    expect(usualKinds([row("x", 3), row("o", 2)], 1)).toEqual(["error"]);
    expect(usualKinds([], 2)).toEqual(["absent", "absent"]);
  });

  it("shows what differs, a failure before all else", () => {
    expect(kindOfRows(rows, 0, 2, 0, usual[0]!)).toBe("ok");
    expect(kindOfRows(rows, 0, 5, 0, usual[0]!)).toBe("error");
    expect(kindOfRows(rows, 0, 3, 1, usual[1]!)).toBe("empty");
    expect(kindOfRows(rows, 4, 5, 1, usual[1]!)).toBe("absent");
    expect(kindOfRows(rows, 0, 5, 2, usual[2]!)).toBe("ok");
  });

  it("shows the longest time", () => {
    expect(timeOfRows(rows, 0, 5, 2)).toBe(30);
    expect(timeOfRows(rows, 3, 5, 2)).toBeNull();
  });
});

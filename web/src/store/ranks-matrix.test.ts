import { describe, expect, it } from "vitest";
import { findRow, kindOfRows, matrixRows, timeOfRows, usualKinds, type MatrixRow } from "./ranks-matrix";
import type { Rank, RanksPart } from "./ranks";

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

describe("a report of ranks", () => {
  const part = {
    ranks: [
      ...[0, 1, 2].map((rank) => ({ rank, dir: `rank_${rank}`, status: "ok", files: [] })),
      { rank: 4, dir: "rank_4", status: "bad", files: [] },
      { rank: null, dir: "log_x", status: "ok", files: ["dedicated_log_torch_trace_Early.log"] },
    ],
    missing_ranks: [3],
    matrix: {
      ids: ["0/0"],
      frames: [],
      id_frames: [],
      rows: [
        ["rank_0", 10],
        ["rank_1", 30],
        ["rank_2", 20],
        ["log_x", 5],
      ].map(([dir, time]) => ({ dir, status: "o", time_us: [time] })),
    },
  } as unknown as RanksPart;

  it("merges rows without hiding that their times differ", () => {
    const [merged] = matrixRows(part, true);
    expect(merged!.ranks.map((rank) => rank.rank)).toEqual([0, 1, 2]);
    expect([merged!.shortest, merged!.times]).toEqual([[10], [30]]);
    expect(matrixRows(part, false)[0]!.shortest).toBeUndefined();
  });

  it("finds a rank, or says why there is none", () => {
    const find = (text: string, merge = false) => findRow(part, matrixRows(part, merge), text);
    for (const text of ["2", " rank 2 ", "Rank2", "002"]) expect(find(text)).toEqual({ row: 2, dir: "rank_2" });
    expect(find("2", true)).toEqual({ row: 0, dir: "rank_2" });
    expect(find("early")).toEqual({ row: 3, dir: "log_x" });
    expect(find("3")).toEqual({ none: "rank 3 has no log" });
    expect(find("4")).toEqual({ none: "the log of rank 4 cannot be read" });
    for (const text of ["1500", "abc", "-1", "1-2"]) expect(find(text)).toEqual({ none: `no rank ${text}` });
    expect(find("")).toEqual({ none: "no rank " });
  });
});

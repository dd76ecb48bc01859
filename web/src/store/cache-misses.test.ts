import { expect, test } from "vitest";
import { missesOf } from "./cache-misses";
import type { RankPlace } from "./ranks";
import type { CacheMiss, Report } from "./report";

const miss: CacheMiss = { cache: "fx_graph", kind: "components", why: "why", nearest: null };
const report = {} as Report;

test("misses of a compile are those of its own log", () => {
  const place: RankPlace = {
    rank: null,
    compared: 0,
    left_out: null,
    root_causes: [],
    divergences: [],
    cache_misses: [
      { ...miss, compile: "0/0" },
      { ...miss, compile: "1/0" },
    ],
  };
  expect(missesOf(report, place, "1/0")).toEqual([{ ...miss, compile: "1/0", runs: true }]);
  expect(missesOf(report, { ...place, rank: 3 }, "1/0")[0]!.runs).toBe(false);
  expect(missesOf(report, { ...place, rank: 0, compared: 2, cache_misses: [] }, "1/0")).toEqual([]);
  expect(missesOf(report, null, "1/0")).toEqual([]);
});

test("at the top of a report of ranks the report's own log is the one without a folder", () => {
  const of = (dir: string) =>
    ({
      cache_misses: {
        list: [{ ...miss, title: "t", time_us: null, count: 1, misses: [{ dir, compile: "0/0", result: "miss" }] }],
        more: 0,
      },
    }) as unknown as Report;
  expect(missesOf(of(""), null, "0/0")).toHaveLength(1);
  expect(missesOf(of("rank_1"), null, "0/0")).toEqual([]);
});

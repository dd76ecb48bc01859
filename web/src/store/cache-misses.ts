// Why caches missed what other runs or ranks have, as report.json tells it: doc/report-data.md, "Several ranks".
import type { RankPlace } from "./ranks";
import type { Report } from "./types";

/** A compile of a log; of a key that a miss is compared with, also what differs. */
export interface CacheOwner {
  /** "" for the report itself; of a run that is a job the folder of the rank */
  dir: string;
  compile: string;
  result: string;
  same_graph?: boolean;
  differences?: number;
  components?: { name: string; had: string | null; has: string | null }[];
}

export interface CacheMiss {
  cache: string;
  kind: "components" | "graph" | "same_key" | "guards" | "new";
  why: string;
  nearest: CacheOwner | null;
}

/** Misses of one cache for the same thing; why and nearest are of the first. */
export interface CacheMissCause extends CacheMiss {
  title: string;
  /** of runs: the folder of the one that missed */
  run: string | null;
  time_us: number | null;
  misses: CacheOwner[];
  count: number;
}

export interface CacheMisses {
  list: CacheMissCause[];
  more: number;
}

/** Of one compile of the report that is open: as its data/ranks.js says, or, at the top of a report of several ranks, that report. */
export function missesOf(report: Report, place: RankPlace | null, key: string): (CacheMiss & { runs: boolean })[] {
  if (place) return (place.cache_misses ?? []).filter((miss) => miss.compile === key).map((miss) => ({ ...miss, runs: place.rank === null }));
  const own = (report.cache_misses?.list ?? []).filter((cause) => cause.misses[0]?.dir === "" && cause.misses[0].compile === key);
  return own.map((cause) => ({ ...cause, runs: false }));
}

const CACHE_NAMES: Record<string, string> = { fx_graph: "FX graph", aotautograd: "AOTAutograd", fx_graph_bundled: "Bundled FX graph", precompile: "Precompile", dynamo: "Precompile package" };
export const cacheName = (key: string): string => CACHE_NAMES[key] ?? key;

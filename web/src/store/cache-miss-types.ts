// Why caches missed what other runs or ranks have, as report.json tells it: doc/report-data.md, "Several ranks".
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

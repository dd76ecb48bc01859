// Looks up why caches missed what other runs or ranks have: doc/report-data.md, "Several ranks".
import type { RankPlace } from "./ranks";
import type { CacheMiss, Report } from "./report";

/** Of one compile of the report that is open: as its data/ranks.js says, or, at the top of a report of several ranks, that report. */
export function missesOf(report: Report, place: RankPlace | null, key: string): (CacheMiss & { runs: boolean })[] {
  if (place)
    return (place.cache_misses ?? [])
      .filter((miss) => miss.compile === key)
      .map((miss) => ({ ...miss, runs: place.rank === null }));
  const own = (report.cache_misses?.list ?? []).filter(
    (cause) => cause.misses[0]?.dir === "" && cause.misses[0].compile === key,
  );
  return own.map((cause) => ({ ...cause, runs: false }));
}

const CACHE_NAMES: Record<string, string> = {
  fx_graph: "FX graph",
  aotautograd: "AOTAutograd",
  fx_graph_bundled: "Bundled FX graph",
  precompile: "Precompile",
  dynamo: "Precompile package",
};
export const cacheName = (key: string): string => CACHE_NAMES[key] ?? key;

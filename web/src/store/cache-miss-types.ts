// Why caches missed what other runs or ranks have: doc/report-data.md, "Several ranks".
export type { CacheMiss, CacheMissCause, CacheMisses, CacheOwner } from "./generated/report";

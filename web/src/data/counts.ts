import type { Report } from "./types";

/** Compiles that were not the first of their frame. */
export function recompileCount(report: Report): number {
  return report.recompiles.reduce((n, item) => n + Math.max(0, item.chain.length - 1), 0);
}

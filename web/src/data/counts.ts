import type { Compile, Report } from "./types";

/**
 * Records without a compile id (`-/-`) or without a frame (`!0/-/-`) are in the list of compiles, since they have artifacts. They are no compiles and
 * have no status.
 */
export function isCompile(compile: Compile): boolean {
  return compile.frame_id !== null;
}

/** Compiles that were not the first of their frame. */
export function recompileCount(report: Report): number {
  return report.recompiles.reduce((n, item) => n + Math.max(0, item.chain.length - 1), 0);
}

import type { Compile, Report } from "./types";

/** Records without a compile id, or of an id that was never compiled, are in the list of compiles since they have artifacts. They have no status. */
export function isCompile(compile: Compile): boolean {
  return compile.is_compile;
}

/** Compiles that were not the first of their frame, with those that the recompile limit refused. */
export function recompileCount(report: Report): number {
  return report.recompiles.reduce((n, item) => n + Math.max(0, item.chain.length - 1), 0);
}

import type { Compile, Report } from "./types";

/** Records without a compile id, or of an id that was never compiled, are in the list of compiles since they have artifacts. They have no status. */
export function isCompile(compile: Compile): boolean {
  return compile.is_compile;
}

/** Recompiles, with those that the recompile limit refused. */
export function recompileCount(report: Report): number {
  return report.recompiles.reduce((n, item) => n + item.recompiles + item.refused, 0);
}

import type { Compile, Report } from "./types";

/** Records without a compile id, or of an id that was never compiled, are in the list of compiles since they have artifacts. They have no status. */
export function isCompile(compile: Compile): boolean {
  return compile.is_compile;
}

/** Compiles of frames that had a version, without those that the recompile limit refused. */
export const recompileCount = (report: Report): number => report.recompiles.reduce((n, item) => n + item.recompiles, 0);

export const refusedCount = (report: Report): number => report.recompiles.reduce((n, item) => n + item.refused, 0);

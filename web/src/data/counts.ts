import type { Compile, Report } from "./types";

/** Records without a compile id, or of an id that was never compiled, are in the list of compiles since they have artifacts. They have no status. */
export function isCompile(compile: Compile): boolean {
  return compile.is_compile;
}

const refusedKeys = (report: Report): Set<string> => new Set(report.compiles.filter((compile) => compile.failure?.refused).map((compile) => compile.key));

/** Compiles that were not the first of their frame, without those that the recompile limit refused. */
export function recompileCount(report: Report): number {
  const refused = refusedKeys(report);
  return report.recompiles.reduce((n, item) => n + item.chain.slice(1).filter((key) => !refused.has(key)).length, 0);
}

export const refusedCount = (report: Report): number => refusedKeys(report).size;

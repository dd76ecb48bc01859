import type { Compile, Report } from "./types";

/** Records without a compile id, or of an id that was never compiled, are in the list of compiles since they have artifacts. They have no status. */
export function isCompile(compile: Compile): boolean {
  return compile.is_compile;
}

/** Why a list of what Dynamo met in frames is empty: a log without frames says nothing about them. */
export const noBreaks = (report: Report): readonly [title: string, text: string] =>
  report.compiles.some(
    (compile) => compile.is_compile && compile.frame && !compile.interrupted && compile.status !== "error",
  )
    ? ["✓ No graph breaks", "As far as the log says, each compiled frame became one graph."]
    : [
        "No graph breaks in this log",
        report.compiles.some((compile) => compile.is_compile && compile.frame)
          ? "No frame was compiled."
          : "The log has no compile of a frame.",
      ];

export function noFailures({ totals }: Pick<Report, "totals">): string {
  const { interrupted } = totals;
  if (!totals.compiles) return "No compiles in this log";
  const unknown = totals.statuses.missing;
  if (unknown && !interrupted)
    return `No failures in this log; it does not say how ${unknown === 1 ? "1 compile" : `${unknown} compiles`} ended`;
  return interrupted
    ? `No failures, ${interrupted} interrupted ${interrupted === 1 ? "compile" : "compiles"}`
    : "✓ No compile failed";
}

/** Malformed records and unrecognized lines, behind the first `shown` items of the list. */
export const faultCount = ({ faults, more_faults: more = 0 }: Report["log"], shown = 0): number =>
  faults.slice(shown).reduce((sum, fault) => sum + fault.count, more);

/** Compiles of frames that had a version, without those that the recompile limit refused. */
export const recompileCount = (report: Report): number => report.recompiles.reduce((n, item) => n + item.recompiles, 0);

export const refusedCount = (report: Report): number => report.recompiles.reduce((n, item) => n + item.refused, 0);

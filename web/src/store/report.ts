// The data of the page by the names that it uses, and how frames and counts of it read. The shapes come from doc/report.schema.json and
// doc/page-data.schema.json: a new member is described there.
import { baseName } from "../lib/text";
import type {
  CompileSummary,
  Finding as ReportFinding,
  Frame as ReportFrame,
  Metrics as MetricsOrNull,
  PageReport,
  Recompile as ReportRecompile,
  StackNode as ReportStackNode,
} from "./generated/report";

export type * from "./generated/report";
export type { ArtifactLang as Lang, CompileDetails as Details } from "./generated/report";
export type { Status } from "../lib/status";

export type Metrics = NonNullable<MetricsOrNull>;

export type Compile = Omit<CompileSummary, "frame"> & { frame: Frame | null };
/**
 * `label`: what the compiles that begin here call their frame, if that says more than the function and the file.
 * `caller_from`: the records that name the callers of all compiles that begin here, if their dynamo_start does not.
 */
export type StackNode = ReportStackNode & { label?: string; caller_from?: string };
export type Recompile = Omit<ReportRecompile, "frame"> & { frame: Frame | null };

/** Of caches beyond fx_graph and aotautograd only some are there. */
export type CacheCounts = {
  hit?: number;
  miss?: number;
  bypass?: number;
  pickle_failure?: number;
  exception?: number;
  entries?: number;
};

/** The summary of a report, as tidy() leaves it. */
export type Report = Omit<PageReport, "compiles" | "recompiles" | "stacks" | "caches"> & {
  compiles: Compile[];
  recompiles: Recompile[];
  stacks: StackNode[];
  caches: Record<string, CacheCounts>;
};

/** A function; tidy() makes it of a place. */
export interface Frame extends ReportFrame {
  file: string;
  function: string;
}

/** The function as people recognize it: "Net.forward" where its own name says little; "" of no frame. */
export const frameName = (frame: Pick<Frame, "function" | "label"> | null | undefined): string =>
  frame?.label ?? frame?.function ?? "";

/** The same where its place is shown too: "wrapper" instead of "wrapper (model.py)" or "wrapper (model.py:10)". */
export const besidePlace = (frame: Frame): string => {
  const file = `${frame.function} (${baseName(frame.file)}`;
  return frame.label === `${file})` || frame.label === `${file}:${frame.line})` ? frame.function : frameName(frame);
};

/** A frame of a stack as people recognize it: "Net.forward". */
export const stackName = (node: { function: string; label?: string }): string => node.label ?? node.function;

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

/** A finding of the report, or one that the page makes: of several ranks, or of a cache miss. */
export type Finding = Partial<Omit<ReportFinding, "link">> &
  Pick<ReportFinding, "kind" | "severity" | "title" | "why" | "advice" | "place" | "compiles" | "time_us"> & {
    link: string | null;
  };

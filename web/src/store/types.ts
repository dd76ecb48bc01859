import type {
  CompileSummary,
  Metrics as MetricsOrNull,
  PageReport,
  Recompile as ReportRecompile,
  StackNode as ReportStackNode,
} from "./generated/report";
import type { Frame } from "./place";

// The data of the page by the names that it uses. The shapes come from doc/report.schema.json and doc/page-data.schema.json: a new member is described there.
export type {
  Artifact,
  ArtifactLang as Lang,
  CacheResult,
  Check,
  CompileDetails as Details,
  Config,
  ConfigDifference,
  EffectValue,
  Failure,
  GraphBreak,
  GuardChange,
  GuardFailure,
  ListedFailure,
  Pass,
  RecompileAdvice,
  RecompileCause,
  RecompileStep,
  SettingInEffect,
  Stage,
  Totals,
  Unattributed,
  UnfinishedSpan,
} from "./generated/report";
export type { Finding } from "./finding-types";
export type { Frame, Place, StackFrame } from "./place";
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

import type {
  CompileSummary,
  Metrics as MetricsOrNull,
  PageReport,
  Recompile as ReportRecompile,
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
  Failure,
  GraphBreak,
  GuardChange,
  GuardFailure,
  ListedFailure,
  Pass,
  RecompileAdvice,
  RecompileCause,
  RecompileStep,
  StackNode,
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
export type Report = Omit<PageReport, "compiles" | "recompiles" | "caches"> & {
  compiles: Compile[];
  recompiles: Recompile[];
  caches: Record<string, CacheCounts>;
};

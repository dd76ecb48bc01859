import type { ExportSummary } from "./export";
import type { KernelSummary } from "./kernels";
import type { RanksPart } from "./ranks";
import type { Recompile } from "./recompile-types";
import type { TimelineSummary } from "./timeline-data";
import type { Vllm } from "./vllm";

// The shape of report.json and of the summary that data/report.js carries: see doc/report-data.md.
export type Status = "ok" | "restart" | "error" | "empty" | "missing";
export const STATUSES: readonly Status[] = ["ok", "restart", "error", "empty", "missing"];

export interface Place {
  file: string;
  line: number | null;
  function?: string | null;
}

export interface Frame extends Place {
  function: string;
}

export interface StackFrame extends Frame {
  code?: string | null;
}

export interface Failure {
  type: string | null;
  reason: string | null;
  file?: string | null;
  line?: number | null;
}

export interface CacheResult {
  cache: string;
  result: "hit" | "miss" | "bypass";
  reason: string | null;
}

export type Lang = "python" | "cpp" | "json" | "text" | "graph" | "guards";

export interface Artifact {
  name: string;
  kind: string;
  url: string | null;
  bytes: number;
  line: number;
  number: number | null;
  attempt: number | null;
  suffix: string;
  readable_url: string | null;
  dir: string;
  text: [number, number] | null;
  lang: Lang;
  subgraph: string | null;
  /** the text as a file, where url is a page */
  payload_url?: string;
  /** how large the graph in its text is; these four are there only where the text has such a thing */
  graph?: { graphs: number; inputs: number; ops: number; nodes: number; inner_ops?: number };
  kernels?: number;
  instructions?: number;
  guards?: { count: number; more: number; list: [number, number] };
}

/** A stage of a compile, from bytecode to kernels. */
export interface Stage {
  stage: string;
  backward: boolean;
  state: "done" | "cached" | "failed" | "skipped" | "unknown";
  why: string | null;
  time_us: number | null;
  ops: number | null;
  nodes: number | null;
  kernels: number | null;
  parts: number;
  /** places in the compile's artifacts */
  artifacts: number[];
}

/** A graph before and after a pass. */
export interface Pass {
  name: string;
  stage: string;
  /** a step from one form of the graph to the next: no pass */
  step: boolean;
  backward: boolean;
  /** places in the compile's artifacts */
  before: number;
  after: number;
  changed: boolean;
  ops_before: number | null;
  ops_after: number | null;
  nodes_before: number | null;
  nodes_after: number | null;
}

export type Metrics = Record<string, unknown>;

export interface Compile {
  id: string;
  frame_id: number | null;
  attempts: number[];
  dirs: string[];
  status: Status;
  frame: Frame | null;
  subgraph: string | null;
  stack: number | null;
  time_us: number | null;
  phases_us: Record<string, number>;
  graph: { ops: number | null; nodes: number | null; inputs: number | null; parameters?: number; parameter_bytes?: number | null };
  guards: number | null;
  recompile_reasons: string[];
  restarts: string[];
  failure: Failure | null;
  backward_failure: Failure | null;
  graph_breaks: number[];
  cache: CacheResult[];
  /** pages of their own, one for each attempt that has one */
  provenance?: string[];
  /** there where the log tells of symbols of shapes */
  pass_counts?: { passes: number; changed: number };
  shape_counts?: { symbols: number; specializations: number; guards: number };
  artifact_count: number;
  bytes: number;
}

/** What a part `compiles/<k>` holds more than the summary. */
export interface Details {
  artifacts: Artifact[];
  stages: Stage[];
  passes?: Pass[];
  metrics: Metrics | null;
  backward_metrics: Metrics | null;
}

export interface StackNode extends StackFrame {
  parent: number;
  dump: string | null;
  /** of the compiles here and below */
  time_us?: number | null;
  compiles: string[];
}

export interface GraphBreak {
  id: string | null;
  reason: string;
  explanation: string | null;
  hints: string[];
  url: string | null;
  place: Place | null;
  stack: StackFrame[];
  count: number;
  compiles: string[];
  time_us: number | null;
}

export type { GuardChange, GuardFailure, Recompile, RecompileAdvice, RecompileCause, RecompileStep } from "./recompile-types";

export interface ListedFailure {
  compile: string;
  attempt: number | null;
  type: string | null;
  reason: string | null;
  place: Place | null;
}

export interface Finding {
  kind: string;
  severity: "error" | "warning" | "info";
  impact?: "stops" | "every_step" | "compile_time" | "information";
  title: string;
  place: Place | string | null;
  compiles: string[];
  time_us: number | null;
  why: string | null;
  advice: string | null;
  link: string | null;
}

/** Sums over the compiles that have a frame. */
export interface Totals {
  compiles: number;
  statuses: Record<Status, number>;
  restarts: number;
  time_us: number | null;
  restart_us: number | null;
  phases_us: Record<string, number>;
  own_us: Record<string, number>;
}

/** A setting of which the compiles have more than one value. */
export interface ConfigDifference {
  kind: string;
  setting: string;
  values: { set: boolean; value: unknown; compiles: string[] }[];
}

export type CacheCounts = { hit: number; miss: number; bypass: number };

export interface Report extends RanksPart {
  format: string;
  version: number;
  tool: { name: string; version: string };
  run: {
    torch: string | null;
    python: string | null;
    cuda: string | null;
    triton: string | null;
    rank: number | null;
    world_size: number | null;
    started: string | null;
    duration_us: number | null;
    /** this is one rank's report: the way to the one above it */
    parent?: string | null;
  };
  log: {
    files: { name: string; bytes: number }[];
    bytes: number;
    records: number;
    counters: Record<string, number>;
    kinds: { key: string; name: string | null; records: number; bytes: number }[];
    unknown_keys: string[];
    faults: { line: number | null; what: string; count: number }[];
    /** faults that are not listed */
    more_faults?: number;
    /** the largest compile ids */
    by_compile?: { id: string; records: number; bytes: number }[];
    by_compile_rest?: { compiles: number; records: number; bytes: number };
  };
  compiles: Compile[];
  stacks: StackNode[];
  graph_breaks: GraphBreak[];
  recompiles: Recompile[];
  failures: ListedFailure[];
  /** failures when the backward was compiled, later and by itself */
  backward_failures?: ListedFailure[];
  caches: Record<string, CacheCounts>;
  timeline?: TimelineSummary;
  vllm?: Vllm;
  export?: ExportSummary;
  findings: Finding[];
  /** reports of older versions have no numbers, kernels, differences */
  totals?: Totals;
  kernels?: KernelSummary;
  config_differences?: ConfigDifference[];
  parts: { kernels?: number; compiles: number; texts: Record<string, number[]>; configs: boolean };
}

export interface Config {
  kind: string;
  values: Record<string, unknown>;
  compiles: number;
}

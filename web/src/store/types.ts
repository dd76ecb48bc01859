import type { Status } from "../lib/status";
import type { RunPairs } from "./comparison";
import type { ExportSummary } from "./export";
import type { Finding } from "./finding-types";
import type { Frame, Place, StackFrame } from "./place";
import type { KernelSummary } from "./kernels";
import type { RanksPart } from "./ranks";
import type { Pass, Stage } from "./stage-types";
import type { Recompile } from "./recompile-types";
import type { RecordTables } from "./record-tables";
import type { TimelineSummary } from "./timeline-data";
import type { Check, Totals, Unattributed, UnfinishedSpan } from "./truth";
import type { Vllm } from "./vllm";

// The shape of report.json and of the summary that data/report.js carries: see doc/report-data.md.
export type { Pass, Stage } from "./stage-types";

export type { Finding } from "./finding-types";
export type { Frame, Place, StackFrame } from "./place";
export type { Status } from "../lib/status";

export interface Failure {
  type: string | null;
  reason: string | null;
  file?: string | null;
  line?: number | null;
  /** by the recompile limit: there is no version */
  refused?: boolean;
}

export interface CacheResult {
  cache: string;
  result: "hit" | "miss" | "bypass" | "pickle_failure" | "exception";
  reason: string | null;
  /** of a miss what compiling took, of a hit what it saved */
  time_us?: number;
  /** of a miss: full_miss, guard_miss */
  detail?: string | null;
  guards?: string;
  /** how many components of its key the log lists */
  key_components?: number;
  /** of a miss: the earlier key that differs least, and its components that do */
  nearest?: { compile: string; same_graph: boolean; differences: number; components: { name: string; had: string | null; has: string | null }[] };
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

export type Metrics = Record<string, unknown>;

export interface Compile {
  /** as PyTorch shows it, without its attempt: several compiles may have it */
  id: string;
  /** unique in the report: "0/0", "0/0#2", "4711:0/0#2"; addresses and all that names a compile have it */
  key: string;
  /** which one of its id in its process: torch._dynamo.reset() resets the ids */
  generation: number;
  /** of its process before it, as far as ids show them */
  resets?: number;
  /** of a frame's first compile after a reset: the latest one of the same code before it */
  earlier?: string | null;
  process: number;
  /** which one of the processes with this ID, from 2 */
  process_nth?: number;
  /** in which it wrote first, where the log is several files and processes have the same ID */
  process_file?: string;
  /** false: records with this id, and nothing that says that it was compiled */
  is_compile: boolean;
  /** it ended with neither code nor failure */
  interrupted?: boolean;
  frame_id: number | null;
  attempts: number[];
  dirs: string[];
  status: Status;
  frame: Frame | null;
  subgraph: string | null;
  stack: number | null;
  /** compile time: forward and backward */
  time_us: number | null;
  forward_us: number | null;
  backward_us: number | null;
  /** of forward_us, lost to restarts */
  restart_us: number | null;
  /** spent at run time, after the compile: not part of time_us */
  runtime_us: number | null;
  /** the timers, which nest */
  phases_us: Record<string, number>;
  /** each phase without the timers inside it, and "other"; their sum is time_us */
  own_us: Record<string, number>;
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
  /** artifacts that are tables; there where it has any */
  record_tables?: RecordTables[];
  more_record_tables?: number;
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
  /** the line is not the user's */
  library?: boolean;
  /** once at least the frame was skipped, and runs eagerly */
  skipped?: boolean;
  /** what came of it, where it could not be handled */
  then?: string | null;
  then_id?: string | null;
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

/** A setting of which the compiles have more than one value. */
export interface ConfigDifference {
  kind: string;
  setting: string;
  values: { set: boolean; value: unknown; compiles: string[] }[];
}

/** Of caches beyond fx_graph and aotautograd only some are there. */
export type CacheCounts = { hit?: number; miss?: number; bypass?: number; pickle_failure?: number; exception?: number; entries?: number };

export interface Report extends RanksPart {
  format: string;
  version: number;
  kind: "run" | "ranks" | "runs";
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
    files: { name: string; bytes: number; first_line?: number | null; records?: number; damage?: string | null }[];
    /** nothing in the log is a record */
    empty?: boolean;
    /** those that wrote records; compiles of several are identified by process */
    processes?: { process: number; nth?: number; file?: string; records: number; compiles: number; first_line: number }[];
    bytes: number;
    /** of bytes: records of other ranks in the same log, of which this report is not */
    other_ranks_bytes?: number;
    records: number;
    counters: Record<string, number>;
    kinds: { key: string; name: string | null; records: number; bytes: number }[];
    unknown_keys: string[];
    /** the line is that of the whole log; file and file_line are there where that is several files */
    faults: { line: number | null; file?: string; file_line?: number; what: string; count: number }[];
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
  totals: Totals;
  checks: Check[];
  /** checks that are not listed */
  more_checks?: number;
  unfinished: UnfinishedSpan[];
  unattributed: Unattributed[];
  /** such records of further stacks */
  more_unattributed?: number;
  kernels?: KernelSummary;
  config_differences?: ConfigDifference[];
  /** of runs */
  comparison?: RunPairs;
  parts: { kernels?: number; compiles: number; texts: Record<string, number[]>; configs: boolean };
}

export interface Config {
  kind: string;
  values: Record<string, unknown>;
  compiles: number;
}

// The sums of report.json, and what it cannot account for: totals, checks, unfinished, unattributed in doc/report-data.md.
import type { Status } from "../lib/status";
import type { StackFrame } from "./place";

/** Sums over all compiles. */
export interface Totals {
  /** of several logs sums: what several of them have counts in each */
  graph_breaks: number;
  failures: number;
  compiles: number;
  /** ok and restart */
  compiled: number;
  statuses: Record<Status, number>;
  restarts: number;
  time_us: number | null;
  forward_us: number | null;
  backward_us: number | null;
  runtime_us: number | null;
  restart_us: number | null;
  phases_us: Record<string, number>;
  own_us: Record<string, number>;
}

/** Where the report contradicts itself or the log. */
export interface Check {
  name: string;
  compile: string | null;
  expected: number;
  found: number;
}

/** A span that begins and does not end. */
export interface UnfinishedSpan {
  name: string;
  compile: string | null;
  started_us: number;
  before_end_us: number;
  process: number | string | null;
  thread: number | string | null;
  stack: number | null;
}

/** Records of one stack that have no compile id. */
export interface Unattributed {
  stack: StackFrame[];
  records: number;
  artifacts: { name: string; url: string | null; compile: string; index: number; line: number }[];
}

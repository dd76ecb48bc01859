// What report.json cannot account for: see checks, unfinished and unattributed in doc/report-data.md.
import type { StackFrame } from "./types";

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

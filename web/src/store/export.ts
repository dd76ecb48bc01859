// What a log says of torch.export: the summary tells how much there is, data/export.js holds it (doc/report-data.md, "Export").
import { plural } from "../lib/format";
import type { Place, StackFrame } from "./place";

export type ExportKind = "data_dependent" | "guard" | "missing_fake_kernel" | "mismatched_fake_kernel" | "constraint_violation" | "error";
export const EXPORT_KINDS: Record<ExportKind, string> = {
  missing_fake_kernel: "missing fake kernel",
  mismatched_fake_kernel: "mismatched fake kernel",
  data_dependent: "data dependent",
  constraint_violation: "constraint violation",
  guard: "guard evaluated",
  error: "other error",
};

export interface ExportSummary {
  found: boolean;
  /** tlparse was called with --export */
  asked: boolean;
  counts: Partial<Record<ExportKind, number>>;
  failure_count: number;
  more_failures: number;
  program_count: number;
  /** where there is no failure: what is known of the exports */
  outcome: { known: boolean; title: string; text: string } | null;
}

export interface ExportNode {
  depth: number;
  expr: string | null;
  /** null: a symbol or a value */
  method: string | null;
  arguments: string | null;
  range: string | null;
  user_stack: number | null;
  stack: number | null;
  again: boolean;
  cut: boolean;
}

export interface ExportFailure {
  kind: ExportKind;
  compile: string;
  line: number | null;
  title: string;
  reason: string;
  advice: string[];
  type: string | null;
  expr: string | null;
  result: string | null;
  op: string | null;
  detail: string | null;
  code: string | null;
  place: Place | null;
  /** in `stacks` */
  user_stack: number | null;
  stack: number | null;
  frame_locals: { name: string; value: string }[];
  more_locals: number;
  symbols: { name: string; source: string }[];
  tree: ExportNode[];
  tree_cut: boolean;
  url: string | null;
}

export interface ExportProgram {
  compile: string;
  /** place in the compile's list of artifacts */
  artifact: number;
  url: string | null;
  bytes: number;
}

export interface ExportData extends ExportSummary {
  failures: ExportFailure[];
  programs: ExportProgram[];
  stacks: (StackFrame & { parent: number })[];
}

/** The frames of a stack, outermost first. */
export function framesOf(data: ExportData, index: number | null): StackFrame[] {
  const frames: StackFrame[] = [];
  for (let i = index ?? -1; i >= 0; i = data.stacks[i]!.parent) frames.push(data.stacks[i]!);
  return frames.reverse();
}

export function searchText(failure: ExportFailure): string {
  const { title, reason, detail, code, place, compile, frame_locals, symbols } = failure;
  return [title, reason, detail, code, place?.file, place?.function, compile, ...frame_locals.map((l) => `${l.name} ${l.value}`), ...symbols.map((s) => `${s.name} ${s.source}`)].join(" ").toLowerCase();
}

/** How many programs came out, where the log has any: without TORCH_DTRACE it has none, whatever was exported. */
export const programWords = (summary: Pick<ExportSummary, "program_count">): string => (summary.program_count ? plural(summary.program_count, "exported program") : "no exported program in the log");

export const outcomeTitle = (outcome: NonNullable<ExportSummary["outcome"]>): string => `${outcome.known ? "✓ " : ""}${outcome.title}`;

// torch.export in a log: counts are in the summary, the rest is in data/export.js (doc/report-data.md, "Export").
import { plural } from "../lib/text";
import type { StackFrame } from "./report";
import type {
  Export as ExportData,
  ExportCall,
  ExportFailure,
  ExportKind,
  ExportNode,
  ExportProgram,
  ExportSummary,
} from "./generated/report";
export type { ExportCall, ExportData, ExportFailure, ExportKind, ExportNode, ExportProgram, ExportSummary };

export const EXPORT_KINDS: Record<ExportKind, string> = {
  missing_fake_kernel: "missing fake kernel",
  mismatched_fake_kernel: "mismatched fake kernel",
  data_dependent: "data-dependent",
  constraint_violation: "constraint violation",
  guard: "guard evaluated",
  error: "other error",
};

export const CALL_OUTCOMES: Record<ExportCall["outcome"], string> = {
  succeeded: "✓ succeeded",
  compiled: "✓ compiled by AOTInductor",
  failed: "✕ failed",
  no_program: "no program in the log",
  traced: "traced without an error; the rest is not logged",
  unknown: "not logged",
};

export const callMode = (call: Pick<ExportCall, "strict">): string =>
  call.strict === null ? "" : call.strict ? "strict" : "not strict";

/** "2 missing fake kernels", "1 data-dependent expression" */
export function kindCount(kind: ExportKind, n = 0): string {
  if (kind === "data_dependent") return plural(n, "data-dependent expression");
  return kind === "guard" ? plural(n, "guard evaluated", "guards evaluated") : plural(n, EXPORT_KINDS[kind]);
}

/** The frames of a stack, outermost first. */
export function framesOf(data: ExportData, index: number | null): StackFrame[] {
  const frames: StackFrame[] = [];
  for (let i = index ?? -1; i >= 0; i = data.stacks[i]!.parent) frames.push(data.stacks[i]!);
  return frames.reverse();
}

export function searchText(failure: ExportFailure): string {
  const { title, reason, detail, code, place, compile, frame_locals, symbols } = failure;
  return [
    title,
    reason,
    detail,
    code,
    place?.file,
    place?.function,
    compile,
    ...frame_locals.map((l) => `${l.name} ${l.value}`),
    ...symbols.map((s) => `${s.name} ${s.source}`),
  ]
    .join(" ")
    .toLowerCase();
}

/** How many programs came out, where the log has any: without TORCH_DTRACE it has none, whatever was exported. */
export const programWords = (summary: Pick<ExportSummary, "program_count">): string =>
  summary.program_count ? plural(summary.program_count, "exported program") : "no exported program in the log";

export const outcomeTitle = (outcome: NonNullable<ExportSummary["outcome"]>): string =>
  `${outcome.known ? "✓ " : ""}${outcome.title}`;

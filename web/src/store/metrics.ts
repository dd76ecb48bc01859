// compilation_metrics has over a hundred fields. They are put into groups, and their units are read from their names.
import { bytes, count, time } from "../lib/text";
import type { Metrics } from "./report";

export interface Metric {
  key: string;
  /** in one line, or a block when it is long or structured */
  text: string;
  block: boolean;
}

const GROUPS: readonly (readonly [title: string, pattern: RegExp])[] = [
  ["Failure", /^(fail_|exception_|non_compliant|compliant_custom|restart_reasons)/],
  ["Caches", /cache|bundle|pgo_/],
  ["Guards and shapes", /guard|recompile|shape_env|tensorify|specialize|dynamic/],
  ["Runtime", /runtime|cudagraph|ephemeral/],
  ["Code generation", /triton|autotune|^ir_count|code_gen/],
  ["Time", /(_time|_us|_s|_ms|_times_us)$|^(start|end|duration)_/],
  ["Parameters", /^param_/],
  ["Graph", /^graph_|^num_/],
  ["Frame", /^(compile_id|frame_|co_|stack_trace|is_forward|log_format)/],
  ["Versions", /version|_type$/],
];
const ORDER = [
  "Failure",
  "Time",
  "Graph",
  "Guards and shapes",
  "Caches",
  "Code generation",
  "Runtime",
  "Parameters",
  "Versions",
  "Frame",
  "Other",
];

/** A field in the forward's and the backward's metrics; null where there it is not, or has no value. */
export interface MetricRow {
  key: string;
  forward: Metric | null;
  backward: Metric | null;
}

export interface MetricGroup {
  title: string;
  rows: MetricRow[];
}

export const groupOf = (key: string): string =>
  /^(python|pytorch|torch|cuda|triton)_version$/.test(key)
    ? "Versions"
    : (GROUPS.find(([, pattern]) => pattern.test(key))?.[0] ?? "Other");

/** All fields: in groups those with a value, by name those that are null, empty, zero or false in both. */
export function groupMetrics(
  forward: Metrics | null,
  backward: Metrics | null,
): { groups: MetricGroup[]; unset: { key: string; text: string }[] } {
  const groups = new Map<string, MetricGroup>(ORDER.map((title) => [title, { title, rows: [] }]));
  const unset: { key: string; text: string }[] = [];
  for (const key of new Set([...Object.keys(forward ?? {}), ...Object.keys(backward ?? {})])) {
    const values = [forward?.[key], backward?.[key]];
    if (values.every(isUnset)) {
      unset.push({
        key,
        text: [...new Set(values.filter((value) => value !== undefined).map((value) => JSON.stringify(value)))].join(
          ", ",
        ),
      });
      continue;
    }
    const [one, other] = values.map((value) =>
      value === undefined || value === null || value === "" ? null : metric(key, value),
    );
    groups.get(groupOf(key))!.rows.push({ key, forward: one ?? null, backward: other ?? null });
  }
  return { groups: [...groups.values()].filter((group) => group.rows.length), unset };
}

export function metric(key: string, value: unknown): Metric {
  const inline = (text: string): Metric => ({ key, text, block: false });
  if (typeof value === "number") return inline(numberText(key, value));
  if (typeof value === "boolean") return inline(value ? "yes" : "no");
  const structured = typeof value === "string" ? parsed(value) : value;
  const text = typeof structured === "string" ? structured : JSON.stringify(structured, null, 1);
  return { key, text, block: text.length > 60 || text.includes("\n") };
}

function numberText(key: string, value: number): string {
  if (/^(start_time|end_time)/.test(key)) return moment(key, value);
  if (/_us$/.test(key)) return time(value);
  if (/_ms$/.test(key)) return time(value * 1000);
  if (/(_s|elapsed_time)$/.test(key)) return time(value * 1e6);
  if (/bytes/.test(key)) return bytes(value);
  return Number.isInteger(value) ? count(value) : String(value);
}

/** A time since 1970, in the unit of its name, as UTC. */
function moment(key: string, value: number): string {
  const date = new Date(key.endsWith("_us") ? value / 1000 : value * 1000);
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString().replace("T", " ").replace("Z", " UTC");
}

/** Some fields are JSON in a text. */
function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isUnset(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    value === 0 ||
    value === false ||
    (Array.isArray(value) && !value.length) ||
    (typeof value === "object" && value !== null && !Object.keys(value).length)
  );
}

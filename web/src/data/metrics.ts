// compilation_metrics has over a hundred fields. They are put into groups, and their units are read from their names.
import { bytes, count, time } from "../base/format";
import type { Metrics } from "./types";

export interface Metric {
  key: string;
  /** in one line, or a block when it is long or structured */
  text: string;
  block: boolean;
}

export interface MetricGroup {
  title: string;
  items: Metric[];
}

const GROUPS: readonly (readonly [title: string, pattern: RegExp])[] = [
  ["Failure", /^(fail_|exception_|non_compliant|compliant_custom|restart_reasons)/],
  ["Time", /(_time|_us|_s|_ms|_times_us)$|^(start|end|duration)_/],
  ["Graph", /^graph_|^ir_count|^num_|^param_|^dynamic|tensorify|specialize/],
  ["Guards and recompiles", /guard|recompile/],
  ["Caches", /cache|bundle|pgo_/],
  ["Frame", /^(compile_id|frame_|co_|stack_trace|is_forward|is_runtime|log_format)/],
  ["Versions", /version|_type$/],
];

/** Groups that have fields with a value, and the names of the fields without. */
export function groupMetrics(metrics: Metrics): { groups: MetricGroup[]; unset: string[] } {
  const groups = new Map<string, MetricGroup>();
  const unset: string[] = [];
  for (const title of [...GROUPS.map(([name]) => name), "Other"]) groups.set(title, { title, items: [] });
  for (const [key, value] of Object.entries(metrics)) {
    if (isUnset(value)) unset.push(key);
    else groups.get(GROUPS.find(([, pattern]) => pattern.test(key))?.[0] ?? "Other")!.items.push(metric(key, value));
  }
  return { groups: [...groups.values()].filter((group) => group.items.length), unset };
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
  return value === null || value === "" || (Array.isArray(value) && !value.length) || (typeof value === "object" && value !== null && !Object.keys(value).length);
}

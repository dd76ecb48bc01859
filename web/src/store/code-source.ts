// A file of source by rows: lines in order, and gaps between them where the log does not have the text and the file is not in the report.
import { firstLine } from "../lib/text";
import { type CostKey, COSTS, type LineCost } from "./lines";
import type { Report } from "./report";

export interface SourceRow {
  /** from 1; of a gap the first line that is not in the log */
  line: number;
  text: string;
  /** how many lines are missing here; 0: this is a line */
  gap: number;
  cost: LineCost | null;
}

const LONGEST = 1000; // characters of a line

/** The texts of a file's lines in the report, besides those that cost something. */
function* textsIn(report: Pick<Report, "stacks" | "graph_breaks">) {
  for (const { file, line, code } of report.stacks) yield { file, line, code };
  for (const found of report.graph_breaks) yield* found.stack;
}

/** `whole` is the text of the file, if it is in the report; null: only what the log quotes. */
export function sourceRows(
  report: Pick<Report, "lines" | "stacks" | "graph_breaks">,
  file: string,
  whole: string | null = null,
): SourceRow[] {
  return whole === null ? quotedRows(report, file) : wholeRows(report, file, whole);
}

function wholeRows({ lines }: Pick<Report, "lines">, file: string, whole: string): SourceRow[] {
  const costs = new Map((lines ?? []).filter((cost) => cost.file === file).map((cost) => [cost.line, cost]));
  const texts = whole.split("\n");
  if (texts.at(-1) === "") texts.pop();
  return texts.map((text, i) => ({ line: i + 1, text: cut(text), gap: 0, cost: costs.get(i + 1) ?? null }));
}

const cut = (text: string) => (text.endsWith("\r") ? text.slice(0, -1) : text).slice(0, LONGEST);

function quotedRows(report: Pick<Report, "lines" | "stacks" | "graph_breaks">, file: string): SourceRow[] {
  const lines = new Map<number, { text: string; cost: LineCost | null }>();
  for (const cost of report.lines ?? [])
    if (cost.file === file)
      lines.set(cost.line, { text: cost.text ?? (cost.function === null ? "" : `def ${cost.function}`), cost });
  for (const { file: other, line, code } of textsIn(report)) {
    if (other !== file || !line || !code) continue;
    const text = firstLine(code, LONGEST);
    const held = lines.get(line);
    if (!held) lines.set(line, { text, cost: null });
    else if (!held.cost?.text) held.text = text;
  }
  const rows: SourceRow[] = [];
  let next = 1;
  for (const line of [...lines.keys()].sort((a, b) => a - b)) {
    if (line > next) rows.push({ line: next, text: "", gap: line - next, cost: null });
    rows.push({ line, gap: 0, ...lines.get(line)! });
    next = line + 1;
  }
  return rows;
}

/** The costs that any line of the file has, the most telling first. */
export const costsOf = (rows: readonly SourceRow[]): CostKey[] =>
  COSTS.filter((key) => rows.some(({ cost }) => cost?.[key]));

/** What hot lines are measured by: run time, else compile time, else ops; what there is. */
export const heatOf = (rows: readonly SourceRow[]): CostKey | null =>
  (["run_us", "compile_us", "ops", "kernels", "guards", "recompiles", "breaks"] as const).find((key) =>
    rows.some(({ cost }) => cost?.[key]),
  ) ?? null;

export interface HotSpot {
  /** the place in the file, from 0 to 1 */
  at: number;
  /** of the largest, from 0 to 1 */
  share: number;
  /** the line that costs most here */
  line: number;
  value: number;
}

/** A file divided into stretches, those that cost something; each stands for its most expensive line. */
export function hotSpots(rows: readonly SourceRow[], key: CostKey, stretches: number): HotSpot[] {
  const last = rows.at(-1)?.line ?? 1;
  const found = new Map<number, { line: number; value: number }>();
  for (const { line, cost } of rows) {
    const value = cost?.[key] ?? 0;
    const stretch = Math.min(stretches - 1, Math.floor(((line - 1) / last) * stretches));
    if (value > (found.get(stretch)?.value ?? 0)) found.set(stretch, { line, value });
  }
  const most = Math.max(...[...found.values()].map(({ value }) => value), 1);
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([stretch, { line, value }]) => ({ at: stretch / stretches, share: value / most, line, value }));
}

// What a line costs in words and figures.
import { bytes, count, plural, time } from "../../lib/text";
import { COSTS, type CostKey, type LineCost } from "../../store/lines";

export const COST_TITLES: Record<CostKey, string> = {
  run_us: "Run time",
  compile_us: "Compile",
  recompiles: "Recompiles",
  breaks: "Breaks",
  saved_bytes: "Saved",
  kernels: "Kernels",
  guards: "Guards",
  ops: "Ops",
};

const WORDS: Record<CostKey, string> = {
  run_us: "run time",
  compile_us: "compile time",
  recompiles: "recompile",
  breaks: "graph break",
  saved_bytes: "saved for the backward",
  kernels: "kernel",
  guards: "guard",
  ops: "op",
};

/** Amounts that are no counts. */
const AMOUNTS: Partial<Record<CostKey, (value: number) => string>> = {
  run_us: time,
  compile_us: time,
  saved_bytes: bytes,
};

export const costWord = (key: CostKey): string => (AMOUNTS[key] ? WORDS[key] : `${WORDS[key]}s`);
export const costFigure = (key: CostKey, value: number): string => (AMOUNTS[key] ?? count)(value);
/** "3 graph breaks", "1.20 ms run time" */
export const costText = (key: CostKey, value: number): string =>
  AMOUNTS[key] ? `${AMOUNTS[key](value)} ${WORDS[key]}` : plural(value, WORDS[key]);

/** All that a line costs: "1.20 ms compile time · 14 guards · 48 ops". */
export const costSummary = (cost: LineCost): string =>
  COSTS.filter((key) => cost[key])
    .map((key) => costText(key, cost[key]!))
    .join(" · ");

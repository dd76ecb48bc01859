// What a line costs in words and figures.
import { count, plural, time } from "../../lib/text";
import { COSTS, type CostKey, type LineCost } from "../../store/lines";

export const COST_TITLES: Record<CostKey, string> = {
  run_us: "Run time",
  compile_us: "Compile",
  recompiles: "Recompiles",
  breaks: "Breaks",
  kernels: "Kernels",
  guards: "Guards",
  ops: "Ops",
};

const WORDS: Record<CostKey, string> = {
  run_us: "run time",
  compile_us: "compile time",
  recompiles: "recompile",
  breaks: "graph break",
  kernels: "kernel",
  guards: "guard",
  ops: "op",
};

const timed = (key: CostKey): boolean => key === "run_us" || key === "compile_us";

export const costWord = (key: CostKey): string => (timed(key) ? WORDS[key] : `${WORDS[key]}s`);
export const costFigure = (key: CostKey, value: number): string => (timed(key) ? time(value) : count(value));
/** "3 graph breaks", "1.20 ms run time" */
export const costText = (key: CostKey, value: number): string =>
  timed(key) ? `${time(value)} ${WORDS[key]}` : plural(value, WORDS[key]);

/** All that a line costs: "1.20 ms compile time · 14 guards · 48 ops". */
export const costSummary = (cost: LineCost): string =>
  COSTS.filter((key) => cost[key])
    .map((key) => costText(key, cost[key]!))
    .join(" · ");

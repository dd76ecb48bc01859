// What lines and files of source cost.
import type { Report } from "./report";

export type LineCost = NonNullable<Report["lines"]>[number];

/** The sums of a file's lines. */
export interface FileCost {
  file: string;
  library: boolean;
  lines: number;
  run_us: number | null;
  compile_us: number;
  recompiles: number;
  breaks: number;
  guards: number;
  ops: number;
  kernels: number;
  saved_bytes: number;
}

/** Columns of what a line costs, the most telling first. */
export const COSTS = [
  "run_us",
  "compile_us",
  "recompiles",
  "breaks",
  "saved_bytes",
  "kernels",
  "guards",
  "ops",
] as const;
export type CostKey = (typeof COSTS)[number];

/** Negative if the first costs more. */
function byCost(a: LineCost | FileCost, b: LineCost | FileCost): number {
  for (const key of COSTS) {
    const more = (b[key] ?? 0) - (a[key] ?? 0);
    if (more) return more;
  }
  return 0;
}

/** By cost; files of the program before those of libraries. */
export function fileCosts(lines: readonly LineCost[]): FileCost[] {
  const files = new Map<string, FileCost>();
  for (const line of lines) {
    let file = files.get(line.file);
    if (!file) {
      file = {
        file: line.file,
        library: line.library,
        lines: 0,
        run_us: line.run_us === null ? null : 0,
        compile_us: 0,
        recompiles: 0,
        breaks: 0,
        guards: 0,
        ops: 0,
        kernels: 0,
        saved_bytes: 0,
      };
      files.set(line.file, file);
    }
    file.lines++;
    if (file.run_us !== null) file.run_us += line.run_us ?? 0;
    for (const key of ["compile_us", "recompiles", "breaks", "guards", "ops", "kernels", "saved_bytes"] as const)
      file[key] += line[key];
  }
  return [...files.values()].sort((a, b) => Number(a.library) - Number(b.library) || byCost(a, b));
}

/** Lines by cost; those of the program before those of libraries. */
export const userFirst = (lines: readonly LineCost[]): LineCost[] =>
  [...lines].sort((a, b) => Number(a.library) - Number(b.library) || byCost(a, b));

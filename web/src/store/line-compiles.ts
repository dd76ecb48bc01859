// Which compiles a line of source is part of: those with an operation or a kernel from it, and those whose frame begins there.
import type { Report } from "./report";

export interface LineCompiles {
  /** keys of compiles with an operation or a kernel from the line, as many as the report lists */
  parts: readonly string[];
  /** these, and those whose frame begins there */
  keys: readonly string[];
  /** how many more compiles have operations or kernels of the line; null: unknown */
  more: number | null;
}

export function lineCompiles(
  report: Pick<Report, "lines" | "compiles">,
  { file, line }: { file: string; line: number },
): LineCompiles {
  const found = report.lines?.find((other) => other.line === line && other.file === file);
  const parts = found?.compiles ?? [];
  const begins = report.compiles.filter(({ frame }) => frame?.line === line && frame.file === file);
  return {
    parts,
    keys: [...new Set([...parts, ...begins.map(({ key }) => key)])],
    more: !found ? 0 : found.compile_count === null ? null : found.compile_count - parts.length,
  };
}

// Artifacts that are tables or pictures. What the tables hold report.json says (src/scan/record_tables.h); a picture is read from its text, which no one vouches for.
import type { RecordTable, RecordTables } from "./generated/report";
export type { RecordTable, RecordTables };

export type RecordCell = RecordTable["rows"][number][number];

/** A number with six digits at most, as the text beneath has them all. */
export const cellText = (cell: RecordCell): string =>
  cell === null
    ? ""
    : typeof cell === "number" && !Number.isInteger(cell)
      ? String(Number(cell.toPrecision(6)))
      : String(cell);

/** Columns of numbers, which are aligned right. */
export const numberColumns = (table: RecordTable): boolean[] =>
  table.columns.map(
    (_, i) =>
      table.rows.some((row) => typeof row[i] === "number") &&
      table.rows.every((row) => typeof row[i] !== "string" || row[i] === "inf"),
  );

const PICTURE = 4 << 20;
/** Half of a surrogate pair, which no address can hold. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The address of a picture for <img>, where neither scripts nor links of an SVG have any effect; null where the artifact is none. Its markup must never
 * become part of the page.
 */
export function recordPicture(name: string, text: string): string | null {
  if (name !== "min_cut_failed_svg" || text.length > PICTURE || !/<svg[\s>]/.test(text)) return null;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.replace(LONE, "\ufffd"))}`;
}

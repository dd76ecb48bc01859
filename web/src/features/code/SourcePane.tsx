// The file of the chosen line with what its lines cost: whole, or as far as the log has its text.
import { useMemo } from "preact/hooks";
import { NARROW, useMedia } from "../../lib/hooks";
import { baseName, count, plural } from "../../lib/text";
import { costsOf, heatOf, type SourceRow } from "../../store/code-source";
import type { CostKey } from "../../store/lines";
import type { Margin, Pane } from "../../ui/viewer/types";
import { COST_TITLES, costFigure, costWord } from "./costs";
import { Minimap } from "./Minimap";
import { PaneBox, type PaneText } from "./PaneBox";
import type { Source } from "./useSource";

const COLUMNS = 4; // more leave no room for the text
const COLUMNS_NARROW = 2;

interface Props {
  file: string;
  line: number;
  source: Source;
  /** lines of the file to mark */
  lines: readonly number[];
  /** whether the line was chosen here, not in another pane */
  own: boolean;
  onLine: (line: number) => void;
  onPane: (pane: Pane | null) => void;
}

export function SourcePane({ file, line, source, lines, own, onLine, onPane }: Props) {
  const { rows, loading } = source;
  const narrow = useMedia(NARROW);
  const shown = useMemo(() => costsOf(rows).slice(0, narrow ? COLUMNS_NARROW : COLUMNS), [rows, narrow]);
  const text = useMemo(() => sourceText(rows, shown), [rows, shown]);
  const rowOf = useMemo(() => new Map(rows.flatMap((row, i) => (row.gap ? [] : [[row.line, i + 1]]))), [rows]);
  const marked = useMemo(() => lines.flatMap((n) => rowOf.get(n) ?? []).sort((a, b) => a - b), [lines, rowOf]);
  const at = rowOf.get(line) ?? null;
  const heat = heatOf(rows);
  return (
    <PaneBox
      title="Source"
      note={<SourceNote file={file} source={source} />}
      text={rows.length ? text : null}
      why={loading ? "Loading…" : "No record of the log has text of this file"}
      lines={marked}
      at={at}
      near={own}
      onPick={(row) => !rows[row - 1]?.gap && rows[row - 1] && onLine(rows[row - 1]!.line)}
      onPane={onPane}
      above={
        shown.length > 0 && (
          <div class="cost-heads" aria-hidden="true">
            {shown.map((key) => (
              <span key={key} title={`${costWord(key)}, of all compiles`}>
                {COST_TITLES[key]}
              </span>
            ))}
          </div>
        )
      }
      beside={heat && <Minimap rows={rows} measure={heat} line={line} onLine={onLine} />}
    />
  );
}

function SourceNote({ file, source: { rows, from, error } }: { file: string; source: Source }) {
  const name = baseName(file);
  if (from)
    return (
      <span title={`${from.folder}/${from.below}: ${agreement(from.quoted)}`}>
        {name}, {plural(rows.length, "line")}, from {from.folder}
      </span>
    );
  const known = plural(rows.filter((row) => !row.gap).length, "line");
  return (
    <span title={error ?? undefined}>
      {name}, {known} in the log{error !== null && "; the whole file could not be loaded"}
    </span>
  );
}

const agreement = (quoted: number) =>
  quoted === 1
    ? "the line that the log quotes is the same"
    : `all ${count(quoted)} lines that the log quotes are the same`;

function sourceText(rows: readonly SourceRow[], costs: readonly CostKey[]): PaneText {
  const last = rows.at(-1);
  return {
    text: rows.map((row) => (row.gap ? `⋯ ${plural(row.gap, "line")} not in the log` : row.text)).join("\n"),
    lang: "python",
    // The editor asks for a number beyond the last one to know how wide they are.
    numbers: (n) => (rows[n - 1]?.gap ? "" : `${(rows[n - 1] ?? last)?.line ?? n}`),
    margins: costs.map((key) => costMargin(rows, key)),
    gaps: rows.flatMap((row, i) => (row.gap ? [i + 1] : [])),
  };
}

function costMargin(rows: readonly SourceRow[], key: CostKey): Margin {
  const most = rows.reduce((max, { cost }) => Math.max(max, cost?.[key] ?? 0), 1);
  return {
    cell: (n) => {
      const value = rows[n - 1]?.cost?.[key];
      return value ? { text: costFigure(key, value), share: value / most } : null;
    },
  };
}

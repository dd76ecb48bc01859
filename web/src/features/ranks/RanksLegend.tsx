import { useMemo } from "preact/hooks";
import { count, time } from "../../lib/text";
import { STATUSES } from "../../lib/status";
import { kindOf, type CellKind, type MatrixRow } from "../../store/ranks-matrix";
import { SIGNS, STATUS_WORDS } from "../../ui/compile";

export const MATRIX_WORDS: Record<CellKind, string> = { ...STATUS_WORDS, absent: "not compiled" };

interface Props {
  rows: readonly MatrixRow[];
  columns: number;
  by: "status" | "time";
  longest: number;
}

/** What the cells of the compile matrix mean. By status, how many there are of each: together all cells. */
export function MatrixLegend({ rows, columns, by, longest }: Props) {
  const kinds = useMemo(() => countKinds(rows, columns), [rows, columns]);
  const others = useMemo(() => rows.reduce((n, row) => n + row.others.size * row.ranks.length, 0), [rows]);
  return (
    <>
      {by === "status" ? (
        [...STATUSES, "absent" as const]
          .filter((kind) => kinds[kind] > 0)
          .map((kind) => (
            <span key={kind} title={kind === "absent" ? "The rank has no compile with this id." : undefined}>
              {kind === "absent" ? <i class="none" /> : <i style={{ background: `var(--${kind})` }} />}
              {kind !== "absent" && <span aria-hidden="true">{SIGNS[kind]} </span>}
              {MATRIX_WORDS[kind]} <b>{count(kinds[kind])}</b>
            </span>
          ))
      ) : (
        <span>
          <i class="scale" /> 1 ms to <b>{time(longest)}</b>, log scale
        </span>
      )}
      {others > 0 && (
        <span title="The rank compiled another function under this id than the first rank that has the id.">
          {by === "status" && "of which "}
          <i class="other" />≠ different function <b>{count(others)}</b>
        </span>
      )}
    </>
  );
}

function countKinds(rows: readonly MatrixRow[], columns: number): Record<CellKind, number> {
  const counts: Record<CellKind, number> = { ok: 0, restart: 0, error: 0, empty: 0, missing: 0, absent: 0 };
  for (const row of rows) for (let c = 0; c < columns; c++) counts[kindOf(row, c)] += row.ranks.length;
  return counts;
}

// Where in a file the cost is: a mark for each stretch, as strong as its most expensive line.
import { useMemo } from "preact/hooks";
import { hotSpots, type SourceRow } from "../../store/code-source";
import type { CostKey } from "../../store/lines";
import { costText, costWord } from "./costs";

const STRETCHES = 120;

interface Props {
  rows: readonly SourceRow[];
  measure: CostKey;
  line: number;
  onLine: (line: number) => void;
}

/** For the mouse: the keyboard reaches the same lines with the arrows, and the list sorts them. */
export function Minimap({ rows, measure, line, onLine }: Props) {
  const spots = useMemo(() => hotSpots(rows, measure, STRETCHES), [rows, measure]);
  const last = rows.at(-1)?.line ?? 1;
  return (
    <div class="minimap" aria-hidden="true" title={`Lines by ${costWord(measure)}`}>
      <i class="here" style={{ top: `${(100 * (line - 1)) / last}%` }} />
      {spots.map((spot) => (
        <button
          key={spot.at}
          type="button"
          tabIndex={-1}
          title={`line ${spot.line}: ${costText(measure, spot.value)}`}
          style={{ top: `${100 * spot.at}%`, height: `${100 / STRETCHES}%`, "--share": spot.share.toFixed(2) }}
          onClick={() => onLine(spot.line)}
        />
      ))}
    </div>
  );
}

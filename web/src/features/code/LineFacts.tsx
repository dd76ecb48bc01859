// What the chosen line costs, where its code is, and what there is to say if the panes have nothing of it.
import { replaceQuery } from "../../lib/address";
import { count, plural } from "../../lib/text";
import type { Related, SourcePlace } from "../../store/code-pairs";
import type { LineCost } from "../../store/lines";
import { useStore } from "../../ui/page";
import { PlaceText } from "../../ui/text";
import { costSummary } from "./costs";
import type { FoundCompiles } from "./useLine";

const OTHERS = 8;

interface Props {
  place: SourcePlace;
  cost: LineCost | null;
  related: Related;
  shown: string | undefined;
  /** the compile that is shown has nothing of the line */
  missing: boolean;
  /** what was chosen comes from no line that the log names */
  alone: boolean;
  compiles: FoundCompiles;
}

export function LineFacts({ place, cost, related, shown, missing, alone, compiles: { parts, left } }: Props) {
  const store = useStore();
  const others = parts.filter((key) => key !== shown);
  const places = related.places.filter(({ file, line }) => file !== place.file || line !== place.line);
  return (
    <p class="line-facts" role="status">
      <PlaceText place={{ ...place, function: null }} full />
      {cost && <span title="Of all compiles">{costSummary(cost)}</span>}
      {places.length > 0 && <span>{plural(places.length, "more line")} of source marked</span>}
      {alone && <span class="muted">The log names no source line for what is chosen</span>}
      {missing && shown !== undefined && (
        <span>
          <span class="muted">
            {cost?.function
              ? `${cost.function} begins here; no op or kernel is of this very line`
              : `No op or kernel from this line in ${store.name(shown)}`}
          </span>
          {others.length > 0 && ", but in "}
          {others.slice(0, OTHERS).map((key) => (
            <button
              key={key}
              type="button"
              class="plain link"
              onClick={() => replaceQuery({ compile: key, graph: null, pick: null })}
            >
              {store.name(key)}
            </button>
          ))}
          {others.length > OTHERS && ` and ${count(others.length - OTHERS)} more`}
        </span>
      )}
      {left > 0 && <span class="muted">{plural(left, "large compile")} not searched for this line</span>}
    </p>
  );
}

// What the chosen line costs, where its code is, and what there is to say if the panes have nothing of it.
import { replaceQuery } from "../../lib/address";
import { count, plural } from "../../lib/text";
import type { SourcePlace } from "../../store/code-pairs";
import type { LineCost } from "../../store/lines";
import { useStore } from "../../ui/page";
import { PlaceText } from "../../ui/text";
import { costSummary } from "./costs";
import type { Choice } from "./useChoice";
import type { FoundLine } from "./useLine";

const OTHERS = 8;

interface Props {
  place: SourcePlace;
  cost: LineCost | null;
  choice: Choice;
  found: FoundLine;
}

export function LineFacts({ place, cost, choice: { pick, related }, found: { key, shown, compiles } }: Props) {
  const places = related.places.filter(({ file, line }) => file !== place.file || line !== place.line);
  return (
    <p class="line-facts" role="status">
      <PlaceText place={{ ...place, function: null }} full />
      {cost && <span title="Of all compiles">{costSummary(cost)}</span>}
      {places.length > 0 && <span>{plural(places.length, "more line")} of source marked</span>}
      {pick && shown && !related.places.length && (
        <span class="muted">The log names no source line for what is chosen</span>
      )}
      {key !== undefined && shown && !pick && !shown.pairs.has(place) && (
        <Missing shown={key} begins={cost?.function ?? null} others={compiles.parts.filter((other) => other !== key)} />
      )}
    </p>
  );
}

interface MissingProps {
  shown: string;
  /** the function of a frame that begins on the line */
  begins: string | null;
  /** compiles that have the line */
  others: readonly string[];
}

/** The compile that is shown has nothing of the line. */
function Missing({ shown, begins, others }: MissingProps) {
  const store = useStore();
  return (
    <span>
      <span class="muted">
        {begins === null
          ? `No op or kernel from this line in ${store.name(shown)}`
          : `${begins} begins here; no op or kernel is of this very line`}
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
  );
}

import { count } from "../../lib/text";
import { FilterBox } from "../../ui/PageHead";

interface Props {
  value: string | undefined;
  found: number | null;
  onStep: (way: 1 | -1) => void;
}

/** Marks matching spans; Enter and Shift+Enter select the next and the previous one. */
export function TimelineSearch({ value, found, onStep }: Props) {
  return (
    <FilterBox
      value={value}
      label="Find span or compile id"
      class="find timeline-find"
      onEnter={(event) => onStep(event.shiftKey ? -1 : 1)}
    >
      {found !== null && (
        <>
          <span class="muted num" aria-live="polite">
            {count(found)} found
          </span>
          <button
            type="button"
            aria-label="Previous"
            title="Previous (p, Shift+Enter)"
            disabled={!found}
            onClick={() => onStep(-1)}
          >
            ‹
          </button>
          <button type="button" aria-label="Next" title="Next (n, Enter)" disabled={!found} onClick={() => onStep(1)}>
            ›
          </button>
        </>
      )}
    </FilterBox>
  );
}

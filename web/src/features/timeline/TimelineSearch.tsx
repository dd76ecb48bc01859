import { useRef } from "preact/hooks";
import { replaceQuery } from "../../lib/address";
import { count } from "../../lib/text";
import { useKeys } from "../../lib/hooks";

interface Props {
  value: string | undefined;
  found: number | null;
  onStep: (way: 1 | -1) => void;
}

/** Marks matching spans; Enter and Shift+Enter select the next and the previous one. */
export function TimelineSearch({ value, found, onStep }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useKeys({
    "/": () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  return (
    <div class="find timeline-find">
      <input
        ref={input}
        type="search"
        aria-label="Find span or compile id"
        placeholder="Find span or compile id"
        value={value ?? ""}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => replaceQuery({ q: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            onStep(event.shiftKey ? -1 : 1);
          } else if (event.key === "Escape") {
            event.preventDefault();
            if (event.currentTarget.value) replaceQuery({ q: null });
            else event.currentTarget.blur();
          }
        }}
      />
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
    </div>
  );
}

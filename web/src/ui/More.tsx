import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { count } from "../lib/format";

/** A list of large items, some at a time: hundreds of cards would make the page slow to open. */
export function More<T>({
  items,
  step,
  children,
  at = -1,
}: {
  items: readonly T[];
  step: number;
  children: (item: T) => ComponentChildren /** an item that must be among the shown */;
  at?: number;
}) {
  const [limit, setLimit] = useState(step);
  const shown = Math.max(limit, at + 1);
  const left = items.length - shown;
  return (
    <>
      {items.slice(0, shown).map(children)}
      {left > 0 && (
        <p class="more">
          <button type="button" onClick={() => setLimit(shown + step)}>
            Show {count(Math.min(step, left))} more of {count(left)}
          </button>
        </p>
      )}
    </>
  );
}

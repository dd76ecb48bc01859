import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useReducer, useState } from "preact/hooks";

export const ROW = 28;

/** virtual-core for preact: only the rows near the view are in the document, so 10,000 cost as much as 50. */
export function useVirtual(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight = ROW,
): Virtualizer<HTMLElement, Element> {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 800, height: 900 },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(0),
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtual.setOptions(options);
  useEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}

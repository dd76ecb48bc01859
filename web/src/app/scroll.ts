import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Pages scroll inside the window, so the browser does not bring their position back after Back. Each entry of the history gets a number;
 * the positions of its scrollers ([data-scroll]) are kept under it.
 */
export function useScrollMemory(main: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const kept = new Map<number, Map<string, number>>();
    let next = 1;
    const number = (): number | null => (history.state as { tl?: number } | null)?.tl ?? null;
    const tag = () => history.replaceState({ tl: next++ }, "");
    if (number() === null) tag();
    else next = number()! + 1;
    let current = number()!;

    const scrolled = (event: Event) => {
      const target = event.target;
      if (!(target instanceof HTMLElement) || !target.dataset.scroll) return;
      const positions = kept.get(current) ?? new Map<string, number>();
      positions.set(target.dataset.scroll, target.scrollTop);
      kept.set(current, positions);
    };
    const moved = () => {
      const known = number();
      if (known === null) {
        tag();
        current = number()!;
        return;
      }
      current = known;
      next = Math.max(next, known + 1);
      const positions = kept.get(current);
      if (positions) restore(main.current, new Map(positions), 20);
    };
    document.addEventListener("scroll", scrolled, { capture: true, passive: true });
    window.addEventListener("hashchange", moved);
    return () => {
      document.removeEventListener("scroll", scrolled, { capture: true });
      window.removeEventListener("hashchange", moved);
    };
  }, [main]);
}

/** What is to be scrolled may come some frames later. */
function restore(main: HTMLElement | null, positions: Map<string, number>, tries: number): void {
  for (const [name, top] of positions) {
    const scroller = main?.querySelector<HTMLElement>(`[data-scroll="${name}"]`);
    if (!scroller) continue;
    scroller.scrollTop = top;
    if (Math.abs(scroller.scrollTop - top) < 2) positions.delete(name);
  }
  if (positions.size && tries) requestAnimationFrame(() => restore(main, positions, tries - 1));
}

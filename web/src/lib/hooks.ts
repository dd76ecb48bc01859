import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { renewal } from "./renewal";
import { onColors } from "./theme";

export type Loaded<T> = { state: "loading" } | { state: "ready"; value: T } | { state: "failed"; error: Error };

/** The result of a promise; a newer one (other `deps`) replaces an older one. */
export function useLoaded<T>(make: () => Promise<T>, deps: readonly unknown[]): Loaded<T> {
  const [held, setHeld] = useState<{ deps: readonly unknown[]; of: number; loaded: Loaded<T> }>({
    deps,
    of: renewal(),
    loaded: { state: "loading" },
  });
  useEffect(() => {
    let current = true;
    const set = (loaded: Loaded<T>) => current && setHeld({ deps, of: renewal(), loaded });
    make().then(
      (value) => set({ state: "ready", value }),
      (error: unknown) => set({ state: "failed", error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => {
      current = false;
    };
  }, deps);
  // What was loaded for other deps must not be shown for these, not even for one frame; except if the report was renewed: what it said
  // before stays until the new one is there, so that the page keeps its height.
  if (held.of !== renewal() && held.loaded.state === "ready") return held.loaded;
  return held.deps.length === deps.length && held.deps.every((dep, i) => dep === deps[i])
    ? held.loaded
    : { state: "loading" };
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useLayoutEffect(() => {
    const media = matchMedia(query);
    const changed = () => setMatches(media.matches);
    media.addEventListener("change", changed);
    changed();
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return matches;
}

/** As onColors(), while the component is there. */
export function useColorsChanged(changed: () => void): void {
  const held = useRef(changed);
  held.current = changed;
  useLayoutEffect(() => onColors(() => held.current()), []);
}

export const NARROW = "(max-width: 760px)";

/** The document's title says the place: it is what tabs, history and bookmarks show. */
export function useTitle(text: string): void {
  useLayoutEffect(() => {
    document.title = text ? `${text} · tlparse` : "tlparse";
  }, [text]);
}

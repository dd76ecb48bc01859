// What components use of the page: what is loaded, media queries, colors, the title, the keyboard.
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

// The keyboard: one listener, a stack of maps. The map that came last answers first, so a page overrides the frame around it.

export type KeyMap = Record<string, (event: KeyboardEvent) => void>;

const maps: { current: KeyMap }[] = [];
let prefix = "";
let prefixUntil = 0;

/** "g o" for a sequence, "mod+f" for Ctrl or Command, "Escape", "?", "ArrowDown", … */
export function keyName(event: KeyboardEvent): string {
  const key = event.key.length === 1 && event.key !== " " ? event.key : event.key === " " ? "Space" : event.key;
  if (event.ctrlKey || event.metaKey) return `mod+${key.toLowerCase()}`;
  return event.altKey ? `alt+${key}` : key;
}

export function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const name = keyName(event);
  if (typing(event.target) && name !== "Escape" && !name.startsWith("mod+")) return;
  const now = Date.now();
  const full = prefix && now < prefixUntil ? `${prefix} ${name}` : name;
  prefix = "";
  const lowest = document.querySelector("dialog[open]") ? maps.length - 1 : 0; // an open dialog has the keyboard for itself
  for (let i = maps.length - 1; i >= lowest; i--) {
    const action = maps[i]!.current[full];
    if (action) {
      event.preventDefault();
      action(event);
      return;
    }
  }
  if (maps.some((map) => Object.keys(map.current).some((key) => key.startsWith(`${name} `)))) {
    prefix = name;
    prefixUntil = now + 1500;
  }
}

/** `under`: all other maps answer first, whichever came first (a page's effects run before those of the frame around it). */
export function useKeys(map: KeyMap, { under = false } = {}): void {
  const held = useRef(map);
  held.current = map;
  // Before what it belongs to is seen: a key that is pressed at once is not lost.
  useLayoutEffect(() => {
    if (!maps.length) document.addEventListener("keydown", handle);
    if (under) maps.unshift(held);
    else maps.push(held);
    return () => {
      maps.splice(maps.indexOf(held), 1);
      if (!maps.length) document.removeEventListener("keydown", handle);
    };
  }, [under]);
}

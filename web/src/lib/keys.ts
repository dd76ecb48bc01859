// The keyboard: one listener, a stack of maps. The map that came last answers first, so a page overrides the frame around it.
import { useLayoutEffect, useRef } from "preact/hooks";

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

// Which rooms' help was read: it is then folded away. localStorage may throw (file://, private windows); then it holds for this page only.
const KEY = "tlparse-help-read";
const ALL = "*";
let read: Set<string> | null = null;

function load(): Set<string> {
  try {
    return new Set((localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean));
  } catch {
    return new Set();
  }
}

const nameOf = (room: string): string => room || "overview";

export function isRead(room: string): boolean {
  read ??= load();
  return read.has(ALL) || read.has(nameOf(room));
}

/** null: all rooms. */
export function setRead(room: string | null): void {
  read ??= load();
  read.add(room === null ? ALL : nameOf(room));
  try {
    localStorage.setItem(KEY, [...read].join(" "));
  } catch {
    // it holds for this page
  }
}

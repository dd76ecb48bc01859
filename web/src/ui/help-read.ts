// Which pages' help was read: it is then folded away. localStorage may throw (file://, private windows); then it holds for this page only.
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

const nameOf = (page: string): string => page || "overview";

export function isRead(page: string): boolean {
  read ??= load();
  return read.has(ALL) || read.has(nameOf(page));
}

/** null: all pages. */
export function setRead(page: string | null): void {
  read ??= load();
  read.add(page === null ? ALL : nameOf(page));
  try {
    localStorage.setItem(KEY, [...read].join(" "));
  } catch {
    // it holds for this page
  }
}

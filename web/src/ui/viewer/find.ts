// Search over the text as one string. The editor's own cursor compares letter by letter and takes seconds for 5 MB.
import { pattern as expression } from "../../lib/search";

export interface Query {
  search: string;
  caseSensitive: boolean;
  regexp: boolean;
  wholeWord: boolean;
}

export interface Match {
  from: number;
  to: number;
}

const COUNT_LIMIT = 100_000;
const COUNT_MS = 60;

function pattern({ search, caseSensitive, regexp, wholeWord }: Query): RegExp {
  return expression({ text: search, caseSensitive, regexp, word: wholeWord }) ?? /(?!)/g;
}

/** The first match from `at` on (way 1), or the last that ends at or before `at` (way -1); round the end when there is none. */
export function findMatch(text: string, query: Query, at: number, way: 1 | -1): Match | null {
  if (way === 1) return first(text, query, at) ?? first(text, query, 0);
  return last(text, query, at) ?? last(text, query, text.length);
}

function first(text: string, query: Query, at: number): Match | null {
  const re = pattern(query);
  re.lastIndex = at;
  for (let found = re.exec(text); found; found = re.exec(text)) {
    if (found[0]) return { from: found.index, to: re.lastIndex };
    re.lastIndex++; // a match of nothing, such as of x*
  }
  return null;
}

/** Backwards in pieces that grow: regular expressions run forwards only. */
function last(text: string, query: Query, until: number): Match | null {
  for (let size = 20_000; ; size *= 4) {
    const start = Math.max(0, until - size);
    const re = pattern(query);
    re.lastIndex = start;
    let match: Match | null = null;
    for (let found = re.exec(text); found && re.lastIndex <= until; found = re.exec(text)) {
      if (found[0]) match = { from: found.index, to: re.lastIndex };
      else re.lastIndex++;
    }
    if (match || start === 0) return match;
  }
}

/** How many there are, and which of them is the chosen one (0: none). Counting ends after some time: a letter occurs a million times. */
export function countMatches(
  text: string,
  query: Query,
  from: number,
  to: number,
): { count: number; current: number; more: boolean } {
  const re = pattern(query);
  const until = performance.now() + COUNT_MS;
  let count = 0;
  let current = 0;
  for (let found = re.exec(text); found; found = re.exec(text)) {
    if (!found[0]) {
      re.lastIndex++;
      continue;
    }
    count++;
    if (found.index === from && re.lastIndex === to) current = count;
    if (count >= COUNT_LIMIT || (count % 1024 === 0 && performance.now() > until))
      return { count, current, more: true };
  }
  return { count, current, more: false };
}

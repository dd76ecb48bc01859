// A search over texts: the same in the worker and in tests.
export interface SearchQuery {
  text: string;
  regexp: boolean;
  caseSensitive: boolean;
  /** no letter, digit or _ comes before or after it */
  word: boolean;
}

export interface Hit {
  /** from 1 */
  line: number;
  /** the line, or the part of a long one that holds the match */
  text: string;
  /** the match in `text` */
  from: number;
  to: number;
}

export interface TextHits {
  count: number;
  /** there are more than were counted */
  more: boolean;
  hits: Hit[];
}

export const HITS_SHOWN = 5; // of one artifact
const COUNT_LIMIT = 10_000;
const BEFORE = 60; // characters of a long line before the match
const SHOWN = 240;

/** null where the expression is not one. */
export function pattern(query: SearchQuery): RegExp | null {
  try {
    return compile(query);
  } catch {
    return null;
  }
}

/** What is wrong with the expression, in the browser's words; null if nothing is. */
export function patternError(query: SearchQuery): string | null {
  try {
    compile({ ...query, word: false });
    compile(query);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(
      /^Invalid regular expression: (?:.*: )?/s,
      "",
    );
  }
}

function compile({ text, regexp, caseSensitive, word }: SearchQuery): RegExp {
  const source = regexp ? text : text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(word ? `(?<!\\w)(?:${source})(?!\\w)` : source, caseSensitive ? "gm" : "gim");
}

/** Whether a repeat or a choice is repeated, as in (a+)+: such an expression may need longer than anyone waits. Rather once too often than too seldom. */
export function mayRunAway(source: string): boolean {
  const groups = [false]; // whether what is in each open group repeats or chooses
  for (let i = 0; i < source.length; i++) {
    const c = source[i]!;
    if (c === "\\") i++;
    else if (c === "[") {
      for (i++; i < source.length && source[i] !== "]"; i++) if (source[i] === "\\") i++;
    } else if (c === "(") {
      groups.push(false);
      if (source[i + 1] === "?") i++;
    } else if (c === ")" && groups.length > 1) {
      const inner = groups.pop()!;
      if (inner && /[*+{]/.test(source[i + 1] ?? "")) return true;
      if (inner) groups[groups.length - 1] = true;
    } else if (/[*+?{|]/.test(c)) groups[groups.length - 1] = true;
  }
  return false;
}

const SLICE = 1 << 18;

/** As searchText, in slices of whole lines: the caller may do other things between them. What goes over the end of a slice is not found. */
export function* searchSlices(text: string, query: SearchQuery): Generator<void, TextHits> {
  const all: TextHits = { count: 0, more: false, hits: [] };
  let line = 0;
  for (let at = 0; at < text.length;) {
    const newline = at + SLICE < text.length ? text.indexOf("\n", at + SLICE) : -1;
    const end = newline < 0 ? text.length : newline + 1;
    const slice = text.slice(at, end);
    const found = searchText(slice, query);
    for (const hit of found.hits.slice(0, HITS_SHOWN - all.hits.length))
      all.hits.push({ ...hit, line: hit.line + line });
    all.count = Math.min(COUNT_LIMIT, all.count + found.count);
    all.more ||= found.more || all.count === COUNT_LIMIT;
    if (all.more) break;
    for (let i = slice.indexOf("\n"); i >= 0; i = slice.indexOf("\n", i + 1)) line++;
    at = end;
    yield;
  }
  return all;
}

/** Lines with a match count once each. */
export function searchText(text: string, query: SearchQuery): TextHits {
  const found: TextHits = { count: 0, more: false, hits: [] };
  const re = pattern(query);
  if (!re) return found;
  let line = 1;
  let counted = 0; // up to here lines are counted
  for (let match = re.exec(text); match; match = re.exec(text)) {
    if (!match[0]) {
      re.lastIndex++; // a match of nothing, such as of x*
      if (re.lastIndex > text.length) break;
      continue;
    }
    if (++found.count > COUNT_LIMIT) {
      found.count = COUNT_LIMIT;
      found.more = true;
      break;
    }
    const begin = text.lastIndexOf("\n", match.index - 1) + 1;
    const newline = text.indexOf("\n", match.index);
    const end = newline < 0 ? text.length : newline;
    if (found.hits.length < HITS_SHOWN) {
      for (let at = text.indexOf("\n", counted); at >= 0 && at < begin; at = text.indexOf("\n", counted)) {
        line++;
        counted = at + 1;
      }
      found.hits.push(hitOf(text, line, begin, end, match.index, match.index + match[0].length));
    }
    re.lastIndex = Math.max(end, re.lastIndex); // on to the next line
  }
  return found;
}

function hitOf(text: string, line: number, begin: number, end: number, from: number, to: number): Hit {
  const indent = /^\s*/.exec(text.slice(begin, Math.min(from, begin + 200)))![0].length;
  const at = from - begin - indent > BEFORE ? from - BEFORE : begin + indent;
  const head = at > begin + indent ? "…" : "";
  const shown = text.slice(at, Math.min(end, at + SHOWN));
  return {
    line,
    text: head + shown + (at + SHOWN < end ? "…" : ""),
    from: head.length + from - at,
    to: head.length + Math.min(to, at + shown.length) - at,
  };
}

/** A query in an artifact's address, `f` the text and `fo` the switches: what was found is marked there. One that may run away is not carried. */
export function toFound(query: SearchQuery): Record<string, string> {
  if (query.regexp && mayRunAway(query.text)) return {};
  return { f: query.text, fo: `${query.regexp ? "r" : ""}${query.caseSensitive ? "c" : ""}${query.word ? "w" : ""}` };
}

export function fromFound({ f = "", fo = "" }: Record<string, string>): SearchQuery | null {
  const query = { text: f, regexp: fo.includes("r"), caseSensitive: fo.includes("c"), word: fo.includes("w") };
  return f && pattern(query) && !(query.regexp && mayRunAway(f)) ? query : null;
}

// A search over texts: the same in the worker and in tests.
export interface SearchQuery {
  text: string;
  regexp: boolean;
  caseSensitive: boolean;
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
    return new RegExp(query.regexp ? query.text : query.text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), query.caseSensitive ? "gm" : "gim");
  } catch {
    return null;
  }
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
  const start = from - begin > BEFORE && end - begin > SHOWN ? from - BEFORE : begin;
  const indent = start === begin ? /^\s*/.exec(text.slice(begin, Math.min(from, begin + 200)))![0].length : 0;
  const at = start + indent;
  const head = start > begin ? "…" : "";
  const shown = text.slice(at, Math.min(end, at + SHOWN));
  return { line, text: head + shown + (at + SHOWN < end ? "…" : ""), from: head.length + from - at, to: head.length + Math.min(to, at + shown.length) - at };
}

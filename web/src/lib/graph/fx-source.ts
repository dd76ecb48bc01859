// The comments of a graph about the nodes below them, "# File: /x.py:7 in f, code: return x": src/scan/node_sources.c.

export interface FxSource {
  /** null: the nodes have no place */
  file: string | null;
  line: number;
  function: string | null;
  code: string | null;
}

export const NO_SOURCE: FxSource = { file: null, line: 0, function: null, code: null };
const CODE_MAX = 300; // bytes
const FILE = " File: ";
const IN = " in ";
const CODE = ", code: ";

/** What the comment says about the nodes below it; null: nothing. */
export function readSource(comment: string): FxSource | null {
  const at = comment.indexOf(FILE); // "Annotation: {…}" may precede it
  if (at < 0) return comment.includes(" No stacktrace") ? NO_SOURCE : null;
  const rest = comment.slice(at + FILE.length);
  const codeAt = rest.indexOf(CODE);
  const code = codeAt < 0 ? null : firstBytes(rest.slice(codeAt + CODE.length));
  let place = codeAt < 0 ? rest : rest.slice(0, codeAt);
  const inAt = place.indexOf(IN);
  const name = inAt < 0 ? null : place.slice(inAt + IN.length);
  if (inAt >= 0) place = place.slice(0, inAt);
  const colon = place.lastIndexOf(":");
  const line = colon < 0 ? -1 : lineNumber(place.slice(colon + 1));
  if (line < 0) return { ...NO_SOURCE, function: name, code };
  return { file: place.slice(0, colon), line, function: name, code };
}

/** -1: it is no number, or too large a one. */
function lineNumber(text: string): number {
  const line = /^[0-9]+$/.test(text) ? Number(text) : -1;
  return line <= 0xffffffff ? line : -1;
}

function firstBytes(text: string): string {
  let bytes = 0;
  for (let i = 0; i < text.length && i < CODE_MAX; i++) {
    const c = text.codePointAt(i)!;
    bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (bytes > CODE_MAX) return text.slice(0, i);
    if (c >= 0x10000) i++;
  }
  return text.slice(0, CODE_MAX);
}

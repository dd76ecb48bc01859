import { cppLanguage } from "@codemirror/lang-cpp";
import { jsonLanguage } from "@codemirror/lang-json";
import { pythonLanguage } from "@codemirror/lang-python";
import { StreamLanguage, type StreamParser } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

/** Above this many characters texts stay plain: parsing takes about a second for each 6 MB. */
export const PARSE_LIMIT = 8_000_000;

export function language(lang: string, length: number): Extension {
  if (length > PARSE_LIMIT) return [];
  switch (lang) {
    case "python":
    case "graph": // printed graphs are Python
      return pythonLanguage; // without what an editor has: completion
    case "cpp":
      return cppLanguage;
    case "json":
      return jsonLanguage;
    case "guards":
      return StreamLanguage.define(guards);
    default:
      return [];
  }
}

/** The printed tree of guards: `| | +- EQUALS_MATCH: L['n'] == 3  # file.py:18 in f`. */
const guards: StreamParser<null> = {
  name: "guards",
  startState: () => null,
  token(stream) {
    if (stream.sol() && stream.match(/^[\s|+-]+/)) return "comment";
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^'(?:[^'\\]|\\.)*'|^"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(/^[A-Z][A-Z0-9_]{2,}\b/)) return "keyword";
    if (stream.match(/^[A-Z]\w*(?:Manager|Guard|Accessor)\w*/)) return "typeName";
    if (stream.match(/^\b(?:True|False|None|is|not|and|or|in)\b/)) return "keyword";
    if (stream.match(/^-?\d+(?:\.\d+)?/)) return "number";
    if (!stream.match(/^\w+/)) stream.next();
    return null;
  },
};

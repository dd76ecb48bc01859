// Words, strings and brackets in the text of FX graphs, as src/base/word.h and slice.h have them: what two graphs have in
// common must not depend on which program compares them. Places are indices; behind the end is the length of the text.

/** Letters of any script: Python's names may have them. */
export function isNameCode(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c >= 128;
}

export const isDigitCode = (c: number): boolean => c >= 48 && c <= 57;

const isSpaceCode = (c: number): boolean => c === 32 || c === 9 || c === 13 || c === 10;

const isQuoteCode = (c: number): boolean => c === 34 || c === 39;

export const isQuoteAt = (text: string, at: number): boolean => isQuoteCode(text.charCodeAt(at));
export const isNameAt = (text: string, at: number): boolean => isNameCode(text.charCodeAt(at));
export const isDigitAt = (text: string, at: number): boolean => isDigitCode(text.charCodeAt(at));

/** Behind the word that begins at `from`; `from` where none does. */
export function wordEnd(text: string, from: number): number {
  while (isNameCode(text.charCodeAt(from))) from++;
  return from;
}

/** Behind the string whose opening quote is at `at`. */
export function stringEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at++);
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === quote) return at + 1;
    if (c === 92) at++;
  }
  return text.length;
}

/** +1 for a bracket that opens, -1 for one that closes. */
export function bracketAt(text: string, at: number): number {
  const c = text.charCodeAt(at);
  if (c === 40 || c === 91 || c === 123) return 1;
  return c === 41 || c === 93 || c === 125 ? -1 : 0;
}

/** Behind the bracket that closes the one at `at`; -1: it is not closed before `most`. */
export function bracketEnd(text: string, at: number, most = text.length): number {
  let depth = 0;
  while (at < most) {
    if (isQuoteAt(text, at)) {
      at = stringEnd(text, at);
      continue;
    }
    depth += bracketAt(text, at);
    at++;
    if (!depth) return at;
  }
  return -1;
}

/** Without ASCII white space at both ends; String.trim() removes more. */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpaceCode(text.charCodeAt(from))) from++;
  while (to > from && isSpaceCode(text.charCodeAt(to - 1))) to--;
  return from || to < text.length ? text.slice(from, to) : text;
}

export const spaceEnd = (text: string, from: number): number => {
  while (isSpaceCode(text.charCodeAt(from))) from++;
  return from;
};

/** Whether the text has the word as a whole one. */
export function hasWord(text: string, word: string): boolean {
  for (let i = 0; i < text.length && word;) {
    const end = wordEnd(text, i);
    if (end - i === word.length && text.startsWith(word, i)) return true;
    i = Math.max(end, i + 1);
  }
  return false;
}

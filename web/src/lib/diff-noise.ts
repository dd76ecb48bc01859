// What differs between ranks or runs though nothing is different, by the rules of src/base/noise.json, which src/base/noise.c has too.
import rules from "../../../src/base/noise.json";

interface Word {
  after: string;
  /** the noise goes on while it is of these characters */
  then?: string;
  /** or up to one of these */
  until?: string;
  instead: string;
}
const WORDS: readonly Word[] = rules.words;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
const rest = ({ then, until }: Word): string =>
  then === undefined ? `[^${escaped(until ?? "")}]` : `[${escaped(then)}]`;
const NOISE = new RegExp([...WORDS.map((word) => `(${escaped(word.after)})${rest(word)}*`), "\\d+"].join("|"), "g");

/** Addresses, ids of objects, numbers of devices and temporary paths get one form. */
export function withoutNoise(text: string): string {
  // fx_graph_runnable names the rank for which it can be run again.
  const plain = text.includes("setup_fake_process_groups(")
    ? text.replace(/(setup_fake_process_groups\(.*?'rank': )\d+/g, "$1")
    : text;
  return plain.replace(NOISE, (found: string, ...groups: (string | undefined)[]) => {
    const word = WORDS[groups.slice(0, WORDS.length).findIndex((group) => group !== undefined)];
    if (word) return word.instead;
    const at = groups.at(-2) as unknown as number; // of the digits; those of a fraction are a constant
    return found.length < rules.id_digits || /\d\.$/.test(plain.slice(Math.max(0, at - 2), at))
      ? found
      : rules.id_instead;
  });
}

const TYPE = /^(?:bf|f|i|u|c|int|float|bfloat|uint|complex)(?:8|16|32|64|128)$/;

/** Names without the numbers at their ends (add_3, buf7, primals_1, s77), and no numbers of lines. Types such as f32 keep theirs. */
export function withoutNumbers(text: string): string {
  return text.replace(/\b[A-Za-z_]\w*\b|(:|line )\d+\b/g, (found: string, line: string | undefined) => {
    if (line) return line;
    let end = found.length;
    while (end > 0 && /[\d_]/.test(found[end - 1]!)) end--;
    return end === found.length || end === 0 || TYPE.test(found) ? found : `${found.slice(0, end)}#`;
  });
}

const NOISE_WORDS = WORDS.filter(({ after }) => !after.includes(" ")).map(
  (word) => `${escaped(word.after)}${rest(word)}${word.then === undefined ? "*" : "+"}`,
);
const TOKENS = new RegExp([...NOISE_WORDS, "[\\p{L}\\p{N}_]+", "\\s+", "."].join("|"), "gsu");

/** Words, blanks and signs of a line; a piece of noise is one token, so that it can be passed over as one. */
export function tokens(line: string): string[] {
  return line.match(TOKENS) ?? [];
}

// Names that differ in their numbers, as one. A port of src/base/name_ranges.c, whose header describes the answer.

const NUMBERS = 6;
const RANGES = 3;
/** A number that is a whole part of a name. */
const NUMBER = /(?<=^|[.[])(?:0|[1-9][0-9]{0,8})(?=$|[.[\]])/g;

interface Pattern {
  /** what is around the numbers */
  parts: string[];
  rows: number[][];
}

function readName(name: string): { parts: string[]; numbers: number[] } {
  const parts: string[] = [];
  const numbers: number[] = [];
  let end = 0;
  for (const { 0: text, index } of name.matchAll(NUMBER)) {
    if (numbers.length === NUMBERS) break;
    parts.push(name.slice(end, index));
    numbers.push(Number(text));
    end = index + text.length;
  }
  return { parts: [...parts, name.slice(end)], numbers };
}

/** "0–11", "0–2,5"; with many gaps "*". */
function rangesOf(values: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const value of values) {
    const latest = ranges.at(-1);
    if (latest && latest[1] + 1 === value) latest[1] = value;
    else ranges.push([value, value]);
  }
  return ranges.length > RANGES
    ? "*"
    : ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(",");
}

function textOf({ parts, rows }: Pattern): string {
  const values = rows[0]!.map((_, i) => [...new Set(rows.map((row) => row[i]!))].sort((a, b) => a - b));
  const whole = values.reduce((product, { length }) => product * length, 1) === rows.length;
  return parts
    .map((part, i) => {
      const own = values[i];
      return part + (own ? (own.length > 1 && !whole ? "*" : rangesOf(own)) : "");
    })
    .join("");
}

/** At most `most` texts for the names, and how many more there are: "h.0–11.attn, h.0–11.mlp". */
export function nameRanges(names: Iterable<string>, most: number): string {
  const patterns = new Map<string, Pattern>();
  for (const name of new Set(names)) {
    const { parts, numbers } = readName(name);
    const key = parts.join("\0");
    const pattern = patterns.get(key);
    if (pattern) pattern.rows.push(numbers);
    else patterns.set(key, { parts, rows: [numbers] });
  }
  const shown = [...patterns.values()].slice(0, most).map(textOf);
  const left = patterns.size - shown.length;
  return shown.join(", ") + (left ? ` and ${left} more` : "");
}

// The text of an FX graph as items: the Python code that print_readable() writes, or the lines of a graph's repr. A port of
// src/scan/fx_graph.c. Any text is accepted, in one pass: what is not part of a graph is passed over.
import { bracketAt, isNameAt, isQuoteAt, spaceEnd, stringEnd, trimmed, wordEnd } from "./fx-text";

export type FxKind = "class" | "forward" | "parameter" | "input" | "statement" | "node" | "comment" | "return";

export interface FxItem {
  kind: FxKind;
  /** its line, without indentation; of a parameter empty */
  text: string;
  /** empty: something else than one name is assigned */
  name: string;
  /** null: none is printed */
  type: string | null;
  /** what follows "=" or "return": the end of `text` */
  right: string;
  /** from 0, in the whole text */
  line: number;
  /** the end of the line in the whole text */
  end: number;
}

const FORWARD = "def forward(";
const REPR = "graph():";

const startsWithWord = (line: string, word: string): boolean => line.startsWith(word) && !isNameAt(line, word.length);

/** The start of the right-hand side of the first assignment in the line; -1: there is none. */
function rightSide(line: string): number {
  let depth = 0;
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (isQuoteAt(line, i)) i = stringEnd(line, i) - 1;
    else if (c === "=" && !depth) return i + 1;
    else if (c === ";" || c === "#") return -1;
    else if (depth || bracketAt(line, i) > 0) depth += bracketAt(line, i);
  }
  return -1;
}

/** What is between the quotes of the string from `start` to `end`. */
function quoted(text: string, start: number, end: number): string {
  const closed = end > start + 1 && text[end - 1] === text[start];
  return text.slice(start + 1, closed ? end - 1 : end);
}

/** Where the value of a right side is: without deletions of values ("; x = None") and a comment. */
export function valueRange(right: string): [from: number, to: number] {
  let i = 0;
  for (; i < right.length && right[i] !== ";" && right[i] !== "#"; i++)
    if (isQuoteAt(right, i)) i = stringEnd(right, i) - 1;
  const from = Math.min(spaceEnd(right, 0), i);
  return [from, from + trimmed(right.slice(from, i)).length];
}

/** Whether the value begins with a module of the graph or its attribute: `self.fc`, `getattr(self, "0").weight`. */
export function isModule(value: string): boolean {
  let at = 0;
  while (value.startsWith("getattr(", at)) at += 8;
  return value.startsWith("self", at) && at + 4 < value.length && !isNameAt(value, at + 4);
}

interface Named {
  name: string;
  type: string | null;
  /** what follows */
  at: number;
}

/** `x: "f32[4]"` or `x` at the start of the line. */
function readName(line: string): Named {
  const at = wordEnd(line, 0);
  const name = line.slice(0, at);
  if (!name || !line.startsWith(": ", at) || !isQuoteAt(line, at + 2)) return { name, type: null, at };
  const end = stringEnd(line, at + 2);
  return { name, type: quoted(line, at + 2, end), at: end };
}

/** A line without indentation, behind whose name `at` is, as an assignment. */
function readRight(line: string, { name, type, at }: Named): Pick<FxItem, "name" | "type" | "right"> | null {
  if (name && line.startsWith(" = ", at)) return { name, type, right: line.slice(at + 3) };
  const right = rightSide(line);
  if (right < 0) return null;
  const named = line[at] === ":" || line[at] === "=" || line.startsWith(" =", at);
  return { name: named ? name : "", type, right: line.slice(right) };
}

export function readStatement(line: string): Pick<FxItem, "name" | "type" | "right"> | null {
  return line[0] === "#" ? null : readRight(line, readName(line));
}

export class FxReader {
  private at = 0;
  /** what is left of the current line */
  private rest = "";
  private number = -1;
  private end = 0;
  /** of brackets in the parameters of forward(); 0: not in them */
  private depth = 0;
  private body = false;

  constructor(private readonly text: string) {}

  next(): FxItem | null {
    for (;;) {
      const item = this.depth ? this.parameter() : this.rest ? this.line() : null;
      if (item) return item;
      if (!this.nextLine()) return null;
    }
  }

  private nextLine(): boolean {
    const { text } = this;
    if (this.at >= text.length) return false;
    const found = text.indexOf("\n", this.at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(this.at, end);
    this.rest = trimmed(line);
    this.end = this.at + spaceEnd(line, 0) + this.rest.length;
    this.at = found < 0 ? end : end + 1;
    this.number++;
    return true;
  }

  private item(kind: FxKind, text: string, parts: Partial<FxItem> = {}): FxItem {
    return { kind, text, name: "", type: null, right: "", line: this.number, end: this.end, ...parts };
  }

  /** The next parameter in the line. */
  private parameter(): FxItem | null {
    const line = this.rest;
    let i = 0;
    let ends = false;
    let name = "";
    let type: string | null = null;
    while (i < line.length && this.depth && !ends) {
      const c = line[i]!;
      let next = i + 1;
      if (c === "#") next = line.length;
      else if (isQuoteAt(line, i)) {
        next = stringEnd(line, i);
        if (this.depth === 1 && name && type === null) type = quoted(line, i, next);
      } else if (isNameAt(line, i)) {
        next = wordEnd(line, i);
        name ||= line.slice(i, next);
      } else if (c === "," && this.depth === 1) {
        ends = name !== "" && name !== "self";
        if (!ends) [name, type] = ["", null];
      } else this.depth += bracketAt(line, i);
      i = next;
    }
    this.rest = this.depth ? line.slice(i) : "";
    this.body = !this.depth;
    const whole = ends || !this.depth || this.at < this.text.length; // not cut off by the end of the text
    return whole && name && name !== "self" ? this.item("parameter", "", { name, type }) : null;
  }

  /** What is left of a line outside of a parameter list. */
  private line(): FxItem | null {
    const line = this.rest;
    this.rest = "";
    if (line.startsWith(FORWARD) || line.startsWith(REPR)) return this.forward(line);
    if (startsWithWord(line, "class")) {
      this.body = false;
      const from = spaceEnd(line, 5);
      return this.item("class", line, { name: line.slice(from, wordEnd(line, from)) });
    }
    if (!this.body) return null;
    if (line[0] === "#") return this.item("comment", line);
    if (line[0] === "%") return this.node(line);
    if (startsWithWord(line, "return")) {
      this.body = false;
      return this.item("return", line, { right: line.slice(6) });
    }
    const named = readName(line);
    const input = this.input(line, named);
    if (input) return input;
    const read = readRight(line, named);
    return read && this.item("statement", line, read);
  }

  private forward(line: string): FxItem {
    this.body = line.startsWith(REPR);
    this.depth = this.body ? 0 : 1;
    if (this.depth) this.rest = line.slice(FORWARD.length);
    return this.item("forward", line);
  }

  private node(line: string): FxItem | null {
    const at = rightSide(line);
    if (at < 0) return null;
    return this.item("node", line, { name: line.slice(1, wordEnd(line, 1)), right: trimmed(line.slice(at)) });
  }

  /** `x: "f32[4]";` or a line `x: "f32[4]"`, before the inputs of an exported or a joint graph are unpacked. */
  private input(line: string, { name, type, at }: Named): FxItem | null {
    const more = line[at] === ";";
    const from = spaceEnd(line, at);
    const declares = type !== null && !line.startsWith(" = ", at) && (from === line.length || line[from] === "#");
    if (!name || !(more || declares)) return null;
    if (more) this.rest = line.slice(spaceEnd(line, at + 1));
    return this.item("input", line, { name, type });
  }
}

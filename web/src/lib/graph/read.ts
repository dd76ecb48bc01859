// Reads printed graphs and generated Python in one pass over the text. It knows as much of Python as those texts need, and
// takes any text: what it does not understand has no values.
import { lookUp, type Graph, type Scope, type Value } from "./model";
import { isDigit, isWord, Scanner } from "./scan";
import { sourceOf } from "./source-line";

const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield True False None".split(
    " ",
  ),
);
const OPCODES = new Set(["placeholder", "call_function", "call_module", "call_method", "get_attr", "output"]);
const UNPACK = "fx_pytree.tree_flatten_spec";
const OP_LIMIT = 160;
const COMMENT_LIMIT = 2000;

/** A name in the statement that is read. */
interface Ref {
  name: string;
  at: number;
  /** it may be assigned to: no attribute, index or call follows */
  bare: boolean;
  depth: number;
}

export function readGraph(text: string): Graph {
  return new Reader(text).read();
}

class Reader extends Scanner {
  private readonly graph: Graph = { values: [], scopes: [], sources: [] };
  private scope: Scope;
  private source = -1;
  /** types on lines of their own before the values are defined, as in joint graphs */
  private declared = new Map<string, string>();

  constructor(text: string) {
    super(text);
    this.scope = {
      index: 0,
      name: "",
      kind: "text",
      parent: null,
      indent: -1,
      from: 0,
      to: text.length,
      at: 0,
      values: new Map(),
    };
    this.graph.scopes.push(this.scope);
  }

  read(): Graph {
    while (this.at < this.text.length) this.line();
    this.endSource(this.text.length);
    for (let s: Scope | null = this.scope; s?.parent; s = s.parent) s.to = this.text.length;
    return this.graph;
  }

  /** One line of the text with what continues it. */
  private line(): void {
    const { text } = this;
    const start = this.at;
    while (text[this.at] === " " || text[this.at] === "\t") this.at++;
    const indent = this.at - start;
    const c = text[this.at];
    if (c === undefined) return;
    if (c === "\n") {
      this.at++;
      return;
    }
    if (c === "#") return this.comment(start);
    // Continuation lines of hostile text may be left of anything; a statement that is left of its scope ends it.
    while (this.scope.parent && indent <= this.scope.indent) {
      this.scope.to = start;
      this.scope = this.scope.parent;
      this.endSource(start);
    }
    if (this.begins("class ")) return this.opens("class", indent, 6);
    if (this.begins("def ")) return this.opens("def", indent, 4);
    this.statements();
  }

  private begins(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  private comment(start: number): void {
    const end = this.lineEnd(this.at);
    const body = this.text.slice(this.at + 1, Math.min(end, this.at + COMMENT_LIMIT)).trim();
    this.at = Math.min(end + 1, this.text.length);
    const source = sourceOf(body, start);
    if (!source && !/^No stacktrace/i.test(body)) return;
    this.endSource(start);
    if (!source) return;
    this.source = this.graph.sources.push(source) - 1;
  }

  private endSource(before: number): void {
    const source = this.graph.sources[this.source];
    this.source = -1;
    if (!source) return;
    let to = before;
    while (to > source.from && /\s/.test(this.text[to - 1]!)) to--;
    source.to = to;
  }

  private opens(kind: "class" | "def", indent: number, skip: number): void {
    this.endSource(this.at);
    const from = this.at;
    this.at += skip;
    const nameAt = this.at;
    const name = this.word();
    const scope: Scope = {
      index: this.graph.scopes.length,
      name,
      kind,
      parent: this.scope,
      indent,
      from,
      to: this.text.length,
      at: nameAt,
      values: new Map(),
    };
    if (name) this.define({ name, at: nameAt, bare: true, depth: 0 }, "name", kind, [], "");
    this.graph.scopes.push(scope);
    this.scope = scope;
    this.declared.clear();
    if (kind === "def") this.parameters();
    this.at = Math.min(this.lineEnd(this.at) + 1, this.text.length);
  }

  /** `(self, x: "f32[4]", y=None)` */
  private parameters(): void {
    const { text } = this;
    let depth = 0;
    let expects = false;
    for (; this.at < text.length;) {
      const c = text[this.at]!;
      if (c === "(" || c === "[" || c === "{") {
        expects = depth++ === 0;
        this.at++;
      } else if (c === ")" || c === "]" || c === "}") {
        this.at++;
        if (--depth <= 0) return;
      } else if (c === '"' || c === "'") this.string();
      else if (c === "#") this.at = this.lineEnd(this.at);
      else if (isWord(c)) {
        const at = this.at;
        const name = this.word();
        if (!expects || depth !== 1) continue;
        expects = false;
        const type = this.annotation();
        if (name !== "self" && !KEYWORDS.has(name))
          this.define({ name, at, bare: true, depth: 0 }, "input", "", [], type);
      } else {
        if (c === "," && depth === 1) expects = true;
        if (c === "\n" && depth === 0) return;
        this.at++;
      }
    }
  }

  /** `: "f32[4]"` or `: f32[4]` behind a name; "" when there is none. */
  private annotation(): string {
    const { text } = this;
    let i = this.at;
    while (text[i] === " ") i++;
    if (text[i] !== ":" || text[i + 1] === "=") return "";
    i++;
    while (text[i] === " ") i++;
    const c = text[i];
    if (c !== '"' && c !== "'") return "";
    this.at = i;
    this.string();
    return text.slice(i + 1, Math.min(this.at - 1, i + 500));
  }

  private statements(): void {
    while (this.at < this.text.length && !this.statement());
  }

  /** Up to a `;` or the end of the line outside of brackets; true at the end of the line. */
  private statement(): boolean {
    const { text } = this;
    const refs: Ref[] = [];
    let targets = 0; // this many of refs come before the last `=`
    let rhs = this.at;
    let depth = 0;
    let type = "";
    let first = "";
    let ended = true;
    let tabular = false;
    const start = this.at;
    for (;;) {
      const c = text[this.at];
      if (c === undefined) break;
      if (c === "\n") {
        this.at++;
        if (depth === 0 || this.startsScope()) break;
      } else if (c === ";" && depth === 0) {
        this.at++;
        ended = false;
        break;
      } else if (c === '"' || c === "'") this.string();
      else if (c === "#") this.at = this.lineEnd(this.at);
      else if (c === "(" || c === "[" || c === "{") {
        depth++;
        this.at++;
      } else if (c === ")" || c === "]" || c === "}") {
        depth = Math.max(0, depth - 1);
        this.at++;
      } else if (c === "=") {
        const before = text[this.at - 1]!;
        if (text[this.at + 1] === "=") this.at += 2;
        else {
          this.at++;
          if (depth === 0 && !"<>!:+-*/%&|^@".includes(before)) {
            targets = refs.length;
            rhs = this.at;
          }
        }
      } else if (isWord(c)) {
        const at = this.at;
        const name = this.word();
        const attribute = text[at - 1] === "." && at > start;
        if (!first) first = name;
        else if (!refs.length && OPCODES.has(first) && !attribute && text[at - 1] === " ") tabular = true;
        if (
          attribute ||
          isDigit(name[0]!) ||
          KEYWORDS.has(name) ||
          (OPCODES.has(name) && (at === start || text[this.at] === "["))
        )
          continue;
        const next = this.next();
        if (text[this.at] === '"' || text[this.at] === "'") continue; // the letters before a string: r'''
        if (depth > 0 && next === "=") continue; // name of an argument
        refs.push({ name, at, bare: next !== "." && next !== "[" && next !== "(", depth });
        if (depth === 0 && refs.length === 1 && next === ":") {
          type = this.annotation();
          if (!type) targets = 0;
        }
      } else this.at++;
    }
    this.close(
      refs,
      tabular && refs.length ? { targets: 1, rhs: refs[0]!.at + refs[0]!.name.length } : { targets, rhs },
      first,
      type,
    );
    return ended;
  }

  /** What a statement says, now that all of it is read. */
  private close(refs: Ref[], { targets, rhs }: { targets: number; rhs: number }, first: string, type: string): void {
    const drops = first === "del" || (targets > 0 && targets === refs.length && this.isNone(rhs));
    const reads: Value[] = [];
    for (let i = drops ? refs.length : targets; i < refs.length; i++) this.use(refs[i]!, reads);
    if (drops) {
      for (const ref of refs) {
        const value = lookUp(this.scope, ref.name);
        if (value) value.other.push(ref.at);
        else if (first !== "del") this.define(ref, "name", "None", [], type);
      }
      return;
    }
    const op = targets ? this.opName(rhs) : "";
    const kind =
      first === "placeholder" || op.startsWith("placeholder")
        ? "input"
        : op.startsWith("self.") && !this.text.slice(rhs, Math.min(this.at, rhs + OP_LIMIT)).includes("(")
          ? "name"
          : "op";
    if (!targets && type && refs.length === 1) this.declared.set(refs[0]!.name, type);
    // A joint graph takes its inputs as two lists apart.
    const unpacks = op === UNPACK;
    for (let i = 0; i < targets; i++) {
      const ref = refs[i]!;
      if (ref.bare)
        this.define(
          ref,
          unpacks ? "input" : kind,
          unpacks ? "" : op,
          unpacks ? [] : reads,
          (i === 0 ? type : "") || (this.declared.get(ref.name) ?? ""),
        );
      else this.use(ref, []);
    }
    if ((first === "return" || first === "output") && this.scope.kind === "def" && reads.length) {
      const start = refs[0]!.at;
      this.add({
        name: "return",
        scope: this.scope,
        kind: "output",
        at: start,
        type: "",
        op: "",
        source: -1,
        uses: [],
        other: [],
        reads,
      });
    }
  }

  private use(ref: Ref, reads: Value[]): void {
    const value = lookUp(this.scope, ref.name);
    if (!value) return;
    value.uses.push(ref.at);
    // Few are read by one statement, but a return of a hostile text could name a million.
    if (reads.length < 2000 && !reads.includes(value)) reads.push(value);
  }

  private define(ref: Ref, kind: Value["kind"], op: string, reads: Value[], type: string): void {
    const before = this.scope.values.get(ref.name);
    if (before) {
      before.other.push(ref.at);
      return;
    }
    const value: Value = {
      name: ref.name,
      scope: this.scope,
      kind,
      at: ref.at,
      type,
      op,
      source: this.source,
      uses: [],
      other: [],
      reads,
    };
    this.scope.values.set(ref.name, value);
    this.add(value);
    this.graph.sources[this.source]?.values.push(value);
  }

  private add(value: Value): void {
    this.graph.values.push(value);
  }

  private opName(from: number): string {
    const end = Math.min(this.at, from + OP_LIMIT);
    const text = this.text.slice(from, end).trim();
    const call = /^call_\w+\[target=([^\]\s]+)\]/.exec(text);
    if (call) return call[1]!;
    const cut = text.search(/[(;\n]/);
    return (cut < 0 ? text : text.slice(0, cut)).trim();
  }

  private isNone(from: number): boolean {
    return /^\s*None\s*[;\n]?\s*$/.test(this.text.slice(from, Math.min(this.at, from + 60)));
  }

  /** Brackets that never close end where the next class or function begins. */
  private startsScope(): boolean {
    let i = this.at;
    while (this.text[i] === " ") i++;
    return this.text.startsWith("class ", i) || this.text.startsWith("def ", i);
  }

  private next(): string {
    let i = this.at;
    while (this.text[i] === " ") i++;
    return this.text[i] === "=" && this.text[i + 1] === "=" ? "==" : (this.text[i] ?? "");
  }
}

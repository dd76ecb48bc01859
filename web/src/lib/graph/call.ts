// What a statement of a printed graph calls: PyTorch's kind of node, its target and its arguments, by the rules of src/graph/op_graph.c, so that the
// table and `tlparse graph` say the same.
import type { Value } from "./model";
import { isDigit, isWord } from "./scan";

export type NodeOp = "placeholder" | "get_attr" | "call_function" | "call_method" | "call_module" | "output";

export interface Call {
  op: NodeOp;
  target: string;
  /** as they are printed, without the brackets of a call; or the whole expression */
  args: string;
}

/** The value that a name has where the statement is. */
export type Names = (name: string) => Value | undefined;

const OPERATORS: readonly [sign: string, name: string][] = [
  ["+", "add"],
  ["-", "sub"],
  ["*", "mul"],
  ["/", "truediv"],
  ["//", "floordiv"],
  ["%", "mod"],
  ["**", "pow"],
  ["@", "matmul"],
  ["<<", "lshift"],
  [">>", "rshift"],
  ["&", "and_"],
  ["^", "xor"],
  ["|", "or_"],
  ["<", "lt"],
  [">", "gt"],
  ["<=", "le"],
  [">=", "ge"],
  ["==", "eq"],
  ["!=", "ne"],
];
const BETWEEN = new Map(OPERATORS.map(([sign, name]) => [sign, `operator.${name}`]));
const IN_PLACE: readonly [end: string, target: string][] = [
  [" **=", "operator.ipow"],
  [" //=", "operator.ifloordiv"],
  [" <<=", "operator.ilshift"],
  [" >>=", "operator.irshift"],
  [" +=", "operator.iadd"],
  [" -=", "operator.isub"],
  [" *=", "operator.imul"],
  [" /=", "operator.itruediv"],
  [" %=", "operator.imod"],
  [" @=", "operator.imatmul"],
  [" &=", "operator.iand"],
  [" |=", "operator.ior"],
  [" ^=", "operator.ixor"],
  ["] =", "operator.setitem"],
];

const isOpen = (c: string): boolean => c === "(" || c === "[" || c === "{";
const isClose = (c: string): boolean => c === ")" || c === "]" || c === "}";
const isQuote = (c: string): boolean => c === '"' || c === "'";

/** The place behind a string that begins at `at`, or the end of the text. */
export function behindString(text: string, at: number): number {
  const quote = text[at]!;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === quote) return i + 1;
  }
  return text.length;
}

/** The place behind the bracket that closes the one at `at`; -1 if none does. */
export function behindBracket(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length;) {
    const c = text[i]!;
    if (isQuote(c)) {
      i = behindString(text, i);
      continue;
    }
    if (isOpen(c)) depth++;
    else if (isClose(c) && --depth === 0) return i + 1;
    i++;
  }
  return -1;
}

function wordLength(text: string, at = 0): number {
  let end = at;
  while (end < text.length && isWord(text[end]!)) end++;
  return end - at;
}

/** The length of a dotted name: `torch.ops.aten.mm.default`. */
function pathLength(text: string): number {
  let length = wordLength(text);
  while (length && text[length] === "." && isWord(text[length + 1] ?? " ") && !isDigit(text[length + 1]!))
    length += 1 + wordLength(text, length + 1);
  return length;
}

const isCall = (value: string, open: number): boolean =>
  value[open] === "(" && behindBracket(value, open) === value.length;

/** `self.fc.weight`, or `getattr(self.layers, "0").weight` as it is; and the length of its text. */
function modulePath(value: string): { target: string; length: number } | null {
  const wrapped = /^(?:getattr\()+self(?!\w)/.test(value);
  let length = wrapped ? behindBracket(value, "getattr".length) : pathLength(value);
  if (length < 0 || (!wrapped && !/^self\.\w/.test(value))) return null;
  while (value[length] === "." && isWord(value[length + 1] ?? " ")) length += 1 + wordLength(value, length + 1);
  return { target: value.slice(wrapped ? 0 : "self.".length, length), length };
}

/** The function of Python's module `operator` for the first operator outside of brackets; "" without one. */
function operatorOf(value: string): string {
  for (let i = 0; i < value.length;) {
    const c = value[i]!;
    if (isOpen(c) || isQuote(c)) {
      const end = isQuote(c) ? behindString(value, i) : behindBracket(value, i);
      i = end < 0 ? value.length : end;
      continue;
    }
    const sign = c === " " ? /^ ([-+*/%@<>&^|=!]{1,2}) /.exec(value.slice(i, i + 4))?.[1] : undefined;
    const found = sign && BETWEEN.get(sign);
    if (found) return found;
    i++;
  }
  return value.startsWith("-") ? "operator.neg" : value.startsWith("~") ? "operator.invert" : "";
}

/** What the right side of an assignment computes. */
export function callOf(value: string, names: Names): Call {
  const module = modulePath(value);
  if (module?.length === value.length) return { op: "get_attr", target: module.target, args: "" };
  if (module && isCall(value, module.length))
    return { op: "call_module", target: module.target, args: value.slice(module.length + 1, -1) };
  const first = wordLength(value);
  const path = pathLength(value);
  const call = (target: string, args = value): Call => ({ op: "call_function", target, args });
  const operand = first > 0 && names(value.slice(0, first)) !== undefined;
  if (operand && path > first) {
    const method = value.slice(value.lastIndexOf(".", path - 1) + 1, path);
    if (isCall(value, path)) return { op: "call_method", target: method, args: value };
    if (path === value.length) return call("getattr");
  }
  if (path && !operand && isCall(value, path)) return call(value.slice(0, path), value.slice(path + 1, -1));
  return call(operatorOf(value) || (operand && value[first] === "[" ? "operator.getitem" : ""));
}

/** `operator.iadd` for `x +=`; "" for what is no statement in place. */
export function inPlaceOperator(left: string): string {
  return IN_PLACE.find(([end]) => left.endsWith(end))?.[1] ?? "";
}

/** The right side of an assignment without what follows: `;  x = None`, a comment. */
export function endOfValue(text: string, from: number, lineEnd: number): number {
  let i = from;
  while (i < lineEnd && text[i] !== ";" && text[i] !== "#") i = isQuote(text[i]!) ? behindString(text, i) : i + 1;
  return Math.min(i, lineEnd);
}

/** Whether the word that ends at `end` names an argument: `dim = 1`. */
const namesArgument = (text: string, end: number): boolean => /^(?: = |=(?!=))/.test(text.slice(end, end + 3));

/** The nodes that the arguments read, in their order, as often as they are there. */
export function operandsOf(args: string, names: Names): Value[] {
  const found: Value[] = [];
  for (let i = 0; i < args.length;) {
    const c = args[i]!;
    if (c === "#") i = args.indexOf("\n", i) < 0 ? args.length : args.indexOf("\n", i);
    else if (isQuote(c)) i = behindString(args, i);
    else if (isWord(c)) {
      const end = i + wordLength(args, i);
      const plain = !isDigit(c) && args[i - 1] !== "." && !namesArgument(args, end);
      const value = plain ? names(args.slice(i, end)) : undefined;
      if (value) found.push(value);
      i = end;
    } else i++;
  }
  return found;
}

/** On one line: without comments, and without the indentation of arguments that go over several lines. */
export function onOneLine(text: string): string {
  if (!text.includes("\n") && !text.includes("  # ")) return text.trim();
  let out = "";
  text.split("\n").forEach((raw, i) => {
    const line = raw.trim().split("  # ", 1)[0]!.trim();
    if (i && line && out && !isOpen(out.at(-1)!) && !isClose(line[0]!)) out += " ";
    out += line;
  });
  return out;
}

// The value of a node as print_readable() writes it: what it calls, and the text of its arguments.
import { bracketAt, bracketEnd, isNameAt, isDigitAt, isQuoteAt, stringEnd, trimmed, wordEnd } from "./fx-text";
import { isModule } from "./fx-items";
import { OP_KINDS, type OpKind } from "./op-graph";

export interface OpValue {
  kind: OpKind;
  target: string;
  args: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  " + ": "add",
  " - ": "sub",
  " * ": "mul",
  " / ": "truediv",
  " // ": "floordiv",
  " % ": "mod",
  " ** ": "pow",
  " @ ": "matmul",
  " << ": "lshift",
  " >> ": "rshift",
  " & ": "and_",
  " ^ ": "xor",
  " | ": "or_",
  " < ": "lt",
  " > ": "gt",
  " <= ": "le",
  " >= ": "ge",
  " == ": "eq",
  " != ": "ne",
};

const IN_PLACE: readonly (readonly [end: string, name: string])[] = [
  [" **=", "ipow"],
  [" //=", "ifloordiv"],
  [" <<=", "ilshift"],
  [" >>=", "irshift"],
  [" +=", "iadd"],
  [" -=", "isub"],
  [" *=", "imul"],
  [" /=", "itruediv"],
  [" %=", "imod"],
  [" @=", "imatmul"],
  [" &=", "iand"],
  [" |=", "ior"],
  [" ^=", "ixor"],
  ["] =", "setitem"],
];

/** `operator.iadd` for `x +=`. */
export function inPlaceOperator(left: string): string {
  const text = trimmed(left);
  const found = IN_PLACE.find(([end]) => text.endsWith(end));
  return found ? `operator.${found[1]}` : "";
}

/** The function of Python's module `operator` for the first operator outside of brackets; "": none. */
function operatorOf(value: string): string {
  for (let i = 0; i < value.length;) {
    const quote = isQuoteAt(value, i);
    if (quote || bracketAt(value, i) > 0) {
      const end = quote ? stringEnd(value, i) : bracketEnd(value, i);
      i = end < 0 ? value.length : end;
      continue;
    }
    if (value[i] === " ") {
      const end = value.indexOf(" ", i + 1);
      const name = end > 0 && end - i <= 3 ? OPERATORS[value.slice(i, end + 1)] : undefined;
      if (name) return `operator.${name}`;
    }
    i++;
  }
  return value[0] === "-" ? "operator.neg" : value[0] === "~" ? "operator.invert" : "";
}

/** Behind a dotted name at the start of the text: `torch.ops.aten.mm.default`. */
function pathEnd(text: string): number {
  let end = wordEnd(text, 0);
  while (end && text[end] === "." && isNameAt(text, end + 1) && !isDigitAt(text, end + 1)) end = wordEnd(text, end + 1);
  return end;
}

const isCall = (value: string, open: number): boolean =>
  value[open] === "(" && bracketEnd(value, open) === value.length;

const inside = (value: string, open: number): string => value.slice(open + 1, -1);

/** `self.fc.weight`, or `getattr(self.layers, "0").weight`; null: the value begins with neither. */
function modulePath(value: string): { target: string; end: number } | null {
  const wrapped = isModule(value) && !value.startsWith("self");
  let end = wrapped ? bracketEnd(value, 7) : pathEnd(value);
  if (end < 0 || (!wrapped && (!value.startsWith("self") || end <= 5))) return null;
  while (value[end] === "." && isNameAt(value, end + 1)) end = wordEnd(value, end + 1);
  return { target: value.slice(wrapped ? 0 : 5, end), end };
}

/** `known`: whether a name is a value of the graph. */
export function readValue(value: string, known: (name: string) => boolean): OpValue {
  const module = modulePath(value);
  if (module?.end === value.length) return { kind: "get_attr", target: module.target, args: "" };
  if (module && isCall(value, module.end))
    return { kind: "call_module", target: module.target, args: inside(value, module.end) };
  const path = pathEnd(value);
  const first = wordEnd(value, 0);
  const operand = first > 0 && known(value.slice(0, first));
  if (operand && path > first && isCall(value, path))
    return { kind: "call_method", target: value.slice(value.lastIndexOf(".", path) + 1, path), args: value };
  if (operand && path > first && path === value.length)
    return { kind: "call_function", target: "getattr", args: value };
  if (path && !operand && isCall(value, path))
    return { kind: "call_function", target: value.slice(0, path), args: inside(value, path) };
  const item = operand && value[first] === "[" ? "operator.getitem" : "";
  return { kind: "call_function", target: operatorOf(value) || item, args: value };
}

/** `call_function[target=aten.mm](args = (%x, %y), kwargs = {})` */
export function readRepr(right: string): OpValue {
  const kind = OP_KINDS.find((name) => right.startsWith(`${name}[`)) ?? "call_function";
  const at = right.indexOf("[target=");
  const rest = at < 0 ? "" : right.slice(at + 8);
  const end = rest.indexOf("]");
  const open = right.indexOf("](");
  return {
    kind,
    target: end < 0 ? rest : rest.slice(0, end),
    args: open >= 0 && isCall(right, open + 1) ? inside(right, open + 1) : "",
  };
}

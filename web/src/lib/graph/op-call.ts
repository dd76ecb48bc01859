// A node as readers see it, on one line: what it calls with which operands.
import { trimmed } from "./fx-text";
import type { OpNode } from "./op-graph";

/** Without comments and indentation of arguments that go over several lines. */
function oneLine(text: string): string {
  if (!text.includes("\n") && !text.includes("  # ")) return trimmed(text);
  let out = "";
  text.split("\n").forEach((whole, i) => {
    const line = trimmed(whole);
    const comment = line.indexOf("  # ");
    const part = comment < 0 ? line : trimmed(line.slice(0, comment));
    if (i && part && out && !"([{".includes(out.at(-1)!) && !")]}".includes(part[0]!)) out += " ";
    out += part;
  });
  return out;
}

/** Whether the arguments are what is between the brackets of a call; otherwise they are the whole expression. */
function hasBrackets({ kind, target, args }: OpNode): boolean {
  if (args.startsWith("args = ") || kind === "call_module") return true;
  return kind === "call_function" && target !== "" && target !== "getattr" && !target.startsWith("operator.");
}

/** What precedes a path of a module, unless it is `getattr(self, "0").weight`. */
const owned = (target: string): string => (target.startsWith("getattr(") ? target : `self.${target}`);

export function callText(node: OpNode): string {
  const { kind, target, args } = node;
  if (kind === "placeholder") return "input";
  if (kind === "get_attr") return owned(target);
  if (kind === "output") return `return ${oneLine(args)}`;
  if (!hasBrackets(node)) return oneLine(args);
  return `${kind === "call_module" ? owned(target) : target}(${oneLine(args)})`;
}

/** `f32[8, s0]`, or another type as it is; "": not printed. */
export const typeText = ({ type, parts }: OpNode): string =>
  parts.tensor ? `${parts.dtype}[${parts.shape}]` : (type ?? "");

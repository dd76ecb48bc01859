import { middle } from "../lib/text";
import { type Compile, isCompile, type RecompileStep, type Report } from "./report";
import { changeText } from "./recompiles";

/** In a few words why a frame was compiled (again): what changed since the nearest version, else the guard. */
export function why(report: Report, compile: Compile): string {
  const change = stepsOf(report).get(compile.key)?.changes[0];
  if (change && (change.had !== null || change.has !== null)) return middle(changeText(change), 140);
  if (compile.recompile_reasons.length) return guardText(compile.recompile_reasons[0]!);
  if (compile.failure && /recompile.?limit/i.test(`${compile.failure.type} ${compile.failure.reason}`))
    return "recompile limit";
  if (!isCompile(compile)) return "";
  if (/\/0$/.test(compile.id))
    return compile.earlier
      ? `after a reset; compiled before as ${compile.earlier.replace("#", " #")}`
      : compile.resets
        ? "first, after a reset"
        : "first";
  return "";
}

const STEPS = new WeakMap<Report, Map<string, RecompileStep>>();

/** The recompiles of a report by the keys of their compiles; made once, lists ask for each row. */
function stepsOf(report: Report): Map<string, RecompileStep> {
  const held = STEPS.get(report);
  if (held) return held;
  const made = new Map(report.recompiles.flatMap((item) => item.steps).map((step) => [step.compile, step]));
  STEPS.set(report, made);
  return made;
}

/** "0/0: tensor 'x' size mismatch …  # file.py:3 in f" without the id that led and the place that follows. */
export function guardText(reason: string): string {
  return reason
    .trim()
    .replace(/^\S*\d+\/\d+:\s*/, "")
    .replace(/\s{2,}#.*$/s, "");
}

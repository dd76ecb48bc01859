import type { Compile } from "../data/types";

/** In a few words why a frame was compiled (again). */
export function why(compile: Compile): string {
  if (compile.recompile_reasons.length) return guardText(compile.recompile_reasons[0]!);
  if (compile.failure && /recompile.?limit/i.test(`${compile.failure.type} ${compile.failure.reason}`)) return "recompile limit";
  if (/\/0$/.test(compile.id)) return "first";
  return "";
}

/** "0/0: tensor 'x' size mismatch …  # file.py:3 in f" without the id that led and the place that follows. */
export function guardText(reason: string): string {
  return reason.trim().replace(/^\S*\d+\/\d+:\s*/, "").replace(/\s{2,}#.*$/s, "");
}

// Which compile and which artifact of one report answers to which of another.
import type { Artifact, Compile, Details } from "./report";
import { guardText } from "./why";

export interface Pair {
  /** unique, and the same for both */
  key: string;
  title: string;
  a: Artifact | null;
  b: Artifact | null;
}

/** Artifacts with a text of two compiles, by their slots. */
export function pairArtifacts(left: Details | null, right: Details | null): Pair[] {
  const pairs = new Map<string, Pair>();
  const put = (details: Details | null, side: "a" | "b") => {
    for (const artifact of details?.artifacts ?? []) {
      const key = artifact.slot;
      if (key === undefined) continue;
      const pair = pairs.get(key) ?? { key, title: key, a: null, b: null };
      pair[side] = artifact;
      pairs.set(key, pair);
    }
  };
  put(left, "a");
  put(right, "b");
  return [...pairs.values()];
}

/** The wanted name, else one that begins with it, else what one usually wants to see. */
export function choosePair(pairs: readonly Pair[], wanted: string | undefined): Pair | null {
  const both = (pair: Pair) => pair.a !== null && pair.b !== null;
  const find = (name: string) =>
    pairs.find((pair) => pair.key === name) ??
    pairs.find((pair) => both(pair) && pair.key.startsWith(name)) ??
    pairs.find((pair) => pair.key.startsWith(name));
  return (wanted && find(wanted)) || find("dynamo_output_graph") || pairs.find(both) || pairs[0] || null;
}

const frameKey = (compile: Compile): string | null =>
  compile.frame?.function ? `${compile.frame.function} ${compile.frame.file}:${compile.frame.line ?? ""}` : null;

/** The guard of the earliest version that fails, as src/diverge/rank_recompile.c reads it; null: no reason is logged. */
function recompileCause(compile: Compile): string | null {
  const version = (reason: string) => Number(/^\S*\d+\/(\d+)[\d_]*:/.exec(reason)?.[1] ?? Infinity);
  const [first, ...rest] = compile.recompile_reasons;
  if (first === undefined) return null;
  return guardText(rest.reduce((earliest, reason) => (version(reason) < version(earliest) ? reason : earliest), first));
}

/** The recompile of the same function for the same cause: ranks may recompile in another order. */
function sameRecompile(compile: Compile, all: readonly Compile[], others: readonly Compile[]): Compile | undefined {
  const key = frameKey(compile);
  const cause = recompileCause(compile);
  if (!key || !cause) return undefined;
  const like = (other: Compile) => frameKey(other) === key && recompileCause(other) === cause;
  return others.filter(like)[all.filter(like).indexOf(compile)];
}

/** The compile of `others` that answers to `compile`: the same function, recompiled for the same cause; else compiled as
 * often before; else the same id and generation. */
export function counterpart(compile: Compile, all: readonly Compile[], others: readonly Compile[]): Compile | null {
  const same = sameRecompile(compile, all, others);
  if (same) return same;
  const sameId =
    others.find((other) => other.key === compile.key) ??
    others.find((other) => other.id === compile.id && other.generation === compile.generation) ??
    null;
  const key = frameKey(compile);
  if (!key || (sameId && frameKey(sameId) === key)) return sameId;
  const nth = all.filter((other) => frameKey(other) === key).indexOf(compile);
  const alike = others.filter((other) => frameKey(other) === key);
  return alike[nth] ?? alike[alike.length - 1] ?? sameId;
}

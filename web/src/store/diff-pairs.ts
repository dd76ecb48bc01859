// Which compile and which artifact of one report answers to which of another.
import type { Artifact, Compile, Details } from "./types";

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

/** The compile of `others` that answers to `compile`: the same function, compiled as often before; else the same id and generation. */
export function counterpart(compile: Compile, all: readonly Compile[], others: readonly Compile[]): Compile | null {
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

// With what an artifact may be compared: the same of another compile of its frame, of another attempt, another stage of its compile.
import { shortName } from "./artifact";
import { pairArtifacts } from "./diff-pairs";
import type { Artifact, Details } from "./types";

export interface Ref {
  id: string;
  n: number;
}

export const refText = (ref: Ref): string => `${ref.id}/${ref.n}`;

/** "0/1/4": an id has slashes itself. */
export function parseRef(text: string | undefined): Ref | null {
  const found = /^(.+)\/(\d{1,7})$/.exec(text ?? "");
  return found && { id: found[1]!, n: Number(found[2]) };
}

/** The artifact of `other` that answers to this one of `own`; -1: none. */
export function answering(own: Details, n: number, other: Details): number {
  const artifact = own.artifacts[n];
  const pair = pairArtifacts(own, other).find((item) => item.a === artifact);
  if (pair?.b) return other.artifacts.indexOf(pair.b);
  return artifact
    ? other.artifacts.findIndex((item) => item.text !== null && shortName(item) === shortName(artifact))
    : -1;
}

const like = (a: Artifact, b: Artifact): boolean => shortName(a) === shortName(b) && a.subgraph === b.subgraph;

/** The same artifact of other attempts: the first of each. */
export function otherAttempts(details: Details, n: number): number[] {
  const artifact = details.artifacts[n];
  if (!artifact) return [];
  const seen = new Set([artifact.attempt]);
  return details.artifacts.flatMap((other, i) => {
    if (!other.text || seen.has(other.attempt) || !like(artifact, other)) return [];
    seen.add(other.attempt);
    return [i];
  });
}

/** The nearest artifact of the same language after this one, or else before it: the next stage of a graph. */
export function nextStage(details: Details, n: number): number {
  const lang = details.artifacts[n]?.lang;
  const fits = (i: number) => i !== n && details.artifacts[i]!.text !== null && details.artifacts[i]!.lang === lang;
  for (let i = n + 1; i < details.artifacts.length; i++) if (fits(i)) return i;
  for (let i = n - 1; i >= 0; i--) if (fits(i)) return i;
  return -1;
}

// Names of artifacts in addresses. Which one is compared with which C decides: see slot, earlier and other_attempts of an artifact.
import type { Artifact, Details } from "./report";

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

/** The artifact of another compile that corresponds to this one; -1: none. */
export const counterpartOf = (artifact: Artifact, other: Details): number =>
  artifact.slot === undefined ? -1 : other.artifacts.findIndex((item) => item.slot === artifact.slot);

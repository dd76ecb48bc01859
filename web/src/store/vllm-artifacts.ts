import type { Store } from "./store";
import type { Artifact, Details } from "./report";
import type { Ref, VllmCall } from "./vllm";

export type Artifacts = (ref: Ref) => Artifact | null;

/** Loads the lists of artifacts that a call refers to, each once. */
export async function loadArtifacts(store: Store, call: VllmCall): Promise<Artifacts> {
  const ids = new Set<string>();
  const note = (refs: readonly Ref[]) => refs.forEach((ref) => ids.add(ref.compile));
  note(call.dynamo);
  if (call.split_graph) note([call.split_graph]);
  for (const group of call.groups) for (const piece of group.subgraphs) note(piece.artifacts);
  const details = new Map<string, Details>();
  await Promise.all(
    [...ids].map(async (id) => {
      const index = store.indexOf(id);
      if (index !== undefined) details.set(id, await store.details(index));
    }),
  );
  return (ref) => details.get(ref.compile)?.artifacts[ref.index] ?? null;
}

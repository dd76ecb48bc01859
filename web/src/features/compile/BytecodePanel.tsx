import { address, toArtifact } from "../../lib/address";
import { plural } from "../../lib/text";
import { useLoaded } from "../../lib/hooks";
import type { Artifact } from "../../store/report";
import { LongText } from "../../ui/text";
import { Panel, useStore } from "../../ui/page";

/** The bytecode of the frame before and after Dynamo; the last of each, where there were attempts. */
export function BytecodePanel({ id, artifacts }: { id: string; artifacts: readonly Artifact[] }) {
  const before = artifacts.findLastIndex((artifact) => artifact.name.endsWith("_ORIGINAL_BYTECODE"));
  const after = artifacts.findLastIndex((artifact) => artifact.name.endsWith("_MODIFIED_BYTECODE"));
  if (before < 0 && after < 0) return null;
  const link = (n: number, word: string) =>
    n < 0 ? (
      <span class="muted">{word}: not in the log</span>
    ) : (
      <span>
        <a href={toArtifact(id, n)} title={artifacts[n]!.name}>
          {word}
        </a>{" "}
        {artifacts[n]!.instructions !== undefined && (
          <span class="muted num">{plural(artifacts[n]!.instructions, "instruction")}</span>
        )}
      </span>
    );
  return (
    <Panel
      title="Bytecode"
      note={
        before >= 0 &&
        after >= 0 && <a href={address(["compare"], { a: `${id}/${before}`, b: `${id}/${after}` })}>compare</a>
      }
    >
      <div class="pad facts-line flexrow">
        {link(before, "original")}
        <span aria-hidden="true">→</span>
        {link(after, "modified")}
      </div>
      {after < 0 && <p class="pad muted">Dynamo did not replace it: the frame runs as it is.</p>}
    </Panel>
  );
}

/** Mutations of Python objects that the modified bytecode applies after the graph. */
export function SideEffectsPanel({ id, artifacts }: { id: string; artifacts: readonly Artifact[] }) {
  const n = artifacts.findLastIndex((artifact) => artifact.name === "dynamo_side_effects" && artifact.text !== null);
  const artifact = artifacts[n];
  return artifact ? <SideEffects key={n} id={id} n={n} artifact={artifact} /> : null;
}

function SideEffects({ id, n, artifact }: { id: string; n: number; artifact: Artifact }) {
  const store = useStore();
  const loaded = useLoaded(() => store.text(artifact), [artifact]);
  return (
    <Panel title="Side effects" note={<a href={toArtifact(id, n)}>open</a>}>
      {loaded.state === "ready" && <LongText text={loaded.value} lines={8} class="pad" />}
      {loaded.state === "failed" && <p class="pad muted">{loaded.error.message}</p>}
    </Panel>
  );
}

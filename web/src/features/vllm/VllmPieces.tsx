import { useState } from "preact/hooks";
import { toArtifact } from "../../lib/address";
import { bytes, plural } from "../../lib/text";
import { hasText, sign } from "../../store/artifact";
import type { Artifact } from "../../store/report";
import { ELAPSED, stampTime, type Ref, type VllmSubgraph } from "../../store/vllm";
import type { Artifacts } from "../../store/vllm-artifacts";

/** What one opens first of a piece. */
const FIRST: readonly (readonly [test: RegExp, title: string])[] = [
  [/^vllm_(submod|subgraph)_/, "graph"],
  [/^(before_pre_grad_graph|aot_(joint|forward|inference)_graph)/, ""],
  [/^inductor_post_grad_graph|^after_post_grad_graph/, "post-grad"],
  [/^inductor_output_code/, "output code"],
  [/^fx_graph_runnable/, "runnable"],
];

/** A piece in one line: its graph and code at once, all its artifacts when asked for. */
export function SubgraphRow({ piece, artifacts }: { piece: VllmSubgraph; artifacts: Artifacts }) {
  const [open, setOpen] = useState(false);
  const found = piece.artifacts
    .map((ref) => ({ ref, artifact: artifacts(ref) }))
    .filter((item): item is { ref: Ref; artifact: Artifact } => item.artifact !== null);
  const first = FIRST.flatMap(([test, title]) => {
    const item = title && found.find(({ artifact }) => test.test(artifact.stem) || test.test(artifact.kind));
    return item ? [{ ...item, title }] : [];
  });
  const cache = [...new Set(found.map(({ artifact }) => cacheWord(artifact)).filter(Boolean))];
  return (
    <div class="piece">
      <div class="line flexrow">
        <b class="mono">{piece.name}</b>
        {piece.elapsed_us !== undefined && (
          <span class="num muted" title={ELAPSED}>
            {stampTime(piece.elapsed_us)}
          </span>
        )}
        <span class="links">
          {first.map(({ ref, title }) => (
            <a key={title} href={toArtifact(ref.compile, ref.index)}>
              {title}
            </a>
          ))}
        </span>
        {cache.map((word) => (
          <span key={word} class={`chip ${word === "hit" ? "ok" : word === "miss" ? "restart" : "empty"}`}>
            {word === "hit" ? "✓" : word === "miss" ? "✕" : "○"} cache {word}
          </span>
        ))}
        {found.length > 0 ? (
          <button type="button" class="plain link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "hide artifacts" : plural(found.length, "artifact")}
          </button>
        ) : (
          <span class="muted">no artifacts</span>
        )}
      </div>
      {open && <RefList refs={piece.artifacts} artifacts={artifacts} />}
    </div>
  );
}

export function RefList({ refs, artifacts }: { refs: readonly Ref[]; artifacts: Artifacts }) {
  return (
    <ul class="refs unmarked">
      {refs.map((ref) => {
        const artifact = artifacts(ref);
        return (
          artifact && (
            <li key={`${ref.compile} ${ref.index}`}>
              <a class="mono cutoff" href={toArtifact(ref.compile, ref.index)}>
                {sign(artifact)} {artifact.stem}
              </a>
              <span class="muted num">{hasText(artifact) ? bytes(artifact.bytes) : "page"}</span>
            </li>
          )
        );
      })}
    </ul>
  );
}

function cacheWord(artifact: Artifact): string {
  return ({ "✅": "hit", "❌": "miss", "❓": "bypass" } as Record<string, string>)[artifact.suffix] ?? "";
}

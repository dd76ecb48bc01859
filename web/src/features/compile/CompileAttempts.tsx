import { toArtifact } from "../../lib/address";
import { bytes, plural } from "../../lib/format";
import type { Artifact, Compile } from "../../store/types";
import { LongText } from "../../ui/LongText";
import { Panel } from "../../ui/Panel";

/** Dynamo begins a frame again when an assumption of it turns out to be wrong: what each try left, and why there was another. */
export function CompileAttempts({ compile, artifacts }: { compile: Compile; artifacts: readonly Artifact[] }) {
  const attempts = [...new Set([...compile.attempts, ...artifacts.map((artifact) => artifact.attempt ?? 0)])].sort(
    (a, b) => a - b,
  );
  return (
    <div class="tabroom" data-scroll="attempts">
      <p class="intro">
        An <b>attempt</b> is one try of Dynamo to trace the frame. It begins again (a <b>restart</b>) when it meets
        something that it must know from the start: most often a graph break, whose place it then ends the graph at.
      </p>
      {compile.restarts.length > 0 && (
        <Panel title="Why tracing began again" note={plural(compile.restarts.length, "restart")}>
          {compile.restarts.map((reason, i) => (
            <LongText key={i} text={reason} class="pad" />
          ))}
        </Panel>
      )}
      {attempts.map((attempt) => {
        const own = artifacts
          .map((artifact, n) => ({ artifact, n }))
          .filter(({ artifact }) => (artifact.attempt ?? 0) === attempt);
        return (
          <Panel key={attempt} title={`Attempt ${attempt}`} note={plural(own.length, "artifact")}>
            {own.length ? (
              <ul class="plainlist">
                {own.map(({ artifact, n }) => (
                  <li key={n}>
                    {artifact.text ? (
                      <a class="mono" href={toArtifact(compile.key, n)}>
                        {artifact.name}
                      </a>
                    ) : (
                      <span class="mono">{artifact.name}</span>
                    )}{" "}
                    <span class="muted num">{bytes(artifact.bytes)}</span>
                  </li>
                ))}
              </ul>
            ) : (
              <p class="pad muted">It left no artifact: tracing began again before the graph was finished.</p>
            )}
          </Panel>
        );
      })}
    </div>
  );
}

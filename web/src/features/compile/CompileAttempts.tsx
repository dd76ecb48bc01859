import { bytes, plural } from "../../lib/text";
import type { Artifact, Compile } from "../../store/report";
import { LongText } from "../../ui/text";
import { Panel } from "../../ui/page";
import { Name } from "./CompileArtifacts";

/** What each attempt left, and why Dynamo restarted. */
export function CompileAttempts({ compile, artifacts }: { compile: Compile; artifacts: readonly Artifact[] }) {
  const attempts = [...new Set([...compile.attempts, ...artifacts.map((artifact) => artifact.attempt ?? 0)])].sort(
    (a, b) => a - b,
  );
  return (
    <div class="tabroom" data-scroll="attempts">
      {compile.restarts.length > 0 && (
        <Panel title="Restart reasons" note={plural(compile.restarts.length, "restart")}>
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
                    <Name id={compile.key} artifact={artifact} n={n} />{" "}
                    {artifact.bytes > 0 && <span class="muted num">{bytes(artifact.bytes)}</span>}
                  </li>
                ))}
              </ul>
            ) : (
              <p class="pad muted">No artifacts: Dynamo restarted before it finished the graph.</p>
            )}
          </Panel>
        );
      })}
    </div>
  );
}

import { toArtifact } from "../../lib/address";
import { runnables } from "../../store/runnable";
import { shortName } from "../../store/artifact";
import type { Artifact } from "../../store/types";
import { CopyButton } from "../../ui/CopyButton";
import { Panel } from "../../ui/Panel";
import { useStore } from "../../ui/context";

/** The artifacts that are programs, with the command that runs each. */
export function RunPanel({ id, artifacts }: { id: string; artifacts: readonly Artifact[] }) {
  const found = runnables(useStore().report, artifacts);
  if (!found.length) return null;
  const needs = [...new Set(found.flatMap((one) => one.needs))];
  return (
    <Panel title="Run it" note="in the report's folder">
      <ul class="runs">
        {found.map((one) => (
          <li key={one.n}>
            <span>
              <a class="mono" href={toArtifact(id, one.n)}>
                {shortName(artifacts[one.n]!)}
              </a>{" "}
              <span class="muted">{one.title}</span>
            </span>
            <span class="command">
              <code>{one.command}</code>
              <CopyButton text={one.command} label="Copy command" />
            </span>
          </li>
        ))}
      </ul>
      <details class="pad needs">
        <summary>What it needs</summary>
        <ul>
          {needs.map((need) => (
            <li key={need}>{need}</li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}

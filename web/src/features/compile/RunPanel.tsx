import { toArtifact } from "../../lib/address";
import { runnables } from "../../store/runnable";
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
    <Panel title="Reproduce" note="run in the report's directory">
      <ul class="runs">
        {found.map((one) => (
          <li key={one.n}>
            <span>
              <a class="mono" href={toArtifact(id, one.n)}>
                {artifacts[one.n]!.stem}
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
        <summary>Requirements</summary>
        <ul>
          {needs.map((need) => (
            <li key={need}>{need}</li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}

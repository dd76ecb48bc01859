import { toArtifact } from "../../lib/address";
import { runnables } from "../../store/runnable";
import type { Artifact } from "../../store/report";
import { CopyButton } from "../../ui/text";
import { Panel, useStore } from "../../ui/page";

/** The artifacts that are programs, with the command that runs each. */
export function RunPanel({ id, artifacts }: { id: string; artifacts: readonly Artifact[] }) {
  const found = runnables(useStore().report, artifacts);
  if (!found.length) return null;
  const needs = [...new Set(found.flatMap((one) => one.needs))];
  return (
    <Panel title="Reproduce" note="run in the report's directory">
      <ul class="runs unmarked">
        {[...new Set(found.map((one) => one.title))].map((title) => (
          <li key={title}>
            <span class="muted">{title}</span>
            {found
              .filter((one) => one.title === title && found.find(({ file }) => file === one.file) === one)
              .map((one) => (
                <span key={one.n} class="command">
                  <code>
                    python{" "}
                    <a href={toArtifact(id, one.n)} title={artifacts[one.n]!.name}>
                      {one.file}
                    </a>
                  </code>
                  <CopyButton text={`python ${one.file}`} />
                </span>
              ))}
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

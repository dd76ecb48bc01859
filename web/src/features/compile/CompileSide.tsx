import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { toArtifact, withSearch } from "../../lib/address";
import { bytes, count, middle } from "../../lib/text";
import { NARROW, useMedia } from "../../lib/hooks";
import { packed } from "../../lib/packed";
import { artifactUrl, groupArtifacts, hasText, sign } from "../../store/artifact";
import { runs } from "../../store/records";
import type { Artifact } from "../../store/report";
import { artifactHelp } from "../../ui/artifact-help";

interface Props {
  id: string;
  artifacts: readonly Artifact[];
  current: number | null;
  /** the tabs of the compile, which are above the list */
  tabs: ComponentChildren;
  /** the list has nothing to add: a table of the artifacts is shown */
  bare: boolean;
}

/** At the left the views of a compile, and its artifacts in the order of the log. On a phone an artifact folds them away, and other views have the tabs only. */
export function CompileSide({ id, artifacts, current, tabs, bare }: Props) {
  const side = useRef<HTMLDivElement>(null);
  const narrow = useMedia(NARROW);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
    side.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const groups = groupArtifacts(artifacts);
  const chosen = current === null ? undefined : artifacts[current];
  const list = !bare && artifacts.length > 0 && (chosen || !narrow) && (
    <nav class="items" aria-label="Artifacts">
      {groups.map((group) => (
        <section key={group.title}>
          {group.title && <h2>{group.title}</h2>}
          {runs(group.items).map(({ artifact, n, more }) => (
            <Item
              key={n}
              id={id}
              artifact={artifact}
              n={n}
              more={more.length}
              on={n === current || more.some((one) => one.n === current)}
              narrow={narrow}
            />
          ))}
        </section>
      ))}
    </nav>
  );
  return (
    <div class="artifacts" ref={side} data-scroll="artifacts">
      {narrow && chosen ? (
        <details open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
          <summary>
            {chosen.stem}{" "}
            <span class="muted">
              {current! + 1} of {artifacts.length}
            </span>
          </summary>
          {tabs}
          {list}
        </details>
      ) : (
        <>
          {tabs}
          {list}
        </>
      )}
    </div>
  );
}

interface ItemProps {
  id: string;
  artifact: Artifact;
  n: number;
  more: number;
  on: boolean;
  narrow: boolean;
}

function Item({ id, artifact, n, more, on, narrow }: ItemProps) {
  const name = artifact.stem;
  const title = [
    artifactHelp(artifact.name) ?? artifactHelp(artifact.kind),
    artifact.name,
    `${artifact.kind}, line ${artifact.line} of the log`,
  ]
    .filter(Boolean)
    .join("\n");
  const label = (
    <span class="mono">
      {artifact.suffix && <span aria-hidden="true">{sign(artifact)} </span>}
      {middle(name, narrow ? 40 : 25)}
    </span>
  );
  if (hasText(artifact))
    return (
      <a class={on ? "on" : ""} aria-current={on ? "page" : undefined} href={toArtifact(id, n)} title={title}>
        {label}
        <small>{more ? `${count(more + 1)} records` : bytes(artifact.bytes)}</small>
      </a>
    );
  const url = artifactUrl(artifact);
  if (!url)
    return (
      <span
        class="off"
        title={`${title}\n${packed() ? "not in this file" : "not shown: its address is not safe to follow"}`}
      >
        {label}
      </span>
    );
  return artifact.kind === "link" ? (
    <a href={url} title={url} rel="noreferrer noopener" target="_blank">
      {label}
      <small>link ↗</small>
    </a>
  ) : (
    <a href={withSearch(url)} title={title}>
      {label}
      <small>page ↗</small>
    </a>
  );
}

import { useEffect, useRef, useState } from "preact/hooks";
import { toArtifact } from "../../lib/address";
import { bytes, count, middle } from "../../lib/format";
import { NARROW, useMedia } from "../../lib/hooks";
import { withSearch } from "../../lib/urls";
import { artifactUrl, groupArtifacts, hasText, shortName, sign } from "../../store/artifact";
import { runs } from "../../store/records";
import type { Artifact } from "../../store/types";
import { artifactHelp } from "../../ui/artifact-help";

interface Props {
  id: string;
  artifacts: readonly Artifact[];
  current: number | null;
}

/** The artifacts of one compile at the left, in the order they were written. On a phone it folds away above the text. */
export function ArtifactList({ id, artifacts, current }: Props) {
  const nav = useRef<HTMLElement>(null);
  const narrow = useMedia(NARROW);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const groups = groupArtifacts(artifacts);
  const list = (
    <div class="items">
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
      {!artifacts.length && <p class="muted pad">No artifacts.</p>}
    </div>
  );
  const chosen = current === null ? undefined : artifacts[current];
  return (
    <nav class="artifacts" aria-label="Artifacts" ref={nav} data-scroll="artifacts">
      {narrow ? (
        <details open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
          <summary>
            {chosen ? shortName(chosen) : "Artifacts"} <span class="muted">· {artifacts.length}</span>
          </summary>
          {list}
        </details>
      ) : (
        list
      )}
    </nav>
  );
}

function Item({
  id,
  artifact,
  n,
  more,
  on,
  narrow,
}: {
  id: string;
  artifact: Artifact;
  n: number;
  more: number;
  on: boolean;
  narrow: boolean;
}) {
  const name = shortName(artifact);
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
      <span class="off" title={`${title}\nnot shown: its address is not safe to follow`}>
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

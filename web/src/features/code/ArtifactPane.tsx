// The pane of an artifact: a graph or the output code of the compile that is shown.
import { useMemo } from "preact/hooks";
import { toArtifact } from "../../lib/address";
import { plural } from "../../lib/text";
import { whyNone } from "../../store/code-graphs";
import type { TextPane } from "../../store/code-pairs";
import { Pending, useStore } from "../../ui/page";
import { Prose } from "../../ui/text";
import type { Pane } from "../../ui/viewer/types";
import { PaneBox } from "./PaneBox";
import { PANE_TITLES } from "./pane-titles";
import type { FoundLine } from "./useLine";

interface Props {
  pane: TextPane;
  found: FoundLine;
  lines: readonly number[];
  at: number | null;
  onPick: (line: number) => void;
  onPane: (pane: Pane | null) => void;
}

export function ArtifactPane({ pane, found, lines, at, onPick, onPane }: Props) {
  const { opened, shown, pending } = found;
  const title = PANE_TITLES[pane];
  const n = shown?.graph.artifacts[pane] ?? null;
  const artifact = n === null ? undefined : opened?.details.artifacts[n];
  const content = shown?.texts[pane] ?? null;
  const lang = artifact?.lang;
  const text = useMemo(() => (content === null || !lang ? null : { text: content, lang }), [content, lang]);
  if (pending.state !== "ready")
    return (
      <section class="codepane" aria-label={title}>
        <header>
          <h2>{title}</h2>
        </header>
        <Pending of={pending} what="the compile" />
      </section>
    );
  return (
    <PaneBox
      title={title}
      note={
        artifact &&
        n !== null && (
          <>
            {lines.length > 0 && `${plural(lines.length, "line")} marked, `}
            <a href={toArtifact(opened!.key, n, lines.length ? `${at ?? lines[0]}` : null)}>open</a>
          </>
        )
      }
      text={text}
      why={<Why pane={pane} found={found} />}
      lines={lines}
      at={at}
      near={at !== null}
      onPick={onPick}
      onPane={onPane}
    />
  );
}

function Why({ pane, found: { opened, shown } }: Pick<Props, "pane" | "found">) {
  const store = useStore();
  if (!opened || !shown) return <>No compile of the log has a graph or a kernel from this line</>;
  const why = whyNone(pane, shown.graph, opened.details.stages);
  return (
    <>
      The log has no such artifact of {store.name(opened.key)}
      {why && (
        <>
          : <Prose text={why} />
        </>
      )}
    </>
  );
}

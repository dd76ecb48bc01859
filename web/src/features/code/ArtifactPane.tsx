// The pane of an artifact: a graph or the output code of the compile that is shown.
import { useMemo } from "preact/hooks";
import { toArtifact } from "../../lib/address";
import type { Loaded } from "../../lib/hooks";
import { plural } from "../../lib/text";
import { whyNone } from "../../store/code-graphs";
import type { TextPane } from "../../store/code-pairs";
import { Pending, useStore } from "../../ui/page";
import { Prose } from "../../ui/text";
import type { Pane } from "../../ui/viewer/types";
import { PaneBox } from "./PaneBox";
import { PANE_TITLES } from "./pane-titles";
import type { Opened, PairedTexts } from "./useLine";

interface Props {
  pane: TextPane;
  opened: Opened | null;
  shown: PairedTexts | null;
  /** what is loaded */
  pending: Loaded<unknown>;
  lines: readonly number[];
  at: number | null;
  onPick: (line: number) => void;
  onPane: (pane: Pane | null) => void;
}

export function ArtifactPane({ pane, opened, shown, pending, lines, at, onPick, onPane }: Props) {
  const store = useStore();
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
      why={<Why pane={pane} opened={opened} shown={shown} name={opened ? store.name(opened.key) : ""} />}
      lines={lines}
      at={at}
      near={at !== null}
      onPick={onPick}
      onPane={onPane}
    />
  );
}

function Why({ pane, opened, shown, name }: Pick<Props, "pane" | "opened" | "shown"> & { name: string }) {
  if (!opened || !shown) return <>No compile of the log has a graph or a kernel from this line</>;
  const why = whyNone(pane, shown.graph, opened.details.stages);
  return (
    <>
      The log has no such artifact of {name}
      {why && (
        <>
          : <Prose text={why} />
        </>
      )}
    </>
  );
}

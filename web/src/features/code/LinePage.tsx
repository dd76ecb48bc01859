// A line of source and what became of it: four panes that stay in step. The address has the file, the line, the compile, the graph,
// and what was chosen in another pane than the source.
import { useMemo, useState } from "preact/hooks";
import { address } from "../../lib/address";
import { NARROW, useMedia, useTitle } from "../../lib/hooks";
import { baseName } from "../../lib/text";
import { TEXT_PANES, type PaneName, type SourcePlace } from "../../store/code-pairs";
import type { PageProps } from "../../ui/page";
import { PageHead } from "../../ui/PageHead";
import { ArtifactPane } from "./ArtifactPane";
import { LineChoices } from "./LineChoices";
import { LineFacts } from "./LineFacts";
import { PaneTabs } from "./PaneTabs";
import { SourcePane } from "./SourcePane";
import { useChoice } from "./useChoice";
import { useLine } from "./useLine";
import { useSource } from "./useSource";
import { useSteps } from "./useSteps";

export function LinePage({ at }: PageProps) {
  const { file = "" } = at.query;
  const line = Number(at.query.line) || 0;
  const place = useMemo<SourcePlace>(() => ({ file, line }), [file, line]);
  const name = `${baseName(file)}:${line}`;
  useTitle(name);
  const source = useSource(file);
  const { rows } = source;
  const found = useLine(place, at.query.compile, at.query.graph);
  const { shown, nth } = found;
  const pairs = shown?.pairs ?? null;
  const choice = useChoice(at.query.pick, place, pairs, nth);
  const { pick, related, lines, choose } = choice;
  const narrow = useMedia(NARROW);
  const [tab, setTab] = useState<PaneName>(pick?.pane ?? "source");
  const close = address(["code"], { file });
  const front = narrow ? tab : (pick?.pane ?? "source");
  const hold = useSteps({ file, line, rows, pairs, choice, front, close });
  const row = rows.find((item) => !item.gap && item.line === line);
  return (
    <>
      <PageHead title={`Code ${name}`} sub={row?.text && <code>{row.text}</code>}>
        <LineChoices found={found} />
        <a class="button" href={close} aria-label="Close" title="To the lines of the file (Esc)">
          ✕
        </a>
      </PageHead>
      <LineFacts place={place} cost={row?.cost ?? null} choice={choice} found={found} />
      {narrow && <PaneTabs shown={tab} onPane={setTab} />}
      <div class={narrow ? "codepanes one" : "codepanes"}>
        {(!narrow || tab === "source") && (
          <SourcePane
            key={file}
            file={file}
            line={lines.includes(line) ? line : 0}
            source={source}
            lines={lines}
            own={!pick}
            onLine={(to) => choose("source", to)}
            onPane={hold("source")}
          />
        )}
        {TEXT_PANES.filter((pane) => !narrow || tab === pane).map((pane) => (
          <ArtifactPane
            key={pane}
            pane={pane}
            found={found}
            lines={related.lines[pane]}
            at={pick?.pane === pane ? pick.line : null}
            onPick={(to) => choose(pane, to)}
            onPane={hold(pane)}
          />
        ))}
      </div>
    </>
  );
}

// A line of source and what became of it: four panes that stay in step. The address has the file, the line, the compile, the graph,
// and what was chosen in another pane than the source.
import { useMemo, useRef, useState } from "preact/hooks";
import { address, go, replaceQuery } from "../../lib/address";
import { NARROW, useKeys, useMedia, useTitle } from "../../lib/hooks";
import { baseName } from "../../lib/text";
import { placeKey } from "../../lib/graph/line-sources";
import { type Related, TEXT_PANES, type PaneName, type SourcePlace, type TextPane } from "../../store/code-pairs";
import { sourceRows } from "../../store/code-source";
import { Pending, type PageProps, useStore } from "../../ui/page";
import { PageHead } from "../../ui/PageHead";
import type { Pane } from "../../ui/viewer/types";
import { ArtifactPane } from "./ArtifactPane";
import { LineChoices } from "./LineChoices";
import { LineFacts } from "./LineFacts";
import { PANE_TITLES } from "./pane-titles";
import { SourcePane } from "./SourcePane";
import { firstGraph, useCompile, useCompileInAddress, useLineCompiles, usePairs } from "./useLine";

const NOTHING: Related = { places: [], lines: { dynamo: [], post: [], code: [] } };

/** "post-12" in the address. */
function parsePick(text: string | undefined): { pane: TextPane; line: number } | null {
  const found = /^(dynamo|post|code)-(\d{1,9})$/.exec(text ?? "");
  return found && { pane: found[1] as TextPane, line: Number(found[2]) };
}

export function LinePage({ at }: PageProps) {
  const store = useStore();
  const { file = "", compile: asked, graph: askedGraph } = at.query;
  const line = Number(at.query.line) || 0;
  const place = useMemo<SourcePlace>(() => ({ file, line }), [file, line]);
  const name = `${baseName(file)}:${line}`;
  useTitle(name);
  const compiles = useLineCompiles(store, place);
  const key = asked ?? compiles.keys[0];
  useCompileInAddress(key, asked);
  const opened = useCompile(store, key);
  const compile = opened.state === "ready" ? opened.value : null;
  const first = useMemo(() => (compile ? firstGraph(compile, place) : 0), [compile]);
  const nth = askedGraph === undefined ? first : Math.min(Number(askedGraph) || 0, (compile?.graphs.length ?? 1) - 1);
  const paired = usePairs(store, compile, nth);
  const shown = paired.state === "ready" ? paired.value : null;
  const rows = useMemo(() => sourceRows(store.report, file), [store, file]);

  const pick = useMemo(() => parsePick(at.query.pick), [at.query.pick]);
  const related = useMemo(
    () => (!shown ? NOTHING : pick ? shown.pairs.ofLine(pick.pane, pick.line) : shown.pairs.ofPlace(place)),
    [shown, pick, place],
  );
  const marked = useMemo(
    () => [
      ...new Set(
        pick ? related.places.filter((other) => other.file === file).map((other) => other.line) : line ? [line] : [],
      ),
    ],
    [related, pick, file, line],
  );

  const chooseLine = (to: number) => replaceQuery({ line: `${to}`, pick: null });
  const choose = (pane: PaneName, to: number) => {
    if (pane === "source") return chooseLine(to);
    const places = shown?.pairs.ofLine(pane, to).places ?? [];
    const next =
      places.find((other) => other.file === file && other.line === line) ??
      places.find((other) => other.file === file) ??
      places[0];
    replaceQuery({ ...(next && { file: next.file, line: `${next.line}` }), graph: `${nth}`, pick: `${pane}-${to}` });
  };

  const narrow = useMedia(NARROW);
  const [tab, setTab] = useState<PaneName>(pick?.pane ?? "source");
  const panes = useRef(new Map<PaneName, Pane>());
  const hold = (pane: PaneName) => (made: Pane | null) => {
    if (made) panes.current.set(pane, made);
    else panes.current.delete(pane);
  };
  const current = (): PaneName =>
    [...panes.current].find(([, pane]) => pane.isFocused())?.[0] ?? (narrow ? tab : (pick?.pane ?? "source"));
  /** To the next line that has something in another pane, or the one before. */
  const step = (way: 1 | -1) => {
    const pane = current();
    const lines =
      pane === "source"
        ? rows.flatMap((row) => (!row.gap && (!shown || shown.pairs.has({ file, line: row.line })) ? [row.line] : []))
        : (shown?.pairs.linesWith(pane) ?? []);
    const now = pane === "source" ? line : pick?.pane === pane ? pick.line : (related.lines[pane][0] ?? 0);
    const next = way === 1 ? lines.find((n) => n > now) : lines.findLast((n) => n < now);
    if (next !== undefined) choose(pane, next);
  };
  const close = address(["code"], { file });
  useKeys({
    ArrowDown: () => step(1),
    j: () => step(1),
    ArrowUp: () => step(-1),
    k: () => step(-1),
    "/": () => panes.current.get(current())?.find(),
    Escape: () => go(close),
  });

  const cost = rows.find((row) => !row.gap && row.line === line)?.cost ?? null;
  const text = rows.find((row) => !row.gap && row.line === line)?.text;
  const visible: readonly PaneName[] = narrow ? [tab] : ["source", ...TEXT_PANES];
  return (
    <>
      <PageHead title={`Code ${name}`} sub={text && <code>{text}</code>}>
        <LineChoices opened={compile} shown={key} nth={nth} compiles={compiles} />
        <a class="button" href={close} aria-label="Close" title="To the lines of the file (Esc)">
          ✕
        </a>
      </PageHead>
      <LineFacts
        place={place}
        cost={cost}
        related={related}
        shown={key}
        missing={!!shown && !pick && !shown.pairs.has(place)}
        alone={!!pick && !related.places.length}
        compiles={compiles}
      />
      {narrow && (
        <div class="pane-tabs" role="tablist" aria-label="Panes">
          {(["source", ...TEXT_PANES] as const).map((pane) => (
            <button key={pane} type="button" role="tab" aria-selected={tab === pane} onClick={() => setTab(pane)}>
              {PANE_TITLES[pane]}
            </button>
          ))}
        </div>
      )}
      <div class={narrow ? "codepanes one" : "codepanes"}>
        {visible.includes("source") && (
          <SourcePane
            key={placeKey(file, 0)}
            file={file}
            line={pick && !marked.includes(line) ? 0 : line}
            rows={rows}
            lines={marked}
            own={!pick}
            onLine={chooseLine}
            onPane={hold("source")}
          />
        )}
        {TEXT_PANES.filter((pane) => visible.includes(pane)).map((pane) => (
          <ArtifactPane
            key={pane}
            pane={pane}
            opened={compile}
            shown={shown}
            pending={
              opened.state !== "ready"
                ? opened
                : key === undefined && !compiles.complete
                  ? { state: "loading" }
                  : paired
            }
            lines={related.lines[pane]}
            at={pick?.pane === pane ? pick.line : null}
            onPick={(to) => choose(pane, to)}
            onPane={hold(pane)}
          />
        ))}
      </div>
      {opened.state === "failed" && <Pending of={opened} what="the compile" />}
    </>
  );
}

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatLines, parse, parseLines, replaceQuery, toArtifact, useAddress, withSearch } from "../../lib/address";
import { copyText } from "../../lib/clipboard";
import { bytes, count, plural } from "../../lib/text";
import { useKeys, useLoaded } from "../../lib/hooks";
import { artifactUrl, fileName, fileUrl } from "../../store/artifact";
import { clipLines } from "../../lib/clip";
import type { RecordTables } from "../../store/record-tables";
import { fromFound } from "../../lib/search";
import type { Artifact } from "../../store/report";
import { DrawingView } from "../../ui/graph/DrawingView";
import { hasNodes, valueOf, type Source, type Value } from "../../lib/graph/model";
import { LateNodes } from "../../ui/graph/late";
import { useGraphModules } from "../../ui/graph/modules";
import { ValuePanel } from "../../ui/graph/ValuePanel";
import { Empty, useStore, Pending } from "../../ui/page";
import { bundle } from "../../lib/tl";
import type { Viewer } from "../../ui/viewer/types";
import { CompareLink } from "../../ui/compile";
import { hasShapes } from "../../lib/packed";
import { GraphViews, NO_VIEW, viewOf, type GraphView } from "./GraphViews";
import { RecordView } from "./RecordView";

interface Props {
  id: string;
  n: number;
  artifact: Artifact;
  tables: RecordTables | undefined;
  lines: string | undefined;
}

/** Whether long lines are wrapped holds for all artifacts until the page is left. */
let wrapLines = false;

export function ArtifactView({ id, n, artifact, tables, lines }: Props) {
  const store = useStore();
  const loaded = useLoaded(
    () => Promise.all([artifact.text ? store.text(artifact) : Promise.resolve(""), bundle("viewer")]),
    [artifact],
  );
  const place = useRef<HTMLDivElement>(null);
  const viewer = useRef<Viewer | null>(null);
  const [wrap, setWrap] = useState(wrapLines);
  const [said, setSaid] = useState("");
  const [panel, setPanel] = useState(() => !!parse(location.hash).query.v);
  const [value, setValue] = useState<Value | null>(null);
  const [source, setSource] = useState<Source | null>(null);
  const [folded, setFolded] = useState(false);
  const [made, setMade] = useState<Viewer | null>(null);
  const { query } = useAddress();
  const isGraph = !hasShapes() && (artifact.lang === "graph" || artifact.lang === "python"); // a shape has no names
  const text = loaded.state === "ready" ? loaded.value[0] : "";
  const canDraw = useMemo(() => isGraph && hasNodes(text), [text]);
  const clipped = useMemo(() => clipLines(text), [text]);
  const view = canDraw || loaded.state !== "ready" ? viewOf(query) : "text";
  const lineCount = useMemo(() => countLines(text), [text]);
  const size = `${bytes(artifact.bytes)}${text && ` · ${plural(lineCount, "line")}`}`;
  const url = artifactUrl(artifact);
  const readable = fileUrl(artifact.readable_url);

  useLayoutEffect(() => {
    if (loaded.state !== "ready" || !place.current || !artifact.text) return;
    const searched = fromFound(parse(location.hash).query);
    const made = loaded.value[1].createViewer(place.current, {
      text: clipped.text,
      lang: artifact.lang,
      name: artifact.name,
      lines: parseLines(lines),
      top: artifact.kernel_line,
      wrap: wrapLines,
      ...(searched ? { find: searched } : {}),
      ...(isGraph ? { graph: { onValue: chooseValue, onSource: chooseSource, onUses: () => setPanel(true) } } : {}),
      onLines: (from, to) => replaceQuery({ L: from === null ? null : formatLines(from, to) }),
    });
    viewer.current = made;
    setMade(made);
    const key = isGraph ? parse(location.hash).query.v : undefined;
    const graph = key ? made.graph() : null;
    const wanted = graph && key ? loaded.value[1].valueOf(graph, key) : null;
    if (wanted) {
      made.value(wanted, lines ? undefined : wanted.at);
      setValue(wanted);
    }
    return () => {
      viewer.current = null;
      setMade(null);
      made.destroy();
    };
  }, [loaded.state]);
  useLayoutEffect(() => viewer.current?.setLines(parseLines(lines)), [lines]);
  useLayoutEffect(() => {
    // A row of the table leads to its value by the address.
    const graph = view === "nodes" ? made?.graph() : null;
    if (!graph) return;
    const wanted = query.v ? valueOf(graph, query.v) : null;
    viewer.current?.value(wanted);
    setValue(wanted);
    setSource(null);
  }, [view, query.v, made]);

  // Called by the editor for as long as it lives: they use setters and the address alone.
  function chooseValue(chosen: Value | null): void {
    setValue(chosen);
    setSource(null);
    if (chosen) setPanel(true);
    if (loaded.state === "ready") replaceQuery({ v: chosen && loaded.value[1].valueKey(chosen) });
  }
  function chooseSource(chosen: Source): void {
    const now = viewer.current;
    setValue(null);
    setSource(chosen);
    setPanel(true);
    now?.value(null);
    if (now) replaceQuery({ v: null, L: formatLines(now.lineOf(chosen.from), now.lineOf(chosen.to)) });
  }
  const goValue = (chosen: Value, at: number) => {
    viewer.current?.value(chosen, at);
    chooseValue(chosen);
  };
  const goSource = (chosen: Source) => {
    chooseSource(chosen);
    const now = viewer.current;
    now?.setLines([now.lineOf(chosen.from), now.lineOf(chosen.to)]);
  };
  const toText = (chosen: Value | null, at = chosen?.at ?? 0) => {
    replaceQuery(NO_VIEW);
    // The editor has a size again only when the page was drawn.
    requestAnimationFrame(() => {
      if (chosen) goValue(chosen, at);
      place.current?.querySelector<HTMLElement>(".cm-content")?.focus({ preventScroll: true });
    });
  };
  const textOfSource = (chosen: Source) => {
    toText(null);
    requestAnimationFrame(() => goSource(chosen));
  };
  const toDrawing = (chosen: Value | null) => replaceQuery({ ...NO_VIEW, d: String(chosen?.scope.index ?? 1) });
  const toView = (to: GraphView) =>
    to === "text" ? toText(value) : to === "drawing" ? toDrawing(value) : replaceQuery({ ...NO_VIEW, view: "nodes" });
  const toggle = (to: GraphView) => canDraw && toView(view === to ? "text" : to);
  const chooseNode = (chosen: Value | null) => {
    viewer.current?.value(chosen);
    chooseValue(chosen);
  };
  const toggleFold = () => {
    viewer.current?.fold(!folded);
    setFolded(!folded);
  };
  const allSources = () => {
    setValue(null);
    setSource(null);
    setPanel(!panel || !!value || !!source);
  };
  const say = (text: string) => {
    setSaid(text);
    setTimeout(() => setSaid(""), 2000);
  };
  const toggleWrap = () => {
    wrapLines = !wrap;
    setWrap(wrapLines);
    viewer.current?.setWrap(wrapLines);
  };
  const copyLink = () => {
    const chosen = viewer.current?.lines() ?? parseLines(lines);
    const hash = toArtifact(id, n, chosen && formatLines(...chosen));
    void copyText(location.href.replace(/#.*$/, "") + hash).then((done) =>
      say(
        done
          ? chosen
            ? `Link to line ${formatLines(...chosen)} copied`
            : "Link copied"
          : "The browser denied clipboard access",
      ),
    );
  };
  const copyAll = () =>
    copyText(text).then((done) => say(done ? "Text copied" : "The browser denied clipboard access"));
  const find = () =>
    view === "text" ? viewer.current?.find() : document.querySelector<HTMLElement>(".drawing-tools input")?.focus();
  useKeys({
    "/": find,
    "mod+f": find,
    w: toggleWrap,
    y: copyLink,
    ...(isGraph
      ? {
          r: () => toggle("nodes"),
          v: () => setPanel(!panel),
          s: allSources,
          z: toggleFold,
          d: () => toggle("drawing"),
        }
      : {}),
  });
  const modules = useGraphModules(id, artifact);
  const isDynamo = artifact.kind === "dynamo_output_graph";
  const followed = useMemo(() => (isDynamo ? { compile: id, artifact } : null), [id, artifact]);
  const graph = (panel || view !== "text") && isGraph && made ? made.graph() : null;

  return (
    <section class="artifact" aria-label={artifact.name}>
      <header>
        <h2
          class="mono cutoff"
          title={`${artifact.url ?? artifact.name}\nline ${count(artifact.line)} of the log\n${size}`}
        >
          {fileName(artifact)}
        </h2>
        <span class="muted num">{size}</span>
        <span class="tools" aria-live="polite">
          {said && <span class="said">{said}</span>}
          {canDraw && <GraphViews view={view} onView={toView} />}
          <button type="button" onClick={find} title="Search in the text (/ or Ctrl+F)">
            Find
          </button>
          {isGraph && text && view === "text" && (
            <button
              type="button"
              aria-pressed={panel && !value && !source}
              onClick={allSources}
              title="List the source lines with the nodes traced from each (s)"
            >
              Source lines
            </button>
          )}
          {isGraph && text && view === "text" && (
            <button
              type="button"
              aria-pressed={folded}
              onClick={toggleFold}
              title="Fold the nodes below each source line (z)"
            >
              Fold
            </button>
          )}
          {view === "text" && (
            <button type="button" aria-pressed={wrap} onClick={toggleWrap} title="Wrap long lines (w)">
              Wrap
            </button>
          )}
          <button type="button" onClick={copyAll} title="Copy the text">
            Copy
          </button>
          <button type="button" onClick={copyLink} title="Copy a link to this artifact and line (y)">
            Copy link
          </button>
          {artifact.text && <CompareLink id={id} n={n} />}
          {readable && (
            <a class="button" href={withSearch(readable)}>
              Readable
            </a>
          )}
          {url && (
            <a class="button" href={withSearch(url)} title={artifact.url ?? undefined}>
              File ↗
            </a>
          )}
        </span>
      </header>
      {clipped.cut > 0 && (
        <p class="notice">
          {clipped.cut === 1 ? "One line is" : `${count(clipped.cut)} lines are`} truncated after 20,000 characters.{" "}
          {url && <a href={withSearch(url)}>Open the file</a>}
        </p>
      )}
      <Pending of={loaded} what="the text" />
      {loaded.state === "ready" &&
        (artifact.text ? (
          !text && <Empty title="This artifact is empty" />
        ) : (
          <Empty title="This artifact has no text">{url && <a href={withSearch(url)}>Open it</a>}</Empty>
        ))}
      {text && !hasShapes() && <RecordView artifact={artifact} text={text} tables={tables} />}
      <div class="graph-body fill">
        <div class="editor" ref={place} hidden={view !== "text"} />
        {graph && view === "drawing" && (
          <DrawingView
            graph={graph}
            viewer={made!}
            modules={modules}
            followed={followed}
            value={value}
            onValue={chooseNode}
            onText={toText}
          />
        )}
        {graph && view === "nodes" && (
          <LateNodes graph={graph} text={clipped.text} viewer={made!} modules={modules} ran={isDynamo} value={value} />
        )}
        {graph && (view === "text" || (view === "nodes" && value)) && (
          <ValuePanel
            graph={graph}
            viewer={made!}
            modules={modules}
            followed={followed}
            value={value}
            source={source}
            onValue={view === "nodes" ? chooseNode : goValue}
            onPlace={view === "nodes" ? toText : goValue}
            onSource={view === "nodes" ? textOfSource : goSource}
            onDraw={drawable(value) ? toDrawing : null}
            onClose={view === "nodes" ? () => chooseNode(null) : () => setPanel(false)}
          />
        )}
      </div>
    </section>
  );
}

/** Output code has values too, but no function of nodes. */
function drawable(value: Value | null): boolean {
  return (
    value?.scope.kind === "def" &&
    value.scope.parent?.kind === "class" &&
    (value.kind !== "name" || value.op.startsWith("self."))
  );
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

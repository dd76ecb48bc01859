import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatLines, parseLines, replaceQuery, toArtifact } from "../base/address";
import { copyText } from "../base/clipboard";
import { bytes, count } from "../base/format";
import { useLoaded } from "../base/hooks";
import { useKeys } from "../base/keys";
import { withSearch } from "../base/urls";
import { artifactUrl, fileName, fileUrl } from "../data/artifact";
import { clipLines } from "../data/clip";
import type { Artifact } from "../data/types";
import { Empty, Failed, Loading } from "../parts/States";
import { useStore } from "../shell/context";
import { bundle } from "../tl";
import type { Viewer } from "../viewer/bundle-api";
import { CompareLink } from "./Compare";

interface Props {
  id: string;
  n: number;
  artifact: Artifact;
  lines: string | undefined;
}

/** Whether long lines are wrapped holds for all artifacts until the page is left. */
let wrapLines = false;

export function ArtifactView({ id, n, artifact, lines }: Props) {
  const store = useStore();
  const loaded = useLoaded(() => Promise.all([artifact.text ? store.text(artifact) : Promise.resolve(""), bundle("viewer")]), [artifact]);
  const place = useRef<HTMLDivElement>(null);
  const viewer = useRef<Viewer | null>(null);
  const [wrap, setWrap] = useState(wrapLines);
  const [said, setSaid] = useState("");
  const text = loaded.state === "ready" ? loaded.value[0] : "";
  const clipped = useMemo(() => clipLines(text), [text]);
  const lineCount = useMemo(() => countLines(text), [text]);
  const url = artifactUrl(artifact);
  const readable = fileUrl(artifact.readable_url);

  useEffect(() => {
    if (loaded.state !== "ready" || !place.current || !artifact.text) return;
    const made = loaded.value[1].createViewer(place.current, {
      text: clipped.text,
      lang: artifact.lang,
      name: artifact.name,
      lines: parseLines(lines),
      wrap: wrapLines,
      onLines: (from, to) => replaceQuery({ L: from === null ? null : formatLines(from, to) }),
    });
    viewer.current = made;
    return () => {
      viewer.current = null;
      made.destroy();
    };
  }, [loaded.state]);
  useEffect(() => viewer.current?.setLines(parseLines(lines)), [lines]);

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
    copyText(location.href.replace(/#.*$/, "") + hash).then((done) => say(done ? (chosen ? `Link to line ${formatLines(...chosen)} copied` : "Link copied") : "The browser refused to copy"));
  };
  const copyAll = () => copyText(text).then((done) => say(done ? "Text copied" : "The browser refused to copy"));
  const find = () => viewer.current?.find();
  useKeys({ "/": find, "mod+f": find, w: toggleWrap, y: copyLink });

  return (
    <section class="artifact" aria-label={artifact.name}>
      <header>
        <h2 class="mono" title={artifact.url ?? artifact.name}>{fileName(artifact)}</h2>
        <span class="muted num">{bytes(artifact.bytes)}{text && ` · ${count(lineCount)} lines`}<span class="roomy"> · line {count(artifact.line)} of the log</span></span>
        <span class="tools" aria-live="polite">
          {said && <span class="said">{said}</span>}
          <button type="button" onClick={find} title="Search in the text (/ or Ctrl+F)">Find</button>
          <button type="button" aria-pressed={wrap} onClick={toggleWrap} title="Wrap long lines (w)">Wrap</button>
          <button type="button" onClick={copyAll}>Copy text</button>
          <button type="button" onClick={copyLink} title="Copy a link to this place (y)">Copy link</button>
          {artifact.text && <CompareLink id={id} n={n} />}
          {readable && <a class="button" href={withSearch(readable)}>Readable</a>}
          {url && <a class="button" href={withSearch(url)} title={`The file itself: ${artifact.url}`}>File ↗</a>}
        </span>
      </header>
      {clipped.cut > 0 && <p class="notice">{clipped.cut === 1 ? "One line is" : `${count(clipped.cut)} lines are`} longer than 20,000 characters and cut off here; search finds what is shown. {url && <a href={withSearch(url)}>The file has all of it.</a>}</p>}
      {loaded.state === "loading" && <Loading what="the text" />}
      {loaded.state === "failed" && <Failed error={loaded.error} />}
      {loaded.state === "ready" && (artifact.text ? !text && <Empty title="This artifact is empty" /> : <Empty title="This artifact has no text of its own">{url && <a href={withSearch(url)}>Open it</a>}</Empty>)}
      <div class="editor" ref={place} />
    </section>
  );
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

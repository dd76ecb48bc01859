// A text or regular expression in all artifacts of the report; what is found comes while the rest is read.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, replaceQuery, toArtifact, toCompile } from "../base/address";
import { bytes, count, percent, plural } from "../base/format";
import { NARROW, useMedia, useTitle } from "../base/hooks";
import { useKeys } from "../base/keys";
import { fileName } from "../data/artifact";
import { pattern, type Hit, type SearchQuery } from "../data/search";
import { searchReport, type Found, type Progress } from "../data/search-report";
import type { Compile, Report } from "../data/types";
import { STATUSES } from "../data/types";
import { Work } from "../data/work";
import { CompileChip, STATUS_WORDS } from "../parts/Chip";
import { RoomHead } from "../parts/RoomHead";
import { Empty } from "../parts/States";
import { useVirtual } from "../parts/useVirtual";
import { useStore } from "../shell/context";
import { searchHelp } from "../shell/help-registry";
import type { RoomProps } from "../shell/rooms";

const ARTIFACTS_SHOWN = 2000;
const WAIT_MS = 300; // after the last key, until the search begins
const ROW_HEIGHT = 26;

type Row = { compile: Compile; artifacts: number } | { found: Found } | { found: Found; hit: Hit } | { found: Found; rest: number };

interface Run {
  state: "idle" | "running" | "done" | "stopped" | "full" | "failed";
  error?: string;
  found: readonly Found[];
  progress: Progress | null;
}

const IDLE: Run = { state: "idle", found: [], progress: null };

export function Search({ at }: RoomProps) {
  const { report } = useStore();
  const { q = "", in: name = "", status = "" } = at.query;
  const query: SearchQuery = { text: q, regexp: at.query.re === "1", caseSensitive: at.query.case === "1" };
  const bad = q !== "" && pattern(query) === null;
  const { run, stop } = useSearch(query, name, status, bad);
  const input = useRef<HTMLInputElement>(null);
  useTitle(q ? `Search ${q}` : "Search");
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  useKeys({ "/": () => { input.current?.focus(); input.current?.select(); } });
  const toggle = (key: string, label: string, title: string) => <label class="check" title={title}><input type="checkbox" checked={at.query[key] === "1"} onChange={(event) => replaceQuery({ [key]: event.currentTarget.checked ? "1" : null })} /> {label}</label>;
  return (
    <>
      <RoomHead title="Search" sub={<span aria-live="polite">{said(run)}</span>}>
        {run.state === "running" && <button type="button" onClick={stop} title="Esc">Stop</button>}
      </RoomHead>
      <form class="search-form" role="search" onSubmit={(event) => event.preventDefault()}>
        <div class="find wide-find">
          <input
            ref={input} type="search" aria-label="Search all artifacts" placeholder="Search the text of all artifacts" value={q} spellcheck={false} autocomplete="off" aria-invalid={bad}
            onInput={(event) => replaceQuery({ q: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.preventDefault();
              if (run.state === "running") stop();
              else event.currentTarget.blur();
            }}
          />
          <kbd aria-hidden="true">/</kbd>
        </div>
        {toggle("re", "regular expression", "As JavaScript writes them: \\bmm\\(.*f16")}
        {toggle("case", "match case", "A and a are different")}
        <input class="in" type="search" aria-label="Only artifacts whose name has" placeholder="artifact name" title="Only artifacts whose name or kind has this" value={name} spellcheck={false} onInput={(event) => replaceQuery({ in: event.currentTarget.value })} />
        <select aria-label="Status of the compile" value={status} onChange={(event) => replaceQuery({ status: event.currentTarget.value })}>
          <option value="">any status</option>
          {STATUSES.map((one) => <option key={one} value={one}>{STATUS_WORDS[one]}</option>)}
        </select>
      </form>
      {run.state === "running" && run.progress && <progress aria-label="How much is read" max={run.progress.total} value={run.progress.bytes} />}
      {bad && <p class="notice" role="alert">This is not a regular expression yet.</p>}
      {run.state === "failed" && <p class="notice" role="alert">{run.error}</p>}
      {run.progress && run.progress.slow.length > 0 && <p class="notice">The expression took longer than 2 s in {plural(run.progress.slow.length, "text")} and was ended there: {run.progress.slow.map((item) => <><a key={`${item.compile.id} ${item.n}`} href={toArtifact(item.compile.id, item.n)}>{item.compile.id} {fileName(item.artifact)}</a> </>)}{run.progress.slow.length >= 5 && "The search was given up: make the expression simpler."}</p>}
      {q && !query.regexp && <Places q={q} report={report} />}
      {!q && <Empty title="Nothing is looked for yet">Type a text that stands in any graph, code, guard or other artifact: an operator, a line of your model, a kernel's name. {bytes(report.compiles.reduce((n, compile) => n + compile.bytes, 0))} in {plural(report.compiles.reduce((n, compile) => n + compile.artifact_count, 0), "artifact")} are searched here in the page, nothing is sent anywhere.</Empty>}
      {q && !bad && !run.found.length && run.state === "done" && <Empty title="No artifact holds this text">{name || status ? <button type="button" onClick={() => replaceQuery({ in: null, status: null })}>Search in all artifacts</button> : "Perhaps in other words, or with fewer of them."}</Empty>}
      {run.found.length > 0 && <Results found={run.found} />}
    </>
  );
}

/** Searches anew when the question changes, and gives up what ran. */
function useSearch(query: SearchQuery, name: string, status: string, bad: boolean): { run: Run; stop: () => void } {
  const store = useStore();
  const [run, setRun] = useState<Run>(IDLE);
  const stopping = useRef<() => void>(() => undefined);
  useEffect(() => {
    setRun(IDLE);
    if (!query.text || bad) return;
    const work = new Work();
    let current = true;
    let stopped = false;
    const found: Found[] = [];
    let progress: Progress | null = null;
    const show = (state: Run["state"], error?: string) => current && setRun({ state, found: found.slice(), progress: progress && { ...progress }, ...(error === undefined ? {} : { error }) });
    const timer = setTimeout(() => void search(), WAIT_MS);
    stopping.current = () => {
      stopped = true;
      work.stop();
    };
    return () => {
      current = false;
      clearTimeout(timer);
      work.stop();
    };

    async function search() {
      let shown = 0;
      try {
        show("running");
        for await (const part of searchReport(store, query, { name, status }, work)) {
          if (!current) return;
          found.push(...part.found);
          progress = part.progress;
          if (stopped || found.length >= ARTIFACTS_SHOWN) break;
          if (performance.now() - shown < 150) continue;
          show("running");
          shown = performance.now();
        }
        show(stopped ? "stopped" : found.length >= ARTIFACTS_SHOWN ? "full" : "done");
      } catch (error) {
        show(stopped ? "stopped" : "failed", stopped ? undefined : error instanceof Error ? error.message : String(error));
      } finally {
        work.stop();
      }
    }
  }, [store, query.text, query.regexp, query.caseSensitive, name, status]);
  return { run, stop: () => stopping.current() };
}

function said({ state, found, progress }: Run): string {
  if (state === "idle" || state === "failed") return "";
  const matches = found.reduce((n, item) => n + item.result.count, 0);
  const more = found.some((item) => item.result.more) ? "more than " : "";
  const here = `${more}${plural(matches, "line")} in ${plural(found.length, "artifact")} of ${plural(new Set(found.map((item) => item.compile.id)).size, "compile")}`;
  const read = progress ? `${bytes(progress.bytes)} of ${bytes(progress.total)}${progress.total ? `, ${percent(progress.bytes, progress.total)}` : ""}` : "";
  if (state === "running") return `${here} · searching, ${read}`;
  if (state === "stopped") return `${here} · stopped after ${read}`;
  if (state === "full") return `${here} · the first ${count(ARTIFACTS_SHOWN)} artifacts, after ${read}`;
  return `${here} · ${progress ? bytes(progress.bytes) : "0 B"} searched`;
}

/** Grouped by compile; of each artifact its first lines. */
function Results({ found }: { found: readonly Found[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(found), [found]);
  const narrow = useMedia(NARROW);
  const virtual = useVirtual(scroller, rows.length, ROW_HEIGHT);
  return (
    <div class="search-results" ref={scroller} tabIndex={0} role="region" aria-label="Results" data-scroll="search">
      <div style={{ height: `${virtual.getTotalSize()}px`, position: "relative" }}>
        {virtual.getVirtualItems().map((item) => rows[item.index] && <div key={item.index} class="search-row" style={{ transform: `translateY(${item.start}px)` }}><One row={rows[item.index]!} narrow={narrow} /></div>)}
      </div>
    </div>
  );
}

function rowsOf(found: readonly Found[]): Row[] {
  const rows: Row[] = [];
  let head: { compile: Compile; artifacts: number } | undefined;
  for (const item of found) {
    if (head?.compile !== item.compile) rows.push((head = { compile: item.compile, artifacts: 0 }));
    head.artifacts++;
    rows.push({ found: item }, ...item.result.hits.map((hit) => ({ found: item, hit })));
    const rest = item.result.count - item.result.hits.length;
    if (rest > 0) rows.push({ found: item, rest });
  }
  return rows;
}

function One({ row, narrow }: { row: Row; narrow: boolean }) {
  if ("compile" in row) return <div class="search-compile"><CompileChip id={row.compile.id} /> <b class="mono">{row.compile.frame?.function ?? ""}</b> <span class="muted">{plural(row.artifacts, "artifact")}</span></div>;
  const { compile, n, artifact, result } = row.found;
  if ("hit" in row) {
    const { line, text, from, to } = row.hit;
    return <a class="search-hit" href={toArtifact(compile.id, n, `${line}`)} title={text}><span class="num muted">{count(line)}</span><code>{narrow && from > 16 ? `…${text.slice(from - 12, from)}` : text.slice(0, from)}<mark>{text.slice(from, to)}</mark>{text.slice(to)}</code></a>;
  }
  if ("rest" in row) return <a class="search-rest" href={toArtifact(compile.id, n)}>{result.more ? "many" : count(row.rest)} more lines</a>;
  return <a class="search-artifact mono" href={toArtifact(compile.id, n)} title={artifact.name}>{fileName(artifact)} <span class="muted num">{plural(result.count, "line")}{result.more ? " and more" : ""}</span></a>;
}

/** Places of the page that have this name: compiles, functions, files, rooms, terms. */
function Places({ q, report }: { q: string; report: Report }) {
  const places = useMemo(() => placesOf(q, report), [q, report]);
  if (!places.length) return null;
  return <nav class="search-places" aria-label="Places with this name">{places.map((place) => <a key={place.href + place.title} href={place.href} title={place.about}><small>{place.kind}</small> {place.title}</a>)}</nav>;
}

interface PlaceLink {
  kind: string;
  title: string;
  href: string;
  about: string;
}

const OF_A_KIND = 4;

export function placesOf(q: string, report: Report): PlaceLink[] {
  const wanted = q.trim().replace(/^\[|\]$/g, "").toLowerCase();
  if (wanted.length < 2) return [];
  const ids = report.compiles.filter((compile) => compile.id === wanted || compile.id.startsWith(`${wanted}/`));
  const distinct = (of: (compile: Compile) => string | undefined) => [...new Set(report.compiles.flatMap((compile) => of(compile) ?? []).filter((text) => text.toLowerCase().includes(wanted)))].slice(0, OF_A_KIND);
  return [
    ...ids.slice(0, OF_A_KIND).map((compile) => ({ kind: "compile", title: compile.id, href: toCompile(compile.id), about: compile.frame?.function ?? "" })),
    ...distinct((compile) => compile.frame?.function).map((text) => ({ kind: "function", title: text, href: address(["compiles"], { q: text }), about: "its compiles" })),
    ...distinct((compile) => compile.frame?.file).map((text) => ({ kind: "file", title: text.slice(text.lastIndexOf("/") + 1), href: address(["stacks"], { q: text }), about: text })),
    ...searchHelp(wanted).slice(0, OF_A_KIND).map((entry) => ({ kind: entry.kind, title: entry.title, href: entry.href, about: entry.text })),
  ];
}

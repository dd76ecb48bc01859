import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ranksText, runName } from "../../store/ranks";
import { isRuns, logsOf } from "../../store/runs";
import { inside, replaceQuery, withSearch } from "../../lib/address";
import { capital, count, moment, plural, time } from "../../lib/text";
import { type KeyMap, useKeys, useLoaded, useTitle } from "../../lib/hooks";
import { packed } from "../../lib/packed";
import {
  countInstants,
  eventsText,
  findSpans,
  formatFold,
  parseFold,
  spanLabel,
  step,
  timelineBars,
  tracksOf,
} from "../../store/timeline";
import { phaseOf } from "../../store/phases";
import { saveTrace } from "../../store/perfetto";
import {
  INSTANT,
  loadTimeline,
  NO_END,
  type Source,
  type Timeline as Spans,
  type TimelineSummary,
} from "../../store/timeline-data";
import { findOpen, openThreads } from "../../store/unfinished";
import type { Report } from "../../store/report";
import { Flame } from "../../ui/flame/Flame";
import { clampView, fit, formatView, pan, parseView, zoom, type View } from "../../lib/flame/scale";
import { Failed, Loading, type PageProps, Panel, useStore, EmptyPanel } from "../../ui/page";
import { PageHead, Toggle, EmptyPage } from "../../ui/PageHead";
import { SpanDetail } from "./TimelineDetail";
import { beganText } from "../../ui/Unfinished";
import { TimelineSearch } from "./TimelineSearch";
import { SpanTable, Totals } from "./TimelineTables";

/** So many ranks are shown at first: each is a folder to load. */
const RANKS = 32;
/** So many runs are named with their dates. */
const RUNS = 6;

/** Whose events are shown: this report's, or at the top of several ranks theirs. */
export function sourcesOf(report: Report): Source[] {
  const read = report.ranks?.filter(
    (rank) => rank.status !== "bad" && !rank.older && !rank.job && !rank.elsewhere && (rank.first_us ?? 0) > 0,
  );
  const ranks = read?.flatMap((rank) =>
    logsOf(rank).map((log) => ({ ...log, ...(isRuns(report) && { run: { dir: rank.dir, name: runName(rank) } }) })),
  );
  if (report.ranks?.some((rank) => rank.elsewhere) && !ranks?.length) return []; // only facts of them are here
  if (!ranks?.length)
    return report.timeline && report.timeline.spans + report.timeline.instants > 0 ? [{ dir: "", title: null }] : [];
  return ranks.map((rank) => ({
    dir: rank.dir,
    ...("run" in rank && { run: rank.run }),
    title: rank.name ? runName(rank) : rank.rank === null ? rank.dir || "no rank" : `rank ${rank.rank}`,
  }));
}

/** The chromium events as a flame chart: what happened when. */
export function Timeline({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Timeline");
  const all = useMemo(() => sourcesOf(report), [report]);
  const [more, setMore] = useState(false);
  const sources = useMemo(() => (more ? all : all.slice(0, RANKS)), [all, more]);
  const loaded = useLoaded(() => loadTimeline(sources), [sources]);
  const summary = report.timeline;
  if (!all.length || !summary) {
    return (
      <EmptyPage
        page="Timeline"
        title={report.ranks?.some((rank) => rank.elsewhere) ? "No rank has a full report" : "No events in this log"}
      >
        {report.ranks?.some((rank) => rank.elsewhere)
          ? "This report was made from facts, which have no events. tlparse merge --full makes the reports of ranks."
          : summary && summary.bad_times > 0
            ? "No chromium_event record has a valid time."
            : "The log has no chromium_event records."}
      </EmptyPage>
    );
  }
  if (loaded.state === "ready" && loaded.value.count > 0)
    return (
      <Chart
        at={at}
        spans={loaded.value}
        summary={summary}
        left={all.length - sources.length}
        onMore={() => setMore(true)}
      />
    );
  return (
    <>
      <PageHead
        title="Timeline"
        sub={`${eventsText(summary.spans, summary.instants)} in ${time(summary.duration_us)}`}
      />
      {loaded.state === "failed" ? (
        <Failed error={loaded.error} />
      ) : loaded.state === "ready" ? (
        <div class="room">
          <EmptyPanel title="No spans">No chromium_event record has a valid time.</EmptyPanel>
        </div>
      ) : (
        <Loading what="the events" />
      )}
    </>
  );
}

interface ChartProps extends PageProps {
  spans: Spans;
  summary: TimelineSummary;
  left: number;
  onMore: () => void;
}

function Chart({ at, spans, summary, left, onMore }: ChartProps) {
  const { q, view: tab } = at.query;
  const { report } = useStore();
  const whole = useMemo<View>(
    () => clampView({ from: 0, to: Math.max(spans.duration, 10) }, { from: 0, to: Math.max(spans.duration, 10) }),
    [spans],
  );
  const tracks = useMemo(() => tracksOf(spans), [spans]);
  const fold = useMemo(() => parseFold(at.query.fold, tracks), [at.query.fold, tracks]);
  const bars = useMemo(() => timelineBars(report, spans, fold), [report, spans, fold]);
  const found = useMemo(() => findSpans(spans, q, report.phases), [spans, q, report]);
  const shown = useMemo(() => {
    const instants = countInstants(spans);
    return eventsText(spans.count - instants, instants);
  }, [spans]);
  const [view, setView] = useState<View>(() => clampView(parseView(at.query.v) ?? whole, whole));
  const range = useMemo(() => parseView(at.query.r), [at.query.r]);
  const selected = useMemo(
    () => (/^\d+$/.test(at.query.s ?? "") && Number(at.query.s) < spans.count ? Number(at.query.s) : -1),
    [at.query.s, spans],
  );
  const writing = useRef(0);
  useEffect(() => {
    window.clearTimeout(writing.current);
    // Browsers refuse to change the address a hundred times a second.
    writing.current = window.setTimeout(
      () => replaceQuery({ v: view.from <= whole.from && view.to >= whole.to ? null : formatView(view) }),
      250,
    );
    return () => window.clearTimeout(writing.current);
  }, [view, whole]);

  /** What a collapsed track hides is selected by expanding it. */
  const choose = (span: number) =>
    replaceQuery({
      s: span < 0 ? null : `${span}`,
      ...(span >= 0 && spans.depth[span]! > 0 && fold.has(spans.lane[span]!) && { fold: folded(spans.lane[span]!) }),
    });
  /** The address of the collapsed tracks, with this one the other way round. */
  const folded = (track: number) =>
    formatFold(new Set(fold.has(track) ? [...fold].filter((other) => other !== track) : [...fold, track]), tracks);
  const foldAll = () => replaceQuery({ fold: formatFold(new Set(fold.size ? [] : tracks), tracks) });
  const look = (span: number) => setView(fit(spans.from[span]!, spans.to[span]!, whole));
  const reach = (span: number) => {
    if (span < 0) return;
    choose(span);
    const [from, to] = [spans.from[span]!, spans.to[span]!];
    const width = view.to - view.from;
    if (to - from > width || to - from < width / 400) look(span);
    else if (from < view.from || to > view.to)
      setView(clampView({ from: (from + to - width) / 2, to: (from + to + width) / 2 }, whole));
  };
  const middle = () =>
    selected >= 0 && spans.to[selected]! > view.from && spans.from[selected]! < view.to
      ? Math.min(Math.max((spans.from[selected]! + spans.to[selected]!) / 2, view.from), view.to)
      : (view.from + view.to) / 2;
  const zoomIn = () => setView(zoom(view, 0.6, middle(), whole));
  const zoomOut = () => setView(zoom(view, 1 / 0.6, middle(), whole));
  const panBy = (share: number) => setView(pan(view, (view.to - view.from) * share, whole));
  const setRange = (next: View | null) =>
    replaceQuery({ r: next && next.to - next.from >= 1 ? formatView(clampView(next, whole)) : null });
  const next = (way: 1 | -1) => {
    const list = found?.list;
    if (!list?.length) return;
    const after = list.findIndex((span) => span >= selected);
    const here = after >= 0 && list[after] === selected;
    const k = after < 0 ? (way > 0 ? 0 : list.length - 1) : way > 0 ? (here ? after + 1 : after) : after - 1;
    reach(list[(k + list.length) % list.length]!);
  };
  const move = (to: "parent" | "child" | "next" | "previous") => reach(selected < 0 ? 0 : step(spans, selected, to));
  const table = tab === "table";
  const keys: KeyMap = {
    n: () => next(1),
    p: () => next(-1),
    r: () => setRange(selected >= 0 ? { from: spans.from[selected]!, to: spans.to[selected]! } : view),
    Escape: () => (range ? setRange(null) : selected >= 0 ? choose(-1) : setView(whole)),
  };
  const moves: KeyMap = table
    ? {}
    : {
        w: zoomIn,
        "+": zoomIn,
        "=": zoomIn,
        s: zoomOut,
        "-": zoomOut,
        a: () => panBy(-0.2),
        d: () => panBy(0.2),
        c: () => (selected >= 0 ? replaceQuery({ fold: folded(spans.lane[selected]!) }) : foldAll()),
        C: foldAll,
        f: () => (selected >= 0 ? look(selected) : setView(whole)),
        "0": () => setView(whole),
        ArrowUp: () => move("parent"),
        ArrowDown: () => move("child"),
        ArrowLeft: () => move("previous"),
        ArrowRight: () => move("next"),
      };
  const events = packed() ? "#" : inside("chromium_events.json");
  return (
    <>
      <Keys map={{ ...keys, ...moves }} />
      <PageHead
        title="Timeline"
        sub={`${shown} in ${spans.runs.length > 1 ? `${plural(spans.runs.length, "run")} of at most ` : ""}${time(spans.duration)}`}
      >
        <div class="toggles" role="group" aria-label="View">
          <Toggle on={!table} query={{ view: null }}>
            Chart
          </Toggle>
          <Toggle on={table} query={{ view: "table" }}>
            Table
          </Toggle>
        </div>
        <TimelineSearch value={q} found={found ? found.list.length : null} onStep={next} />
        {events && (
          <a
            class="button"
            href={withSearch(events)}
            download="chromium_events.json"
            title={`Saves the events${spans.sources.length > 1 ? ` of ${plural(spans.sources.length, spans.runs.length ? "log" : "rank")}` : ""} as chromium_events.json. Open it with “Open trace file” on ui.perfetto.dev; the file does not leave your browser.`}
            onClick={(event) => save(event, spans)}
          >
            ⤓ Perfetto trace
          </a>
        )}
      </PageHead>
      <Open spans={spans} onReach={reach} />
      <Notes
        others={(report.ranks ?? [])
          .filter((rank) => rank.job && !rank.older && rank.status !== "bad")
          .map((rank) => rank.rank ?? -1)}
        notes={spans.notes}
        runs={spans.runs}
        open={report.unfinished.length}
        left={left}
        onMore={onMore}
      />
      <div class="timeline fill">
        {table ? (
          <SpanTable spans={spans} found={found} range={range} sort={at.query.order ?? "start"} query={at.query} />
        ) : (
          <div class="timeline-chart">
            <div class="flame-tools toolbar">
              <button type="button" onClick={zoomIn} aria-label="Zoom in" title="W, + or Ctrl+wheel">
                +
              </button>
              <button type="button" onClick={zoomOut} aria-label="Zoom out" title="S, - or Ctrl+wheel">
                −
              </button>
              <button type="button" onClick={() => setView(whole)} title="0">
                Show all
              </button>
              <button
                type="button"
                onClick={() => selected >= 0 && look(selected)}
                disabled={selected < 0}
                title="F, or double-click a span"
              >
                Zoom to span
              </button>
              <button
                type="button"
                aria-pressed={range !== null}
                onClick={() =>
                  setRange(
                    range ? null : selected >= 0 ? { from: spans.from[selected]!, to: spans.to[selected]! } : view,
                  )
                }
                title="Totals of the selected span or the visible range only (R, or drag with Shift)"
              >
                Range
              </button>
              {tracks.length > 1 && (
                <button
                  type="button"
                  onClick={foldAll}
                  title="Shift+C; C, or a click on its heading, collapses or expands one track"
                >
                  {fold.size ? "Expand all" : "Collapse all"}
                </button>
              )}
              <span class="muted num">
                {time(view.to - view.from)} in view{range ? `, ${time(range.to - range.from)} selected` : ""}
              </span>
              <span class="muted hint wide">
                drag to pan · Ctrl+wheel or W/S to zoom · A/D to pan · arrow keys to select
              </span>
            </div>
            <Flame
              label={`Flame chart of ${shown}. Arrow keys select the parent, child, previous and next span; W and S zoom, A and D pan, C collapses a track. The button Table shows the same as a table.`}
              bars={bars}
              whole={whole}
              view={view}
              onView={setView}
              selected={selected}
              onSelect={choose}
              onOpen={look}
              found={found?.mask ?? null}
              range={range}
              onRange={setRange}
              axis
              onTrack={(track) => replaceQuery({ fold: folded(track) })}
              tip={(span) => tip(spans, span)}
            />
            <Legend spans={spans} />
          </div>
        )}
        <div class="timeline-below">
          {selected >= 0 ? (
            <SpanDetail
              spans={spans}
              span={selected}
              onChoose={reach}
              onFit={() => look(selected)}
              onClose={() => choose(-1)}
            />
          ) : (
            <Panel class="detail" title="Span">
              <p class="pad muted">Click a bar or press an arrow key to select a span.</p>
            </Panel>
          )}
          <Totals
            spans={spans}
            summary={summary}
            found={found}
            query={q}
            range={range}
            sort={at.query.sort ?? "-self"}
            of={spans.sources.length}
            partial={left > 0 || spans.sources.length !== new Set(summary.lanes.map((lane) => lane.dir ?? "")).size}
          />
        </div>
      </div>
      <p class="sr" aria-live="polite">
        {selected >= 0 ? tip(spans, selected).replace(/\n/g, ", ") : ""}
      </p>
    </>
  );
}

/** A link to a file of the file system would show it, whatever it says of downloads; and of several ranks each has a file of its own. */
function save(event: MouseEvent, spans: Spans): void {
  if (!packed() && location.protocol !== "file:" && spans.sources.length === 1) return;
  event.preventDefault();
  void saveTrace(spans, "chromium_events.json");
}

/** Before the tables in the document, so that these have the arrow keys when they have the focus. */
function Keys({ map }: { map: KeyMap }) {
  useKeys(map);
  return null;
}

/** What the colors mean: the phases that the spans have. */
function Legend({ spans }: { spans: Spans }) {
  const { report } = useStore();
  const phases = useMemo(() => {
    const seen = new Set(spans.phase);
    const all = spans.phases.flatMap((key, i) => (seen.has(i) ? [phaseOf(report, key)] : []));
    return [...new Map(all.map((phase) => [phase.key, phase])).values()];
  }, [report, spans]);
  return (
    <p class="legend flame-legend">
      {phases.map((phase) => (
        <span key={phase.key} title={phase.description}>
          <i style={{ background: `var(--p${phase.color})` }} />
          {phase.title}
        </span>
      ))}
    </p>
  );
}

function tip(spans: Spans, span: number): string {
  const [name, label] = [spans.names[spans.name[span]!]!, spanLabel(spans, span)];
  const id = spans.id[span]! < 0 ? "" : ` [${spans.ids[spans.id[span]!]}]`;
  const how =
    spans.flags[span]! & INSTANT
      ? `at ${time(spans.from[span])}`
      : `${time(spans.to[span]! - spans.from[span]!)}, self time ${time(spans.self[span])}${spans.flags[span]! & NO_END ? "; no end event" : ""}`;
  return `${label === name ? `${name}${id}` : `${label}\n${name}`}\n${how}`;
}

/** The spans that were open when the log ended, each a link to its bar; the innermost is where the process was. */
function Open({ spans, onReach }: { spans: Spans; onReach: (span: number) => void }) {
  const { unfinished } = useStore().report;
  const places = useMemo(() => findOpen(spans, unfinished), [spans, unfinished]);
  const threads = openThreads(unfinished.filter((_, i) => places[i]! >= 0));
  if (!threads.length) return null;
  const SHOWN = 4; // threads
  return (
    <div class="notice">
      {threads.slice(0, SHOWN).map((thread) => (
        <p key={`${thread.process} ${thread.thread}`}>
          ✂ Open when the log ended
          {threads.length > 1 && `, thread ${thread.thread ?? "?"} of process ${thread.process ?? "?"}`}:{" "}
          {thread.spans.map((span, i) => (
            <>
              {i > 0 && " › "}
              <button
                type="button"
                class="plain link mono"
                title={beganText(span.before_end_us)}
                onClick={() => onReach(places[unfinished.indexOf(span)]!)}
              >
                {span.name}
              </button>
            </>
          ))}{" "}
          <span class="muted">(the innermost {beganText(thread.spans.at(-1)!.before_end_us)})</span>
        </p>
      ))}
      {threads.length > SHOWN && <p>{plural(threads.length - SHOWN, "more thread")}</p>}
    </div>
  );
}

interface Props {
  others: readonly number[];
  notes: Spans["notes"];
  runs: Spans["runs"];
  open: number;
  left: number;
  onMore: () => void;
}

function Notes({ others, notes: { no_end, bad_times, left_out }, runs, open, left, onMore }: Props) {
  const notes = [
    runs.length > 1 &&
      `Each run starts at 0: ${runs
        .slice(0, RUNS)
        .map((run) => `${run.name} on ${moment(new Date(run.start / 1000).toISOString())}`)
        .join(", ")}${runs.length > RUNS ? ` and ${plural(runs.length - RUNS, "more run")}` : ""}.`,
    no_end > open &&
      `✂ ${plural(no_end - open, `${open ? "more " : ""}span`)} without an end event, as after an exception: drawn to the end of the enclosing span, or to the last event of the process.`,
    bad_times > 0 &&
      `${plural(bad_times, "event")} left out: no time, or one that is days away from that of the record.`,
    others.length > 0 &&
      `${capital(ranksText(others, 12))} left out: ${others.length === 1 ? "its log is" : "their logs are"} of another job. See ${others.length === 1 ? "its own report" : "their own reports"}.`,
    left_out > 0 && `${plural(left_out, "span")} over the limit of the chart left out; the totals include them.`,
  ].filter((note) => note !== false);
  if (!notes.length && !left) return null;
  return (
    <div class="notice calm">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {left > 0 && (
        <p>
          First {count(RANKS)} {runs.length ? "logs" : "ranks"} shown.{" "}
          <button type="button" class="plain link" onClick={onMore}>
            Show {count(left)} more
          </button>
        </p>
      )}
    </div>
  );
}

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ranksText, runName } from "../../store/rank-names";
import { isRuns, logsOf } from "../../store/runs";
import { replaceQuery } from "../../lib/address";
import { capital, count, moment, plural, time } from "../../lib/format";
import { useLoaded, useTitle } from "../../lib/hooks";
import { useKeys, type KeyMap } from "../../lib/keys";
import { inside, withSearch } from "../../lib/urls";
import { countInstants, eventsText, findSpans, step, timelineBars } from "../../store/timeline";
import { saveTrace } from "../../store/perfetto";
import { loadTimeline, type Source, type Timeline as Spans, type TimelineSummary } from "../../store/timeline-data";
import { findOpen, openThreads } from "../../store/unfinished";
import type { Report } from "../../store/types";
import { Flame } from "../../ui/flame/Flame";
import { clampView, fit, formatView, pan, parseView, zoom, type View } from "../../lib/flame/scale";
import { Panel } from "../../ui/Panel";
import { PageHead } from "../../ui/PageHead";
import { Empty, Failed, Loading } from "../../ui/States";
import { useStore } from "../../ui/context";
import type { PageProps } from "../../ui/page";
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
    (rank) => rank.status !== "bad" && !rank.older && !rank.job && (rank.first_us ?? 0) > 0,
  );
  const ranks = read?.flatMap((rank) =>
    logsOf(rank).map((log) => ({ ...log, ...(isRuns(report) && { run: { dir: rank.dir, name: runName(rank) } }) })),
  );
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
      <>
        <PageHead title="Timeline" />
        <div class="room">
          <Panel>
            <Empty title="No events in this log">
              PyTorch writes chromium_event records, with which the timeline is drawn, when TORCH_TRACE is set. This log
              holds none{summary && summary.bad_times > 0 ? " with a time that can be" : ""}.
            </Empty>
          </Panel>
        </div>
      </>
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
          <Panel>
            <Empty title="No spans">No event of this log has a time that can be.</Empty>
          </Panel>
        </div>
      ) : (
        <Loading what="the events" />
      )}
    </>
  );
}

function Chart({
  at,
  spans,
  summary,
  left,
  onMore,
}: PageProps & { spans: Spans; summary: TimelineSummary; left: number; onMore: () => void }) {
  const { q, view: tab } = at.query;
  const { report } = useStore();
  const whole = useMemo<View>(
    () => clampView({ from: 0, to: Math.max(spans.duration, 10) }, { from: 0, to: Math.max(spans.duration, 10) }),
    [spans],
  );
  const bars = useMemo(() => timelineBars(spans), [spans]);
  const found = useMemo(() => findSpans(spans, q), [spans, q]);
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

  const choose = (span: number) => replaceQuery({ s: span < 0 ? null : `${span}` });
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
  const nearer = () => setView(zoom(view, 0.6, middle(), whole));
  const farther = () => setView(zoom(view, 1 / 0.6, middle(), whole));
  const sideways = (share: number) => setView(pan(view, (view.to - view.from) * share, whole));
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
        w: nearer,
        "+": nearer,
        "=": nearer,
        s: farther,
        "-": farther,
        a: () => sideways(-0.2),
        d: () => sideways(0.2),
        f: () => (selected >= 0 ? look(selected) : setView(whole)),
        "0": () => setView(whole),
        ArrowUp: () => move("parent"),
        ArrowDown: () => move("child"),
        ArrowLeft: () => move("previous"),
        ArrowRight: () => move("next"),
      };
  const events = inside("chromium_events.json");
  return (
    <>
      <Keys map={{ ...keys, ...moves }} />
      <PageHead
        title="Timeline"
        sub={`${shown} in ${spans.runs.length > 1 ? `${plural(spans.runs.length, "run")} of at most ` : ""}${time(spans.duration)}`}
      >
        <div class="toggles" role="group" aria-label="View">
          <button type="button" class="chip empty" aria-pressed={!table} onClick={() => replaceQuery({ view: null })}>
            Chart
          </button>
          <button type="button" class="chip empty" aria-pressed={table} onClick={() => replaceQuery({ view: "table" })}>
            Table
          </button>
        </div>
        <TimelineSearch value={q} found={found ? found.list.length : null} onStep={next} />
        {events && (
          <a
            class="button"
            href={withSearch(events)}
            download="chromium_events.json"
            title={`Saves the events${spans.sources.length > 1 ? ` of ${plural(spans.sources.length, spans.runs.length ? "log" : "rank")} together` : ""} as chromium_events.json. Open it with “Open trace file” of ui.perfetto.dev, which reads it in your browser and sends it nowhere.`}
            onClick={(event) => save(event, spans)}
          >
            ⤓ For Perfetto
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
      <div class="timeline">
        {table ? (
          <SpanTable spans={spans} found={found} range={range} sort={at.query.order ?? "start"} query={at.query} />
        ) : (
          <div class="timeline-chart">
            <div class="flame-tools">
              <button type="button" onClick={nearer} aria-label="Come nearer" title="Come nearer (w, + or the wheel)">
                +
              </button>
              <button type="button" onClick={farther} aria-label="Go farther" title="Go farther (s, - or the wheel)">
                −
              </button>
              <button type="button" onClick={() => setView(whole)} title="All of it (0)">
                All
              </button>
              <button
                type="button"
                onClick={() => selected >= 0 && look(selected)}
                disabled={selected < 0}
                title="The chosen span fills the width (f, or click it twice)"
              >
                Fit
              </button>
              <button
                type="button"
                aria-pressed={range !== null}
                onClick={() =>
                  setRange(
                    range ? null : selected >= 0 ? { from: spans.from[selected]!, to: spans.to[selected]! } : view,
                  )
                }
                title="Sums over a part only: the chosen span, or what is in view (r, or drag with Shift)"
              >
                Range
              </button>
              <span class="muted num">
                {time(view.to - view.from)} in view{range ? `, ${time(range.to - range.from)} chosen` : ""}
              </span>
              <span class="muted hint">drag moves · wheel or w s nearer · a d sideways · arrows from span to span</span>
            </div>
            <Flame
              label={`Flame chart of ${shown}. Arrow keys go to the parent, the child, the previous and the next span; w and s zoom, a and d move. The same as a table: the button Table.`}
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
              tip={(span) => tip(spans, span)}
            />
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
            <Panel class="detail" title="No span chosen">
              <p class="pad muted">
                Click a bar, or press an arrow key: here stands what it is, to which compile it belongs, its arguments,
                and what lies within it.
              </p>
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
  if (location.protocol !== "file:" && spans.sources.length === 1) return;
  event.preventDefault();
  void saveTrace(spans, "chromium_events.json");
}

/** Before the tables in the document, so that these have the arrow keys when they have the focus. */
function Keys({ map }: { map: KeyMap }) {
  useKeys(map);
  return null;
}

function tip(spans: Spans, span: number): string {
  const id = spans.id[span]! < 0 ? "" : ` [${spans.ids[spans.id[span]!]}]`;
  const how =
    spans.flags[span]! & 1
      ? `at ${time(spans.from[span])}`
      : `${time(spans.to[span]! - spans.from[span]!)}, of its own ${time(spans.self[span])}${spans.flags[span]! & 2 ? "; its end was never logged" : ""}`;
  return `${spans.names[spans.name[span]!]}${id}\n${how}`;
}

/** The spans that were open when the log ended, each a way to its bar; the innermost is where the process was. */
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

function Notes({
  others,
  notes: { no_end, bad_times, left_out },
  runs,
  open,
  left,
  onMore,
}: {
  others: readonly number[];
  notes: Spans["notes"];
  runs: Spans["runs"];
  open: number;
  left: number;
  onMore: () => void;
}) {
  const notes = [
    runs.length > 1 &&
      `Each run begins at 0: ${runs
        .slice(0, RUNS)
        .map((run) => `${run.name} on ${moment(new Date(run.start / 1000).toISOString())}`)
        .join(", ")}${runs.length > RUNS ? ` and ${plural(runs.length - RUNS, "more run")}` : ""}.`,
    no_end > open &&
      `✂ ${plural(no_end - open, "span")} ${open ? "more " : ""}without an end in the log, as when an exception leaves them. They are drawn to the end of the span around them.`,
    bad_times > 0 && `${plural(bad_times, "event")} left out: their time is none, or days away from their record's.`,
    others.length > 0 &&
      `${capital(ranksText(others, 12))} ${others.length === 1 ? "is" : "are"} left out: ${others.length === 1 ? "its log is" : "their logs are"} of another job. ${others.length === 1 ? "Its own report has its" : "Their own reports have their"} timeline.`,
    left_out > 0 &&
      `${plural(left_out, "span")} left out of the chart: there are more than it keeps. The totals hold them.`,
  ].filter((note) => note !== false);
  if (!notes.length && !left) return null;
  return (
    <div class="notice calm">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {left > 0 && (
        <p>
          The first {count(RANKS)} {runs.length ? "logs" : "ranks"} are shown.{" "}
          <button type="button" class="plain link" onClick={onMore}>
            Show {count(left)} more
          </button>
        </p>
      )}
    </div>
  );
}

// All ranks at once: whether they agree, and if not, why. The first page of a report of several logs.
import { capital, count, moment, plural, time } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { divergingAspects, type Rank, rankName, ranksText, rankUrl, rootCauses } from "../../store/ranks";
import type { Report } from "../../store/report";
import { ChipLine, Facts, type PageProps, Panel, useStore } from "../../ui/page";
import { FileLinks, versionFacts } from "../../ui/run-facts";
import { PageHead, EmptyPage } from "../../ui/PageHead";
import { CacheMisses } from "../../ui/CacheMisses";
import { RanksConfig } from "../../ui/RanksConfig";
import { RanksElsewhere } from "./RanksElsewhere";
import { RanksEnds } from "./RanksEnds";
import { RankFindings } from "./RanksFindings";
import { RanksTable } from "./RanksTable";
import { Verdict } from "./RanksVerdict";

export function Ranks({ at }: PageProps) {
  const { report } = useStore();
  const ranks = report.ranks ?? [];
  useTitle("All ranks");
  if (!ranks.length)
    return (
      <EmptyPage page="All ranks" title="One rank only">
        This report has the log of a single rank.
      </EmptyPage>
    );
  return (
    <>
      <PageHead title="All ranks" sub={ranksRead(report)} />
      <div class="room" data-scroll="room">
        <div class="cols">
          <div>
            <RanksElsewhere ranks={ranks} asked={at.query.log} />
            <Lacking report={report} ranks={ranks} />
            <Notes report={report} />
            <Verdict report={report} />
            <RanksEnds report={report} />
            <RanksConfig report={report} />
            <CacheMisses report={report} />
            <RankFindings report={report} />
            <RanksTable ranks={ranks} sort={at.query.sort ?? ""} />
            <Decisions ranks={ranks} />
          </div>
          <RanksFacts report={report} ranks={ranks} />
        </div>
      </div>
    </>
  );
}

/** Logs of a kind that are named one by one. */
const LISTED = 12;

/** What is not compared, since it is not there: this comes first, since it limits all that follows. */
function Lacking({ report, ranks }: { report: Report; ranks: readonly Rank[] }) {
  const missing = report.missing_ranks ?? [];
  const more = report.more_missing_ranks ?? 0;
  const unread = report.log.unread_folders;
  const bad = ranks.filter((rank) => rank.status === "bad");
  const older = ranks.filter((rank) => rank.older && rank.status !== "bad");
  const none = ranks.filter((rank) => rank.rank === null && rank.status !== "bad");
  const empty = ranks.filter((rank) => rank.status !== "bad" && !rank.older && !rank.compiles && records(rank) === 0);
  const damaged = ranks.filter((rank) => rank.status !== "bad" && !rank.older && rank.malformed > 0);
  const cut = ranks.filter((rank) => rank.status !== "bad" && rank.error);
  const withText = ranks.filter((rank) => rank.status !== "bad" && !rank.older && rank.skipped_lines > 0);
  const oneLog = ranks.some((rank) => !rank.dir);
  const badTotal = damaged.reduce((n, rank) => n + rank.malformed, 0);
  const serious = missing.length + unread.length + bad.length + empty.length > 0;
  if (!serious && !damaged.length && !cut.length && !older.length && !none.length && !withText.length) return null;
  const all = (some: readonly Rank[]): string => capital(ranksText(some.flatMap((rank) => rank.rank ?? [])));
  return (
    <Panel class={serious ? "lacking error-edge" : "lacking"}>
      {missing.length > 0 && (
        <ChipLine chip="error" says="✕ missing">
          <b>
            {capital(ranksText(missing))}
            {more > 0 && ` and ${count(more)} more`}
          </b>{" "}
          {missing.length === 1 ? "has no log: it" : "have no log: they"} may have died before compiling, or the log{" "}
          {unread.length > 0 ? "is in what could not be read" : "was not copied"}
          {ranks.some((rank) => rank.elsewhere) && ", or the facts of a node were not merged"}. The other ranks are
          compared.
        </ChipLine>
      )}
      {unread.slice(0, LISTED).map((text) => (
        <p key={text}>
          <span class="chip error">✕ not read</span> <span class="mono">{text}</span>
        </p>
      ))}
      {unread.length > LISTED && (
        <p class="muted">and {count(unread.length - LISTED)} more that could not be read: see Log</p>
      )}
      {bad.slice(0, LISTED).map((rank) => (
        <ChipLine key={rank.dir} chip="error" says="✕ bad log">
          <b>{rankName(rank)}</b> is left out: {rank.error ?? "the log cannot be read"}{" "}
          <span class="mono muted">{rank.files.join(", ")}</span>
        </ChipLine>
      ))}
      {cut.slice(0, LISTED).map((rank) => (
        <ChipLine key={rank.dir} chip="restart" says="≠ damaged">
          <b>{rankName(rank)}</b>: {rank.error}; what could be read is compared.{" "}
          <span class="mono muted">{rank.files.join(", ")}</span>
        </ChipLine>
      ))}
      {cut.length > LISTED && <p class="muted">and {plural(cut.length - LISTED, "further damaged log")}</p>}
      {bad.length > LISTED && <p class="muted">and {plural(bad.length - LISTED, "further bad log")}</p>}
      {empty.length > 0 && (
        <ChipLine chip="error" says="✕ empty log">
          <b>{capital(ranksText(empty.map((rank) => rank.rank ?? -1)))}</b>: no readable record in the log. Not
          compared.
        </ChipLine>
      )}
      {damaged.length > 0 && (
        <ChipLine chip="restart" says="≠ damaged">
          <b>{oneLog ? "All ranks" : all(damaged)}</b>: {plural(badTotal, "malformed record")} in the{" "}
          {oneLog ? "log, which they share" : damaged.length === 1 ? "log" : "logs"}; the rest is compared.
        </ChipLine>
      )}
      {withText.length > 0 && (
        <ChipLine chip="empty" says="○ other output">
          <b>
            {plural(
              withText.reduce((n, rank) => n + rank.skipped_lines, 0),
              "skipped line",
            )}
          </b>{" "}
          in the{" "}
          {oneLog
            ? "log, which all ranks share"
            : `${withText.length === 1 ? "log" : "logs"} of ${ranksText(withText.flatMap((rank) => rank.rank ?? []))}`}
          : not records but other output, such as prints and warnings.
        </ChipLine>
      )}
      {older.length > 0 && (
        <ChipLine chip="restart" says="↻ restarted">
          <b>{all(older)}</b> also {older.length === 1 ? "has" : "have"} earlier logs. The newest is compared
          {older.some((rank) => rank.elsewhere) ? "." : "; the earlier ones have their own reports below."}
        </ChipLine>
      )}
      {none.length > 0 && (
        <ChipLine chip="empty" says="○ no rank">
          {plural(none.length, "log")} without a rank:{" "}
          {none.slice(0, 4).map((rank, i) => (
            <>
              {i > 0 && ", "}
              <a href={rankUrl(rank.dir)}>{rank.files[0] ?? rank.dir}</a>
            </>
          ))}
          . Not compared.
        </ChipLine>
      )}
    </Panel>
  );
}

/** Logs that are not of one job, and what else limits the comparison. */
function Notes({ report }: { report: Report }) {
  const notes = report.ranks_notes ?? [];
  if (!notes.length) return null;
  return (
    <Panel class="ranks-notes">
      {notes.slice(0, 20).map((note, i) => (
        <ChipLine key={i} chip="restart" says={`≠ ${NOTE_WORDS[note.kind] ?? note.kind}`}>
          <b>{capital(note.title)}.</b> {note.why}
        </ChipLine>
      ))}
      {notes.length > 20 && <p class="muted">and {plural(notes.length - 20, "further warning")}</p>}
    </Panel>
  );
}

const NOTE_WORDS: Record<string, string> = {
  different_jobs: "different jobs",
  recorded_apart: "hours apart",
  copies: "copies",
  other_rank: "other rank",
  world_size: "world size",
};

/** "3 of 4 ranks have a log"; where the size of the world is not known, of at least so many. */
function ranksRead(report: Report): string {
  const read = new Set((report.ranks ?? []).flatMap((rank) => (rank.status === "bad" ? [] : (rank.rank ?? [])))).size;
  const { size = null, at_least = null } = report.world ?? {};
  if (size !== null) return read === size ? `all ${count(size)} ranks` : `${count(read)} of ${count(size)} ranks`;
  return at_least !== null && at_least > read
    ? `${count(read)} of at least ${count(at_least)} ranks`
    : plural(read, "rank");
}

function worldSize(report: Report): string | null {
  const world = report.world;
  if (!world) return null;
  return world.size !== null ? `${world.size}` : world.at_least !== null ? `at least ${world.at_least}` : null;
}

function RanksFacts({ report, ranks }: { report: Report; ranks: readonly Rank[] }) {
  const { run } = report;
  const compared = ranks.filter((rank) => rank.compared); // times of another job's logs say nothing about this one
  const starts = compared.flatMap((rank) => rank.first_us ?? []);
  const ends = compared.flatMap((rank) => rank.last_us ?? []);
  const times = compared.filter((rank) => rank.status !== "bad" && rank.compiles > 0 && rank.time_us !== null);
  const slowest = times.reduce<Rank | null>((a, b) => (a && a.time_us >= b.time_us ? a : b), null);
  const waits = ranks.filter((rank) => rank.run_time?.wait_us);
  const waiting = waits.reduce<Rank | null>(
    (a, b) => (a && a.run_time!.wait_us! >= b.run_time!.wait_us! ? a : b),
    null,
  );
  // A log that ends within a compile has less time because it has less.
  const whole = times.filter((rank) => rank.status !== "unfinished" && !rank.error);
  const fastest = whole.reduce<Rank | null>((a, b) => (a && a.time_us <= b.time_us ? a : b), null);
  const first = Math.min(...starts);
  const missing = (report.missing_ranks?.length ?? 0) + (report.more_missing_ranks ?? 0);
  return (
    <aside>
      <Panel title="Run">
        <Facts dash facts={[...versionFacts(run), ["started", moment(run.started)]]} />
      </Panel>
      <Panel title="Ranks" note={compared.length < ranks.length ? "times: compared ranks" : undefined}>
        <Facts
          facts={[
            [
              "world size",
              worldSize(report) && (
                <span title={report.world?.from ? `From ${report.world.from}` : undefined}>{worldSize(report)}</span>
              ),
            ],
            ["logs", ranks.some((rank) => !rank.dir) ? 1 : ranks.length],
            ["missing", missing ? `${report.world?.size === null ? "at least " : ""}${count(missing)}` : null],
            ["start spread", starts.length > 1 ? <Clocks us={Math.max(...starts) - first} of="first" /> : null],
            ["end spread", ends.length > 1 ? <Clocks us={Math.max(...ends) - Math.min(...ends)} of="last" /> : null],
            [
              "longest wait",
              waiting?.run_time?.wait_us ? (
                <span title="Time in collectives beyond the rank that was in each of them for the shortest time">
                  {time(waiting.run_time.wait_us)}, <RankLink rank={waiting} />
                </span>
              ) : null,
            ],
            [
              "max compile time",
              slowest && (
                <>
                  {slowest.elsewhere ? (
                    time(slowest.time_us)
                  ) : (
                    <a href={rankUrl(slowest.dir, "#/time")} title="Compile time explained">
                      {time(slowest.time_us)}
                    </a>
                  )}
                  , <RankLink rank={slowest} />
                </>
              ),
            ],
            [
              "min compile time",
              fastest && (
                <>
                  {time(fastest.time_us)}, <RankLink rank={fastest} />
                </>
              ),
            ],
          ]}
        />
      </Panel>
      <FileLinks names={files(report)} />
    </aside>
  );
}

/** How far apart the ranks' first, or last, events are. */
function Clocks({ us, of }: { us: number; of: "first" | "last" }) {
  return <span title={`Between the ${of} events of the ranks, by the clocks of their hosts`}>{time(us)}</span>;
}

function RankLink({ rank }: { rank: Rank }) {
  return <a href={rankUrl(rank.dir)}>{rankName(rank)}</a>;
}

/** The files that are there when any rank has something for them. */
function files(report: Report): string[] {
  const logged = (aspect: "collectives" | "tensor_meta") =>
    report.divergence?.[aspect]?.known &&
    (aspect !== "collectives" || report.divergence.collectives?.from === "schedules");
  return [
    "report.json",
    ...(report.ranks?.some((rank) => rank.first_us && !rank.elsewhere) ? ["chromium_events.json"] : []),
    ...(logged("collectives") ? ["collective_schedules.json"] : []),
    ...(logged("tensor_meta") ? ["runtime_estimations.json", "chromium_trace_with_runtime.json"] : []),
  ];
}

/** Texts of the log in which ranks agreed about their graphs. */
function Decisions({ ranks }: { ranks: readonly Rank[] }) {
  const said = ranks.filter((rank) => rank.decisions.length > 0);
  if (!said.length) return null;
  return (
    <Panel title="Cross-rank decisions" note={plural(said.length, "rank")}>
      {said.slice(0, 16).map((rank) => (
        <details class="pad" key={rank.dir}>
          <summary>{rankName(rank)}</summary>
          <pre class="wrapped">{rank.decisions.join("\n")}</pre>
        </details>
      ))}
    </Panel>
  );
}

function records(rank: Rank): number {
  return Object.values(rank.counters).reduce((n, value) => n + value, 0);
}

/** For the navigation: why ranks diverge, in number. */
export function ranksNote(report: Report): { text: string; bad: boolean } | null {
  if (!report.ranks) return null;
  const n = (rootCauses(report).length || divergingAspects(report).length) + (report.divergence?.more_root_causes ?? 0);
  const missing = (report.missing_ranks?.length ?? 0) + (report.more_missing_ranks ?? 0);
  const lacking = missing + report.ranks.filter((rank) => rank.status === "bad").length;
  const unfinished = report.ranks.filter((rank) => rank.status === "unfinished").length;
  const text = n
    ? plural(n, "cause")
    : lacking
      ? `${lacking} ${missing === lacking ? "missing" : missing ? "missing or bad" : "bad"}`
      : unfinished
        ? `${unfinished} unfinished`
        : "✓";
  return { text, bad: n + lacking + unfinished > 0 };
}

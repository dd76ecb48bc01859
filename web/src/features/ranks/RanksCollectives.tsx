import { useMemo, useState } from "preact/hooks";
import { capital, count, plural } from "../../lib/text";
import { NARROW, useMedia, useTitle } from "../../lib/hooks";
import { callsFrom, hasNoGraphs, ranges, type Rank, ranksText, shortOp } from "../../store/ranks";
import { align, judge, type Cell } from "../../store/ranks-align";
import { scheduleGroups, type Group, type ScheduleItem } from "../../store/ranks-groups";
import { Grid, type Column } from "../../ui/Grid";
import { Empty, type PageProps, useStore } from "../../ui/page";
import { PageHead, QueryCheck, EmptyPage } from "../../ui/PageHead";
import { RankChip, RankCompile } from "../../ui/RanksParts";

interface Row {
  n: number;
  op: string;
  at: number[];
  cells: Cell[];
  differs: boolean;
}

const STEP = 8;
const MARK: Record<Cell, { sign: string; word: string; cls: string }> = {
  same: { sign: "✓", word: "", cls: "same" },
  missing: { sign: "✕", word: "missing", cls: "error" },
  moved: { sign: "⇅", word: "moved", cls: "restart" },
  extra: { sign: "+", word: "extra", cls: "missing" },
  absent: { sign: "", word: "", cls: "none" },
};

/** The schedules of the ranks side by side, so that the collective that one lacks is seen. */
export function RanksCollectives({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Collectives");
  const narrow = useMedia(NARROW);
  const [shown, setShown] = useState(STEP);
  const groups = useMemo(() => scheduleGroups(report), [report]);
  const some = useMemo(() => groups.slice(0, shown), [groups, shown]);
  const waits = at.query.waits !== "0";
  const { rows, coarse } = useMemo(() => tableOf(some, waits), [some, waits]);
  const different = rows.filter((row) => row.differs).length;
  const from = report.schedules?.from;
  const silent = report.divergence?.collectives?.not_logged ?? [];
  const only = at.query.only === "1";
  const list = only ? rows.filter((row) => row.differs) : rows;
  if (!groups.length) return <NoCollectives silent={silent} noGraphs={hasNoGraphs(report)} />;
  return (
    <>
      <PageHead
        title="Collectives"
        sub={groups.length === 1 ? "the same on all logged ranks" : `${plural(groups.length, "group")} of ranks`}
      >
        <QueryCheck name="only" on={only}>
          differences only ({count(different)})
        </QueryCheck>
        <QueryCheck name="waits" on={!waits} value="0">
          hide waits
        </QueryCheck>
      </PageHead>
      {from && from !== "schedules" && (
        <div class="notice calm">
          <span class="chip empty">○ from graphs</span> Read {callsFrom(from)}: not every graph has a logged schedule.{" "}
          {from === "dynamo_graphs" && "They lack the collectives of backward graphs and those that later passes add."}
        </div>
      )}
      {silent.length > 0 && (
        <div class="notice calm">
          <span class="chip empty">○ not logged</span> {ranksText(silent, 8)}: not compared.
        </div>
      )}
      <div class="notice calm">
        <Sentence groups={groups} rows={rows} different={different} coarse={coarse} />{" "}
        {groups.length > shown && (
          <button type="button" class="plain link" onClick={() => setShown(shown + STEP)}>
            {count(Math.min(STEP, groups.length - shown))} more of {count(groups.length - shown)} groups
          </button>
        )}
      </div>
      <Parity ranks={report.ranks ?? []} />
      <div class="aligned fill">
        <Grid
          label="Collectives, aligned"
          columns={columnsOf(some, narrow)}
          rows={list}
          rowKey={(row) => row.n}
          sort=""
          onSort={() => undefined}
          empty={
            <Empty title={only ? "✓ No differences" : "No collectives"}>
              {only && "All groups issue the same operations in the same order; only their compile ids differ."}
            </Empty>
          }
        />
      </div>
    </>
  );
}

function NoCollectives({ silent, noGraphs }: { silent: readonly number[]; noGraphs: boolean }) {
  const page = "Collectives";
  if (noGraphs)
    return (
      <EmptyPage page={page} title="No graphs">
        No graph was compiled, so the logs say nothing about collectives.
      </EmptyPage>
    );
  return silent.length ? (
    <EmptyPage page={page} title="Not logged">
      The {silent.length === 1 ? "log" : "logs"} of {ranksText(silent, 6)} {silent.length === 1 ? "has" : "have"}{" "}
      neither schedules (<code>inductor_collective_schedule</code>) nor graphs.
    </EmptyPage>
  ) : (
    <EmptyPage page={page} title="No collectives">
      The compiled graphs contain no functional collectives. Collectives outside of compiled graphs are not logged.
    </EmptyPage>
  );
}

interface Props {
  groups: readonly Group<ScheduleItem>[];
  rows: readonly Row[];
  different: number;
  coarse: boolean;
}

function Sentence({ groups, rows, different, coarse }: Props) {
  const first = groups[0]!;
  if (groups.length === 1)
    return (
      <>
        <span class="chip ok">✓ identical</span> {capital(ranksText(first.ranks))}{" "}
        {first.ranks.length === 1 ? "issues" : "issue the same"} {plural(rows.length, "operation")}
        {first.ranks.length > 1 && " in the same order"}.
      </>
    );
  const counts = new Map<Cell, number>();
  // What moved is missing in one row and present in another: counted once.
  for (const row of rows)
    row.cells.forEach(
      (cell, g) => (cell !== "moved" || row.at[g]! >= 0) && counts.set(cell, (counts.get(cell) ?? 0) + 1),
    );
  const say = (cell: Cell, text: string) => (counts.get(cell) ? [`${count(counts.get(cell))} ${text}`] : []);
  const parts = [...say("missing", "missing"), ...say("moved", "reordered"), ...say("extra", "extra")];
  return (
    <>
      {different ? (
        <span class="chip error">✕ {parts.join(" · ")}</span>
      ) : (
        <span class="chip restart">≠ compile ids</span>
      )}{" "}
      Compared with {ranksText(first.ranks)}
      {first.ranks.length > 1 ? ", the largest group" : ""}.
      {!different && " The operations are the same, their compile ids differ."}
      {coarse &&
        " These schedules differ too much to align within the time limit. Some regions are shown as fully changed."}
    </>
  );
}

function columnsOf(groups: readonly Group<ScheduleItem>[], narrow: boolean): Column<Row>[] {
  return [
    {
      key: "n",
      title: "#",
      wide: true,
      width: "52px",
      numeric: true,
      cell: (row) => <span class="muted">{count(row.n + 1)}</span>,
    },
    {
      key: "op",
      title: "Operation",
      width: narrow ? "minmax(96px, 1.2fr)" : "minmax(150px, 1.6fr)",
      cell: (row) => (
        <code class={/wait_tensor/.test(row.op) ? "muted" : ""} title={row.op}>
          {shortOp(row.op)}
        </code>
      ),
    },
    ...groups.map((group, g): Column<Row> => ({
      key: `g${g}`,
      title: `${group.ranks.length === 1 ? "rank" : "ranks"} ${ranges(group.ranks, 3)}${group.idsDiffer ? `, ids of rank ${group.ranks[0]}` : ""}`,
      width: narrow ? "minmax(84px, 1fr)" : "minmax(132px, 1fr)",
      cell: (row) => {
        const cell = row.cells[g]!;
        const item = row.at[g]! >= 0 ? group.items[row.at[g]!] : undefined;
        const mark = MARK[cell];
        const word = cell === "moved" ? (item ? "moved here" : narrow ? "away" : "moved away") : mark.word;
        if (cell === "absent")
          return (
            <span class="muted" aria-label="not here">
              ·
            </span>
          );
        return (
          <span class={`mark ${mark.cls}`}>
            <span aria-hidden="true">{mark.sign}</span>{" "}
            {item && <RankCompile rank={group.ranks[0]!} id={item.compile} />}{" "}
            {word && <span class="word">{word}</span>}
          </span>
        );
      },
    })),
  ];
}

function tableOf(groups: readonly Group<ScheduleItem>[], waits: boolean): { rows: Row[]; coarse: boolean } {
  const sequences = groups.map((group) => group.items.map((item) => item.op));
  const aligned = align(sequences);
  const cells = judge(aligned, sequences);
  const rows = aligned.rows.map((row, n) => ({
    n,
    op: row.key,
    at: row.at,
    cells: cells[n]!,
    differs: cells[n]!.some((cell) => cell !== "same"),
  }));
  return { rows: waits ? rows : rows.filter((row) => !/wait_tensor/.test(row.op)), coarse: aligned.coarse };
}

/** Where the schedule and the code of one rank do not fit together. */
function Parity({ ranks }: { ranks: readonly Rank[] }) {
  const found = ranks.filter((rank) => rank.parity.length > 0);
  if (!found.length) return null;
  return (
    <details class="notice parity">
      <summary>
        Schedule and code differ on {found.length === 1 ? "rank" : "ranks"}{" "}
        {ranges(found.flatMap((rank) => rank.rank ?? []))}
      </summary>
      <p class="muted">
        Inductor's schedule and the generated code have different numbers of collectives, or the code lacks waits.
      </p>
      <ul>
        {found.slice(0, 20).flatMap((rank) =>
          rank.parity.slice(0, 20).map((item) => (
            <li key={`${rank.dir} ${item.graph}`}>
              <RankChip ranks={rank.rank === null ? [] : [rank.rank]} /> <span class="mono">{item.graph}</span>:{" "}
              {[
                item.offset && `off by ${plural(item.offset, "collective")}`,
                item.missing_waits && `${plural(item.missing_waits, "wait")} missing`,
              ]
                .filter(Boolean)
                .join(", ")}
            </li>
          )),
        )}
      </ul>
    </details>
  );
}

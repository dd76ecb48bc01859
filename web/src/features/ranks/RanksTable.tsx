import { replaceQuery } from "../../lib/address";
import { bytes, count, time } from "../../lib/text";
import { type Rank, rankName } from "../../store/ranks";
import { Grid, sortRows, type Column, numbers } from "../../ui/Grid";
import { Panel } from "../../ui/page";
import { ROW } from "../../ui/useVirtual";
import { toRank } from "../../ui/RanksParts";

const STATUS = {
  ok: ["ok", "✓ ok"],
  error: ["error", "✕ failures"],
  bad: ["error", "✕ bad log"],
  unfinished: ["error", "✕ unfinished"],
} as const;

const COLUMNS: readonly Column<Rank>[] = [
  {
    key: "rank",
    title: "Rank",
    width: "minmax(52px, 132px)",
    value: (r) => r.rank,
    cell: (r) => (r.status === "bad" ? <span>{rankName(r)}</span> : <a href={toRank(r.dir)}>{rankName(r)}</a>),
  },
  {
    key: "status",
    title: "Status",
    width: "minmax(88px, 104px)",
    value: (r) => r.status,
    cell: (r) => (
      <span
        class={`chip ${STATUS[r.status]?.[0] ?? "missing"}`}
        title={
          r.error ?? (r.unfinished?.length ? `The log ends inside ${r.unfinished[r.unfinished.length - 1]!.name}` : "")
        }
      >
        {STATUS[r.status]?.[1] ?? r.status}
      </span>
    ),
  },
  numbers("compiles", "Compiles", "92px", (r) => r.compiles, count, { wide: true }),
  {
    key: "failed",
    title: "Failed",
    width: "minmax(60px, 72px)",
    numeric: true,
    value: (r) => r.failed,
    cell: (r) => (r.failed ? <b class="s-error">{count(r.failed)}</b> : <span class="muted">0</span>),
  },
  numbers("time", "Compile time", "minmax(116px, 124px)", (r) => r.time_us, time),
  {
    key: "faults",
    title: "Malformed",
    width: "112px",
    numeric: true,
    wide: true,
    value: (r) => r.malformed,
    cell: (r) => (r.malformed ? count(r.malformed) : <span class="muted">0</span>),
  },
  numbers("bytes", "Size", "76px", (r) => r.bytes, bytes, { wide: true }),
  {
    key: "log",
    title: "Log",
    width: "minmax(120px, 1fr)",
    wide: true,
    value: (r) => r.files[0] ?? "",
    cell: (r) => (
      <span class="mono muted" title={r.error ?? r.files.join("\n")}>
        {r.error ?? r.files.map((file) => file.slice(file.lastIndexOf("/") + 1)).join(", ")}
      </span>
    ),
  },
];

/** One row a rank; a thousand scroll in their own box. */
export function RanksTable({ ranks, sort }: { ranks: readonly Rank[]; sort: string }) {
  return (
    <Panel title="Ranks" note={count(ranks.length)} class="ranks-table">
      <div class="box" style={{ height: `${Math.min(ranks.length, 14) * ROW + ROW + 2}px` }}>
        <Grid
          label="Ranks"
          columns={COLUMNS}
          rows={sortRows(ranks, COLUMNS, sort)}
          rowKey={(rank) => rank.dir}
          sort={sort}
          onSort={(next) => replaceQuery({ sort: next })}
          href={(rank) => (rank.status === "bad" || !rank.dir ? null : toRank(rank.dir))}
          within
          empty={null}
        />
      </div>
    </Panel>
  );
}

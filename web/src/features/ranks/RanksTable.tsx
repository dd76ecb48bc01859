import { useMemo } from "preact/hooks";
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

const slowest = (r: Rank) => r.run_time?.slowest_kernel ?? r.run_time?.slowest_compile;

/** What the profiles of ranks show. */
const RUN_COLUMNS: readonly Column<Rank>[] = [
  numbers("run", "Run time", "92px", (r) => r.run_time?.regions_us ?? null, time),
  numbers("wait", "Waiting", "84px", (r) => r.run_time?.wait_us ?? null, time),
  {
    key: "slowest",
    title: "Slowest",
    width: "minmax(120px, 1fr)",
    wide: true,
    value: (r) => slowest(r)?.total_us ?? 0,
    cell: (r) => {
      const kernel = r.run_time?.slowest_kernel;
      const compile = r.run_time?.slowest_compile;
      const name = kernel ? kernel.name : compile && `[${compile.compile}] ${compile.function ?? ""}`;
      return name ? (
        <span class="mono" title={name}>
          {time(slowest(r)!.total_us)} {name}
        </span>
      ) : (
        <span class="muted">–</span>
      );
    },
  },
];

const WITH_RUN = [
  ...COLUMNS.filter(({ key }) => ["rank", "status", "failed", "time"].includes(key)),
  ...RUN_COLUMNS,
  ...COLUMNS.filter(({ key }) => key === "log"),
];

/** One row a rank; a thousand scroll in their own box. */
export function RanksTable({ ranks, sort }: { ranks: readonly Rank[]; sort: string }) {
  const columns = useMemo(() => (ranks.some((rank) => rank.run_time) ? WITH_RUN : COLUMNS), [ranks]);
  return (
    <Panel title="Ranks" note={count(ranks.length)} class="ranks-table">
      <div class="box" style={{ height: `${Math.min(ranks.length, 14) * ROW + ROW + 2}px` }}>
        <Grid
          label="Ranks"
          columns={columns}
          rows={sortRows(ranks, columns, sort)}
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

import { useMemo } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { count, plural, time } from "../../lib/text";
import { sumByName, type Found } from "../../store/timeline";
import { INSTANT, NO_END, type Timeline, type TimelineSummary, type TimelineTotal } from "../../store/timeline-data";
import type { View } from "../../lib/flame/scale";
import { Grid, sortRows, type Column, numbers } from "../../ui/Grid";
import { MiddleCut } from "../../ui/text";
import { Empty, Panel } from "../../ui/page";
import { IdChip } from "./TimelineDetail";

const TOTALS: readonly Column<TimelineTotal>[] = [
  {
    key: "name",
    title: "Name",
    width: "minmax(120px, 1fr)",
    value: (row) => row.name,
    cell: (row) => (
      <button
        type="button"
        class="plain link mono"
        title={`Find ${row.name}`}
        onClick={() => replaceQuery({ q: `=${row.name}` })}
      >
        {row.name}
      </button>
    ),
  },
  numbers("count", "Count", "64px", (row) => row.count, count, { wide: true }),
  numbers("self", "Self time", "102px", (row) => row.self_us, time),
  numbers("total", "Total time", "108px", (row) => row.total_us, time),
  numbers("max", "Longest", "108px", (row) => row.max_us, time, { wide: true }),
];

interface TotalsProps {
  spans: Timeline;
  summary: TimelineSummary;
  found: Found | null;
  query: string | undefined;
  range: View | null;
  sort: string;
  /** the report's own totals are not those of what is shown: not all ranks are loaded, or more than its own */
  partial: boolean;
  /** logs that are summed */
  of: number;
}

/** Totals by name: the report's own, or summed here over a range or the matches. */
export function Totals({ spans, summary, found, query, range, sort, partial, of }: TotalsProps) {
  // A single name that was clicked is marked in the chart; the list of the others stays.
  const mask = query?.startsWith("=") ? null : (found?.mask ?? null);
  const rows = useMemo(
    () => (range || mask || partial ? sumByName(spans, range, mask) : summary.totals),
    [spans, summary, range, mask, partial],
  );
  const sorted = useMemo(() => sortRows(rows, TOTALS, sort), [rows, sort]);
  const own = rows.reduce((n, row) => n + row.self_us, 0);
  // The report has the sums of a thousand names.
  const more = rows === summary.totals ? summary.more_totals : 0;
  const what = [of > 1 && `sum of ${of} logs`, range && "in the range", mask && "of the matches"]
    .filter(Boolean)
    .join(", ");
  return (
    <Panel
      class="totals"
      title="Totals by name"
      note={`${more ? `${count(rows.length)} of ` : ""}${plural(rows.length + more, "name")}, ${time(own)}${what ? `, ${what}` : ""}`}
    >
      <Grid
        label="Totals by name"
        within
        columns={TOTALS}
        rows={sorted}
        rowKey={(row) => row.name}
        sort={sort}
        onSort={(next) => replaceQuery({ sort: next })}
        empty={<Empty title="No spans">No span matches.</Empty>}
      />
    </Panel>
  );
}

interface Props {
  spans: Timeline;
  found: Found | null;
  range: View | null;
  sort: string;
  query: Record<string, string>;
}

/** The spans of the chart as a table that can be sorted. */
export function SpanTable({ spans, found, range, sort, query }: Props) {
  const columns = useMemo(
    (): readonly Column<number>[] => [
      numbers("start", "Start", "clamp(68px, 10vw, 92px)", (i) => spans.from[i]!, time),
      {
        key: "duration",
        title: "Duration",
        width: "clamp(86px, 10vw, 92px)",
        numeric: true,
        value: (i) => spans.to[i]! - spans.from[i]!,
        cell: (i) =>
          spans.flags[i]! & INSTANT
            ? "◆ instant"
            : `${spans.flags[i]! & NO_END ? "✂ " : ""}${time(spans.to[i]! - spans.from[i]!)}`,
      },
      {
        key: "own",
        title: "Self time",
        width: "104px",
        numeric: true,
        wide: true,
        value: (i) => spans.self[i]!,
        cell: (i) => (spans.flags[i]! & INSTANT ? "–" : time(spans.self[i])),
      },
      {
        key: "name",
        title: "Name",
        width: "minmax(120px, 1fr)",
        value: (i) => spans.names[spans.name[i]!]!,
        cell: (i) => (
          <div style={{ paddingLeft: `calc(${Math.min(12, spans.depth[i]!)} * clamp(3px, 1vw, 10px))` }}>
            <MiddleCut text={spans.names[spans.name[i]!]!} />
          </div>
        ),
      },
      {
        key: "id",
        title: "Compile",
        width: "84px",
        wide: true,
        value: (i) => (spans.id[i]! < 0 ? null : spans.ids[spans.id[i]!]!),
        cell: (i) =>
          spans.id[i]! >= 0 && (
            <IdChip id={spans.ids[spans.id[i]!]!} dir={spans.sources[spans.lanes[spans.lane[i]!]!.source]!.dir} />
          ),
      },
      {
        key: "lane",
        title: "Track",
        width: "160px",
        wide: true,
        value: (i) => spans.lane[i]!,
        cell: (i) => <span title={spans.lanes[spans.lane[i]!]!.title}>{spans.lanes[spans.lane[i]!]!.title}</span>,
      },
    ],
    [spans],
  );
  const rows = useMemo(() => {
    const all = found ? Array.from(found.list) : Array.from({ length: spans.count }, (_, i) => i);
    return sortRows(
      range ? all.filter((i) => spans.from[i]! <= range.to && spans.to[i]! >= range.from) : all,
      columns,
      sort,
    );
  }, [spans, found, range, sort, columns]);
  return (
    <div class="timeline-chart">
      <Grid
        label="Spans"
        columns={columns}
        rows={rows}
        rowKey={(i) => i}
        sort={sort}
        onSort={(order) => replaceQuery({ order })}
        href={(i) => address(["timeline"], { ...query, s: `${i}` })}
        empty={<Empty title="No spans">No span matches.</Empty>}
      />
    </div>
  );
}

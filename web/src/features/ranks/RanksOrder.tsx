import { useMemo, useState } from "preact/hooks";
import { capital, count, plural } from "../../lib/text";
import { NARROW, useMedia, useTitle } from "../../lib/hooks";
import { ranges, ranksText, shownId } from "../../store/ranks";
import { orderGroups, type Group, type OrderItem } from "../../store/ranks-groups";
import { Grid, type Column } from "../../ui/Grid";
import { Empty, type PageProps, useStore } from "../../ui/page";
import { PageHead, QueryCheck, EmptyPage } from "../../ui/PageHead";
import { RankCompile } from "../../ui/RanksParts";

interface Row {
  n: number;
  items: (OrderItem | undefined)[];
  schedule: boolean;
  cache: boolean;
  differs: boolean;
}

/** Groups shown at first; on a phone, as many as fit. */
const STEP = 8;
const STEP_NARROW = 2;

/** In which order the ranks run their graphs, and where that does not fit together. */
export function RanksOrder({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Execution order");
  const narrow = useMedia(NARROW);
  const [shown, setShown] = useState(narrow ? STEP_NARROW : STEP);
  const groups = useMemo(() => orderGroups(report), [report]);
  const some = groups.slice(0, shown);
  const uncertain = report.divergence?.execution_order?.uncertain ?? [];
  const rows = useMemo(() => {
    const marks = new Map((report.execution?.mismatches ?? []).map((item) => [item.index, item]));
    const length = groups.reduce((n, group) => Math.max(n, group.items.length), 0);
    return Array.from({ length }, (_, n): Row => {
      const items = groups.map((group) => group.items[n]);
      const mark = marks.get(n);
      return {
        n,
        items,
        schedule: mark?.schedule ?? false,
        cache: mark?.cache ?? false,
        differs: mark?.function ?? false,
      };
    });
  }, [groups, report]);
  const schedule = rows.filter((row) => row.schedule).length;
  const cache = rows.filter((row) => row.cache).length;
  const certain = groups.reduce((n, group) => n + group.ranks.filter((rank) => !uncertain.includes(rank)).length, 0);
  const issues = report.divergence?.collectives?.known ?? false;
  const only = at.query.only === "1";
  const list = only ? rows.filter((row) => row.differs || row.schedule || row.cache) : rows;
  if (!groups.length)
    return (
      <EmptyPage page="Execution order" title="Not logged">
        No rank logged its execution order (artifact <code>graph_execution</code>).
      </EmptyPage>
    );
  const unknown = rows.some((row) => row.items.some((item) => item !== undefined && !shownId(item.id)));
  return (
    <>
      <PageHead
        title="Execution order"
        sub={
          certain < 2 && groups.length > 1
            ? "not compared"
            : groups.length === 1
              ? `the same on all logged ranks, ${plural(rows.length, "step")}`
              : `${plural(groups.length, "group")} of ranks`
        }
      >
        <QueryCheck name="only" on={only}>
          differences only ({count(rows.filter((row) => row.differs || row.schedule || row.cache).length)})
        </QueryCheck>
      </PageHead>
      <div class="notice calm">
        {certain < 2 ? (
          <span class="chip empty">○ not comparable</span>
        ) : schedule ? (
          <span class="chip error">
            ✕ different collectives from step {count((rows.find((row) => row.schedule)?.n ?? 0) + 1)}
          </span>
        ) : issues ? (
          <span class="chip ok">✓ same collectives in the same order</span>
        ) : (
          <span class="chip empty">○ no collectives known</span>
        )}{" "}
        {cache > 0 && <span class="chip restart">≠ {plural(cache, "step")} with different cache results</span>}{" "}
        {schedule > 0 && "From that step on, the ranks issue different collectives. "}
        {uncertain.length > 0 &&
          `${capital(ranksText(uncertain))} ran cached graphs. The log names those by the compile that stored them, perhaps on another rank, or not at all: ${uncertain.length === 1 ? "its" : "their"} order is shown but not compared. `}
        {!uncertain.length && unknown && "“no id”: the log does not name the compile of the graph."}{" "}
        {groups.length > shown && (
          <button type="button" class="plain link" onClick={() => setShown(shown + STEP)}>
            Show {count(groups.length - shown)} more groups
          </button>
        )}
      </div>
      <div class="aligned fill">
        <Grid
          label="Execution order"
          columns={columnsOf(some, uncertain, certain > 1, narrow)}
          rows={list}
          rowKey={(row) => row.n}
          sort=""
          onSort={() => undefined}
          empty={<Empty title="✓ No differences">All ranks run the same functions in the same order.</Empty>}
        />
      </div>
    </>
  );
}

/** `comparable`: the orders of at least two ranks are certain. */
function columnsOf(
  groups: readonly Group<OrderItem>[],
  uncertain: readonly number[],
  comparable: boolean,
  narrow: boolean,
): Column<Row>[] {
  return [
    {
      key: "n",
      title: "Step",
      width: narrow ? "52px" : "60px",
      numeric: true,
      cell: (row) => <span class="muted">{count(row.n + 1)}</span>,
    },
    {
      key: "what",
      title: "Match",
      width: narrow ? "minmax(104px, 1fr)" : "minmax(130px, 200px)",
      cell: (row) => (
        <span class="chips oneline">
          {row.schedule && <span class="chip error">✕ collectives</span>}
          {row.cache && <span class="chip restart">≠ cache</span>}
          {!row.schedule &&
            !row.cache &&
            (!comparable ? (
              <span class="muted">–</span>
            ) : row.differs ? (
              <span class="chip restart">≠ function</span>
            ) : (
              <span class="chip ok">✓</span>
            ))}
        </span>
      ),
    },
    ...groups.map((group, g): Column<Row> => ({
      key: `g${g}`,
      title: `${group.ranks.length === 1 ? "rank" : "ranks"} ${ranges(group.ranks, 3)}`,
      width: narrow ? "minmax(90px, 1fr)" : "minmax(110px, 1fr)",
      cell: (row) => {
        const item = row.items[g];
        if (!item) return <span class="muted">–</span>;
        if (!shownId(item.id))
          return (
            <span class="muted" title={item.id}>
              no id
            </span>
          );
        if (group.ranks.every((rank) => uncertain.includes(rank)))
          return (
            <span class="muted mono" title="Perhaps the id of the compile that stored the graph in the cache">
              {item.id}
            </span>
          );
        const other = row.differs && g > 0 && item.slot !== row.items[0]?.slot;
        return (
          <span class={other ? "mark restart" : "mark same"}>
            {other && <span aria-hidden="true">≠ </span>}
            <RankCompile rank={group.ranks[0]!} id={item.id} />{" "}
            <span class="muted">{item.slot?.replace(/ at .*/, "")}</span>
          </span>
        );
      },
    })),
  ];
}

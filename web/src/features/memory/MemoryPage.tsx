// What each compiled graph allocates when it runs, and what its forward saves for the backward.
import { useMemo } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { useTitle } from "../../lib/hooks";
import { bytes, count, matches, plural, words } from "../../lib/text";
import { type GraphMemory, memoryKey, mostBytes } from "../../store/memory";
import { frameName } from "../../store/report";
import { CompileChip } from "../../ui/compile";
import { type Column, Grid, numbers, sortRows } from "../../ui/Grid";
import { Empty, type PageProps, useStore } from "../../ui/page";
import { EmptyPage, FilterBox, PageHead, QueryLink } from "../../ui/PageHead";
import { MemoryDetails } from "./MemoryDetails";

/** Those that have room beside the details. */
const BESIDE = ["compile", "direction", "most"];

export function MemoryPage({ at: { query } }: PageProps) {
  const store = useStore();
  useTitle("Memory");
  const { memory = [], more_memory: more = 0 } = store.report;
  const { q = "", sort = "-most" } = query;
  const columns = useMemo(() => columnsOf(memory, (key) => nameOf(store, key)), [store, memory]);
  const rows = useMemo(() => {
    const wanted = words(q);
    const found = memory.filter((graph) =>
      matches(`${graph.compile} ${graph.direction ?? ""} ${nameOf(store, graph.compile)}`, wanted),
    );
    return sortRows(found, columns, sort);
  }, [memory, q, sort, columns, store]);
  if (!memory.length)
    return (
      <EmptyPage page="Memory" title="No output code">
        The log has no code of Inductor
      </EmptyPage>
    );
  const chosen = memory.find((graph) => memoryKey(graph) === query.graph);
  const to = (graph: GraphMemory | null) => address(["memory"], { ...query, graph: graph && memoryKey(graph) });
  const unknown = memory.filter((graph) => !graph.derived).length;
  return (
    <>
      <PageHead
        title="Memory"
        sub={
          <span aria-live="polite">
            {rows.length < memory.length && `${count(rows.length)} of `}
            {plural(memory.length, "graph")}
            {unknown > 0 && `, ${count(unknown)} not derived`}
            {more > 0 && `, ${plural(more, "more graph")} not in the report`}
          </span>
        }
      >
        <FilterBox value={query.q} label="Filter compile, function" />
      </PageHead>
      <div class={`memory beside fill ${chosen ? "split" : ""}`}>
        <Grid
          label="Memory of graphs"
          columns={chosen ? columns.filter(({ key }) => BESIDE.includes(key)) : columns}
          rows={rows}
          rowKey={memoryKey}
          chosen={chosen && memoryKey(chosen)}
          href={to}
          sort={sort}
          onSort={(next) => replaceQuery({ sort: next })}
          empty={
            <Empty title="No graph matches the filter">
              <QueryLink query={{ q: null }}>Show all {count(memory.length)}</QueryLink>
            </Empty>
          }
        />
        {chosen && (
          <MemoryDetails
            key={memoryKey(chosen)}
            graph={chosen}
            close={to(null)}
            to={to}
            byModule={query.by === "module"}
          />
        )}
      </div>
    </>
  );
}

function nameOf(store: ReturnType<typeof useStore>, key: string): string {
  const frame = store.compile(key)?.frame;
  return frame ? frameName(frame) : "";
}

const size = (n: number | null) => (n === null ? "–" : bytes(n));

function columnsOf(memory: readonly GraphMemory[], name: (key: string) => string): Column<GraphMemory>[] {
  const any = (of: (graph: GraphMemory) => number | null | undefined) => memory.some((graph) => of(graph) != null);
  const devices = new Set(memory.map(({ device }) => device).filter(Boolean));
  return [
    {
      key: "compile",
      title: "Compile",
      width: "minmax(96px, 1.6fr)",
      value: ({ compile }) => compile,
      cell: ({ compile }) => (
        <span class="cutoff">
          <CompileChip id={compile} plain /> <span class="mono">{name(compile)}</span>
        </span>
      ),
    },
    {
      key: "direction",
      title: "Graph",
      width: "minmax(92px, 0.5fr)",
      value: ({ direction }) => direction,
      cell: ({ direction }) => direction ?? "–",
    },
    numbers("most", "Peak", "minmax(92px, 0.6fr)", mostBytes, undefined, {
      cell: (graph) =>
        graph.derived ? (
          <span title={graph.at_least ? `${graph.fallback} may allocate more` : undefined}>
            {graph.at_least && "≥ "}
            {bytes(mostBytes(graph))}
          </span>
        ) : (
          <span class="muted" title={`Line ${graph.line ?? "?"} of the code: ${graph.not_derived}`}>
            not derived
          </span>
        ),
    }),
    numbers("own", "Allocates", "minmax(96px, 0.5fr)", (graph) => graph.peak_bytes ?? null, size, { wide: true }),
    numbers("net", "Keeps", "minmax(84px, 0.5fr)", (graph) => graph.net_bytes ?? null, size, { wide: true }),
    ...(any((graph) => graph.saved_bytes)
      ? [
          numbers("saved", "Saved", "minmax(84px, 0.5fr)", (graph: GraphMemory) => graph.saved_bytes ?? null, size, {
            wide: true,
          }),
        ]
      : []),
    ...(devices.size > 1 || (devices.size === 1 && !devices.has("cpu"))
      ? [
          {
            key: "device",
            title: "Device",
            width: "minmax(64px, 0.3fr)",
            wide: true,
            value: ({ device }: GraphMemory) => device,
            cell: ({ device }: GraphMemory) => device ?? "–",
          },
        ]
      : []),
  ];
}

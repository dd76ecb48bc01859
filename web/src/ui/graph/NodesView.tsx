// The nodes of a graph as a table, or as the replay of the source lines in the order in which Dynamo traced them. In assets/pages.js.
import { useMemo } from "preact/hooks";
import { address, formatLines, replaceQuery, useAddress } from "../../lib/address";
import { valueKey, type Graph, type Value } from "../../lib/graph/model";
import { nodesOf } from "../../lib/graph/nodes";
import { nodesCsv } from "../../lib/graph/nodes-csv";
import { stepsOf } from "../../lib/graph/replay";
import { count, plural, words } from "../../lib/text";
import { Grid, sortRows } from "../Grid";
import { Empty } from "../page";
import { FilterBox, QueryLink, Toggle } from "../PageHead";
import { CopyButton } from "../text";
import type { Viewer } from "../viewer/types";
import type { GraphModules } from "./modules";
import { nodeColumns, replayColumns } from "./node-columns";
import { foundRows, nodeRows, replayRows, type NodeRow, type ReplayRow } from "./node-rows";

export interface NodesProps {
  graph: Graph;
  /** what the graph was read from */
  text: string;
  viewer: Viewer;
  modules: GraphModules | null;
  /** the graph is Dynamo's, so that its nodes are in the order in which the program ran */
  ran: boolean;
  value: Value | null;
}

export function NodesView({ graph, text, viewer, modules, ran, value }: NodesProps) {
  const { path, query } = useAddress();
  const { q, sort = "", view } = query;
  const nodes = useMemo(() => nodesOf(graph, text), [graph, text]);
  const rows = useMemo(() => nodeRows(nodes, graph, modules), [nodes, graph, modules]);
  const found = useMemo(() => foundRows(rows, words(q)), [rows, q]);
  const steps = useMemo(() => (ran ? stepsOf(nodes) : []), [ran, nodes]);
  const replays = view === "lines" && steps.length > 0;
  const columns = useMemo(
    () => nodeColumns(rows, { graph, modules, panel: value !== null }),
    [rows, graph, modules, value],
  );
  const sorted = useMemo(() => sortRows(found, columns, sort), [found, columns, sort]);
  const lines = useMemo(() => (replays ? replayRows(steps, found) : []), [replays, steps, found]);
  const toValue = (row: NodeRow) => row.node.value && address(path, { ...query, v: valueKey(row.node.value) });
  const empty = (
    <Empty title={rows.length ? "No node matches the filter" : "No nodes in this graph"}>
      {q && <QueryLink query={{ q: null }}>Show all {count(rows.length)}</QueryLink>}
    </Empty>
  );
  const chosen = value ? found.find((row) => row.node.value === value) : undefined;
  return (
    <div class="nodes fill">
      <div class="drawing-tools toolbar">
        <FilterBox value={q} label="Filter nodes" class="find nodes-find" />
        {steps.length > 0 && (
          <Toggle
            on={replays}
            query={{ view: replays ? "nodes" : "lines", sort: null }}
            title="The source lines that made nodes, in the order in which Dynamo traced them, with the values that each produced"
          >
            By source line
          </Toggle>
        )}
        <CopyButton
          text={() =>
            nodesCsv(
              sorted.map((row) => row.node),
              moduleIn(rows),
            )
          }
          label="Copy CSV"
          title="Copy the rows with the columns of tlparse graph --format csv"
        />
        <span class="num muted drawing-count" aria-live="polite">
          {replays
            ? lineCount(lines)
            : `${found.length < rows.length ? `${count(found.length)} of ` : ""}${plural(rows.length, "node")}`}
        </span>
      </div>
      {replays ? (
        <Grid
          label="Source lines in order"
          columns={replayColumns(value !== null)}
          rows={lines}
          rowKey={(row) => row.key}
          sort=""
          onSort={() => undefined}
          rowClass={({ row }) => (row ? "" : "replay-line")}
          href={({ row, step: { source } }) =>
            row ? toValue(row) : address(path, { L: formatLines(viewer.lineOf(source.from), viewer.lineOf(source.to)) })
          }
          chosen={chosen && lines.find((line) => line.row === chosen)?.key}
          empty={empty}
        />
      ) : (
        <Grid
          label="Nodes"
          columns={columns}
          rows={sorted}
          rowKey={(row) => row.key}
          sort={sort}
          onSort={(next) => replaceQuery({ sort: next })}
          href={toValue}
          chosen={chosen?.key}
          empty={empty}
        />
      )}
    </div>
  );
}

function lineCount(lines: readonly ReplayRow[]): string {
  const steps = lines.filter(({ row }) => !row).length;
  return `${plural(steps, "line")} with ${plural(lines.length - steps, "node")}`;
}

/** The module of each node, for the CSV. */
function moduleIn(rows: readonly NodeRow[]) {
  const found = new Map(rows.map((row) => [row.node, row.module]));
  return (node: NodeRow["node"]) => found.get(node) ?? null;
}

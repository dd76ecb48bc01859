import { useMemo } from "preact/hooks";
import { replaceQuery, toCompile } from "../base/address";
import { bytes, count, firstLine, time } from "../base/format";
import { matches, words } from "../base/filter";
import { useTitle } from "../base/hooks";
import { isCompile } from "../data/counts";
import { STATUSES, type Compile, type Status } from "../data/types";
import { CompileChip, SIGNS, STATUS_WORDS } from "../parts/Chip";
import { Grid, sortRows, type Column } from "../parts/Grid";
import { FrameName } from "../parts/PlaceText";
import { FilterBox, RoomHead } from "../parts/RoomHead";
import { Empty } from "../parts/States";
import { countStatuses } from "../parts/StatusBar";
import { useStore } from "../shell/context";
import type { RoomProps } from "../shell/rooms";
import { dynamoTime } from "./Slowest";
import { why } from "./why";

interface Row {
  compile: Compile;
  index: number;
  /** what the filter looks in */
  text: string;
  dynamo: number | null;
  backend: number | null;
  cache: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: "id", title: "Id", width: "96px", value: (r) => r.compile.id, cell: (r) => <CompileChip id={r.compile.id} /> },
  { key: "frame", title: "Frame", width: "minmax(170px, 2fr)", value: (r) => r.compile.frame && `${r.compile.frame.function} ${r.compile.frame.file}:${r.compile.frame.line}`, cell: (r) => <FrameName frame={r.compile.frame} /> },
  { key: "time", title: "Time", width: "76px", numeric: true, value: (r) => r.compile.time_us, cell: (r) => time(r.compile.time_us) },
  { key: "dynamo", title: "Dynamo", width: "80px", numeric: true, wide: true, value: (r) => r.dynamo, cell: (r) => time(r.dynamo) },
  { key: "backend", title: "Backend", width: "84px", numeric: true, wide: true, value: (r) => r.backend, cell: (r) => time(r.backend) },
  { key: "ops", title: "Ops", width: "56px", numeric: true, wide: true, value: (r) => r.compile.graph.ops, cell: (r) => count(r.compile.graph.ops) },
  { key: "guards", title: "Guards", width: "74px", numeric: true, wide: true, value: (r) => r.compile.guards, cell: (r) => count(r.compile.guards) },
  { key: "breaks", title: "Breaks", width: "72px", numeric: true, wide: true, value: (r) => r.compile.graph_breaks.length, cell: (r) => r.compile.graph_breaks.length || <span class="muted">0</span> },
  { key: "cache", title: "Cache", width: "74px", wide: true, value: (r) => r.cache || null, cell: (r) => r.cache || <span class="muted">–</span> },
  { key: "bytes", title: "Text", width: "76px", numeric: true, wide: "very", value: (r) => r.compile.bytes, cell: (r) => <span title={`${r.compile.artifact_count} artifacts`}>{bytes(r.compile.bytes)}</span> },
  { key: "why", title: "Why compiled", width: "minmax(140px, 2fr)", wide: true, cell: (r) => <span class="muted" title={r.compile.recompile_reasons.join("\n")}>{firstLine(why(r.compile), 90)}</span> },
];

export function Compiles({ at }: RoomProps) {
  const { report } = useStore();
  useTitle("Compiles");
  const { q, status, sort = "" } = at.query;
  const rows = useMemo(() => {
    const all = report.compiles.map(toRow);
    return [...all.filter((row) => isCompile(row.compile)), ...all.filter((row) => !isCompile(row.compile))];
  }, [report]);
  const outside = useMemo(() => rows.filter((row) => !isCompile(row.compile)).length, [rows]);
  const found = useMemo(() => {
    const wanted = words(q);
    return rows.filter((row) => matches(row.text, wanted));
  }, [rows, q]);
  const chosen = useMemo(() => new Set((status ?? "").split(",").filter(Boolean)), [status]);
  const shown = useMemo(
    () => sortRows(chosen.size ? found.filter((row) => isCompile(row.compile) && chosen.has(row.compile.status)) : found, COLUMNS, sort),
    [found, chosen, sort],
  );
  const counts = countStatuses(found.map((row) => row.compile));
  const toggle = (name: Status) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    replaceQuery({ status: [...next].join(",") });
  };
  return (
    <>
      <RoomHead title="Compiles" sub={<span aria-live="polite">{shown.length === rows.length ? `${count(rows.length - outside)}${outside ? ` and ${count(outside)} outside of a compile` : ""}` : `${count(shown.length)} of ${count(rows.length)}`}</span>}>
        <div class="toggles" role="group" aria-label="Status">
          {STATUSES.filter((name) => counts[name] > 0 || chosen.has(name)).map((name) => (
            <button key={name} type="button" class={`chip ${name}`} aria-pressed={chosen.has(name)} onClick={() => toggle(name)}>
              <span aria-hidden="true">{SIGNS[name]}</span> {STATUS_WORDS[name]} {count(counts[name])}
            </button>
          ))}
        </div>
        <FilterBox value={q} label="Filter id, frame, file, reason" />
      </RoomHead>
      <Grid
        label="Compiles"
        columns={COLUMNS}
        rows={shown}
        rowKey={(row) => row.index}
        sort={sort}
        onSort={(next) => replaceQuery({ sort: next })}
        href={(row) => toCompile(row.compile.id)}
        empty={<Empty title={rows.length ? "No compile fits the filter" : "No compiles in this log"}>{rows.length > 0 && <button type="button" class="plain link" onClick={() => replaceQuery({ q: null, status: null })}>Show all {count(rows.length)}</button>}</Empty>}
      />
    </>
  );
}

function toRow(compile: Compile, index: number): Row {
  const { frame } = compile;
  return {
    compile,
    index,
    text: [compile.id, frame?.function, frame && `${frame.file}:${frame.line}`, compile.subgraph, STATUS_WORDS[compile.status], compile.failure?.type, ...compile.recompile_reasons].join(" ").toLowerCase(),
    dynamo: dynamoTime(compile),
    backend: compile.phases_us.aot ?? compile.phases_us.inductor ?? null,
    cache: [...new Set(compile.cache.map((item) => item.result))].join(", "),
  };
}

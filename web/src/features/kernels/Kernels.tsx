import { useMemo } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { baseName, count, matches, middle, time, words } from "../../lib/text";
import { useLoaded, useTitle } from "../../lib/hooks";
import {
  computes,
  KERNEL_KINDS,
  kernelText,
  kernelTitle,
  KIND_WORDS,
  type Kernel,
  type KernelKind,
} from "../../store/kernels";
import { hasDevice, kernelTimes, type KernelRun, type Profile, profileOf } from "../../store/profile";
import { CompileChip } from "../../ui/compile";
import { Grid, parseSort, sortRows, type Column, numbers } from "../../ui/Grid";
import { MiddleCut } from "../../ui/text";
import { FilterBox, PageHead, QueryLink, Toggle } from "../../ui/PageHead";
import { Empty, type PageProps, useStore, Pending } from "../../ui/page";
import { KernelChoices } from "./KernelChoices";
import { KernelDetails } from "./KernelDetails";

/** A kernel, or the head of a group: the sums of a compile's kernels. */
interface Row {
  key: string;
  head: { id: string; text: string } | null;
  kernel: Kernel | null;
  n: number;
  fuses: string;
  source: string;
  calls: number;
  time: number | null;
  /** in the profile */
  run: number | null;
  device: number | null;
  text: string;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "name",
    title: "Kernel",
    width: "minmax(200px, 2.4fr)",
    value: (r) => (r.kernel ? kernelTitle(r.kernel) : null),
    cell: (r) =>
      r.head ? (
        <span class="grouphead">
          <CompileChip id={r.head.id} /> <b>{r.head.text}</b>
        </span>
      ) : r.kernel!.copy ? (
        <span class="mono">{kernelTitle(r.kernel!)}</span>
      ) : (
        <MiddleCut text={r.kernel!.name} />
      ),
  },
  {
    key: "kind",
    title: "Kind",
    width: "92px",
    value: (r) => r.kernel?.kind ?? null,
    cell: (r) => r.kernel && <span class={`kind-${r.kernel.kind}`}>{KIND_WORDS[r.kernel.kind]}</span>,
  },
  {
    key: "compile",
    title: "Compile",
    width: "88px",
    wide: true,
    value: (r) => r.kernel?.compile ?? null,
    cell: (r) => r.kernel && <CompileChip id={r.kernel.compile} />,
  },
  {
    key: "graph",
    title: "Graph",
    width: "110px",
    wide: "very",
    value: (r) => r.kernel?.graph ?? null,
    cell: (r) => r.kernel && <span class="mono">{r.kernel.graph ?? "–"}</span>,
  },
  {
    key: "fuses",
    title: "Computes",
    width: "minmax(120px, 2fr)",
    wide: true,
    value: (r) => r.fuses || null,
    cell: (r) => (
      <span class="mono" title={r.fuses || (r.kernel?.nodes_unknown ?? "")}>
        {r.fuses || (r.kernel ? "–" : "")}
      </span>
    ),
  },
  {
    key: "source",
    title: "Source line",
    width: "minmax(196px, 1.2fr)",
    wide: true,
    value: (r) => r.source || null,
    cell: (r) => (
      <span
        class="mono"
        title={r.kernel?.sources.map((s) => `${s.file}:${s.line}`).join("\n") || (r.kernel?.lines_unknown ?? "")}
      >
        {r.source || (r.kernel && <span class="muted">{r.kernel.lines_unknown ? "unknown" : "–"}</span>)}
      </span>
    ),
  },
  numbers("calls", "Calls", "64px", (r) => r.calls),
  numbers("time", "Compile time", "112px", (r) => r.time, time, { wide: true }),
  numbers("run", "Run time", "84px", (r) => r.run, time),
  numbers("device", "Device time", "106px", (r) => r.device, time),
];

/** Each kernel of the generated code: what it computes, and its source lines. */
export function Kernels({ at }: PageProps) {
  const store = useStore();
  const { report } = store;
  const { q, kind = "", sort = "", group = "", k } = at.query;
  useTitle("Kernels");
  const loaded = useLoaded(() => store.kernels(), [store]);
  const profile = profileOf(report);
  const runs = useMemo(() => profile && kernelTimes(profile), [profile]);
  const rows = useMemo(
    () => (loaded.state === "ready" ? loaded.value.map((kernel, n) => toRow(kernel, n, runs?.get(n))) : []),
    [loaded, runs],
  );
  const chosen = useMemo(() => new Set(kind.split(",").filter(Boolean)), [kind]);
  const found = useMemo(() => {
    const wanted = words(q);
    return rows
      .filter((row) => matches(row.text, wanted))
      .map((row) => (row.kernel ? { ...row, source: sourceText(row.kernel.sources, wanted) } : row));
  }, [rows, q]);
  const shown = useMemo(() => {
    const kept = chosen.size ? found.filter((row) => chosen.has(row.kernel!.kind)) : found;
    return group ? grouped(kept, sort) : sortRows(kept, COLUMNS, sort);
  }, [found, chosen, sort, group]);
  const toggle = (name: KernelKind) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    replaceQuery({ kind: [...next].join(",") });
  };
  const selected = k !== undefined && /^\d+$/.test(k) ? rows[Number(k)] : undefined;
  const kernels = shown.filter((row) => row.kernel).length;
  const summary = report.kernels;
  const total = summary?.compile_time_us ?? null;
  const alone = selected === undefined;
  const columns = useMemo(
    () =>
      COLUMNS.filter(
        (column) =>
          (column.key !== "time" || total !== null) &&
          (column.key !== "run" || profile !== null) &&
          (column.key !== "device" || (profile !== null && hasDevice(profile))) &&
          (alone || ["name", "kind", "calls", "time", "run", "device"].includes(column.key)),
      ).map((column) => (leftOut(profile).includes(column.key) ? { ...column, wide: true } : column)),
    [total, alone, profile],
  );
  return (
    <>
      <PageHead
        title="Kernels"
        sub={
          <span aria-live="polite">
            {kernels === rows.length ? counted(rows) : `${count(kernels)} of ${count(rows.length)} rows`}
            {summary?.more ? `, ${count(summary.more)} more not listed` : ""}
            {total
              ? `, Triton compile time ${time(total)}: the sum over kernels, which worker processes may compile in parallel`
              : ""}
          </span>
        }
      >
        <div class="toggles" role="group" aria-label="Kind">
          {KERNEL_KINDS.filter((name) => summary?.[name].count || chosen.has(name)).map((name) => (
            <button
              key={name}
              type="button"
              class="chip empty"
              aria-pressed={chosen.has(name)}
              onClick={() => toggle(name)}
            >
              {KIND_WORDS[name]} {count(found.filter((row) => row.kernel!.kind === name).length)}
            </button>
          ))}
          <Toggle on={group !== ""} query={{ group: group ? null : "compile" }}>
            By compile
          </Toggle>
        </div>
        <FilterBox value={q} label="Filter name, operator, node, file" />
      </PageHead>
      {summary?.choices && <KernelChoices choices={summary.choices} />}
      <Pending of={loaded} what="the kernels" />
      {loaded.state === "ready" && (
        <div class={`kernels beside fill ${selected ? "split" : ""}`}>
          <Grid
            label="Kernels"
            columns={columns}
            rows={shown}
            rowKey={(row) => row.key}
            sort={sort}
            onSort={(next) => replaceQuery({ sort: next })}
            href={(row) => row.kernel && address(["kernels"], { ...at.query, k: `${row.n}` })}
            empty={
              rows.length ? (
                <Empty title="No kernel matches the filter">
                  <QueryLink query={{ q: null, kind: null }}>Show all {count(rows.length)}</QueryLink>
                </Empty>
              ) : (
                <Empty title="No kernels in this log" />
              )
            }
          />
          {selected?.kernel && (
            <KernelDetails
              key={k}
              kernel={selected.kernel}
              run={runs?.get(selected.n)}
              close={address(["kernels"], { ...at.query, k: null })}
            />
          )}
        </div>
      )}
    </>
  );
}

/** On a phone, run times have the room of these columns. */
const leftOut = (profile: Profile | null): readonly string[] =>
  profile ? (hasDevice(profile) ? ["kind", "calls", "run"] : ["kind", "calls"]) : [];

/** One source line and how many others there are: the first, or the first that has what the reader looks for. */
function sourceText(sources: Kernel["sources"], wanted: readonly string[] = []): string {
  const asked = wanted.filter((word) => /:\d+$/.test(word));
  const found = sources.find((s) => asked.some((word) => `${s.file}:${s.line}`.toLowerCase().endsWith(word)));
  const one = found ?? sources[0];
  const others = sources.length - 1;
  return one ? `${middle(baseName(one.file), 16)}:${one.line}${others ? ` +${others}` : ""}` : "";
}

function toRow(kernel: Kernel, n: number, run: KernelRun | undefined): Row {
  const fuses = computes(kernel);
  const source = sourceText(kernel.sources);
  return {
    key: `${n}`,
    head: null,
    kernel,
    n,
    fuses,
    source,
    calls: kernel.calls,
    time: kernel.compile_time_us,
    run: run?.total_us ?? null,
    device: run?.device_us ?? null,
    text: [
      kernel.name,
      kernelTitle(kernel),
      kernel.kind,
      KIND_WORDS[kernel.kind],
      kernel.heuristic,
      kernel.compile,
      kernel.graph,
      ...kernel.ops,
      ...kernel.nodes,
      ...kernel.post_nodes,
      ...kernel.perhaps,
      ...kernel.sources.map((item) => `${item.file}:${item.line} ${item.function ?? ""} ${item.code ?? ""}`),
    ]
      .join(" ")
      .toLowerCase(),
  };
}

/** How many of the rows are kernels, and how many calls of libraries. */
function counted(rows: readonly Row[]): string {
  const calls = rows.filter((row) => row.kernel!.kind === "extern").length;
  return kernelText(rows.length - calls, calls);
}

/** The sum of what is known; null where nothing is. */
function sum(rows: readonly Row[], of: (row: Row) => number | null): number | null {
  return rows.some((row) => of(row) !== null) ? rows.reduce((total, row) => total + (of(row) ?? 0), 0) : null;
}

/** The rows of each compile under a head with their sums; groups follow the order, too. */
function grouped(rows: readonly Row[], sort: string): Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const list = groups.get(row.kernel!.compile);
    if (list) list.push(row);
    else groups.set(row.kernel!.compile, [row]);
  }
  const heads = [...groups].map(([id, list]): Row => ({
    key: `head ${id}`,
    head: { id, text: counted(list) },
    kernel: null,
    n: -1,
    fuses: "",
    source: "",
    text: "",
    calls: list.reduce((sum, row) => sum + row.calls, 0),
    time: sum(list, (row) => row.time),
    run: sum(list, (row) => row.run),
    device: sum(list, (row) => row.device),
  }));
  const [by] = parseSort(sort);
  const ordered = ["calls", "time", "run", "device"].includes(by) ? sortRows(heads, COLUMNS, sort) : heads;
  return ordered.flatMap((head) => [head, ...sortRows(groups.get(head.head!.id)!, COLUMNS, sort)]);
}

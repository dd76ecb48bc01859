// The tables of the page: lines, kernels, compiles, graphs, what runs eagerly.
import { useMemo } from "preact/hooks";
import { address } from "../../lib/address";
import { baseName, count, firstLine, matches, percent, plural, time } from "../../lib/text";
import {
  type CompileRun,
  compileTimes,
  eventsOf,
  type GraphRun,
  graphTime,
  hasDevice,
  type KernelRun,
  KERNEL_PROFILE,
  kernelsOfLines,
  type LineRun,
  noLines,
  type Operator,
  type Profile,
  restOf,
  timeOf,
  withoutEvents,
} from "../../store/profile";
import { frameName, type GraphBreak, type Report } from "../../store/report";
import type { Store } from "../../store/store";
import { CompileChip, CompileFrame } from "../../ui/compile";
import { Empty, Panel } from "../../ui/page";
import { MiddleCut, PlaceText, Prose } from "../../ui/text";
import { classOf, type Field, figures, SortedTable } from "../../ui/SortedTable";

export interface TableProps {
  store: Store;
  profile: Profile;
  query: Record<string, string>;
  /** the words that rows must have */
  wanted: readonly string[];
}

const text = (...parts: readonly (string | null | undefined)[]): string => parts.join(" ").toLowerCase();
/** "[0/0]" finds this compile only, unlike "0/0". */
const idText = (store: Store, key: string): string => `[${key}] ${store.name(key)}`;
const shownOf = (found: number, all: number, what: string): string =>
  found === all ? plural(all, what) : `${count(found)} of ${plural(all, what)}`;

/** The time on the device is a column if there is one. */
const deviceField = <T extends { device_us?: number }>(profile: Profile): Field<T>[] =>
  hasDevice(profile) ? [figures("device", "Device time", (row: T) => row.device_us ?? null, time)] : [];

/** On a phone, the time on the device has the room of that on the CPU. */
const onCpu = (profile: Profile): { wide: boolean } => ({ wide: hasDevice(profile) });

/** A share as a bar and a figure. */
function shareField<T extends { total_us: number; device_us?: number }>(profile: Profile, of: number): Field<T> {
  return {
    key: "share",
    title: "Share",
    class: "share-cell",
    about: hasDevice(profile) ? "Share of the device time of all graph calls" : "Share of the time of all graph calls",
    numeric: true,
    value: (row) => timeOf(row, profile),
    cell: (row) => <Share us={timeOf(row, profile)} of={of} />,
  };
}

function Share({ us, of, rest = false }: { us: number; of: number; rest?: boolean }) {
  return (
    <span class={rest ? "run-share rest" : "run-share"}>
      <i aria-hidden="true">
        <b style={{ width: `${of ? Math.min(100, (100 * us) / of) : 0}%` }} />
      </i>
      {percent(us, of)}
    </span>
  );
}

const lineText = ({ file, line }: { file: string; line: number }): string => `${file}:${line}`;
const fused = (profile: Profile): boolean => profile.kernels.some(({ places }) => places.length > 1);

export function Lines({ store, profile, query, wanted }: TableProps) {
  const of = graphTime(profile);
  const kernels = useMemo(() => kernelsOfLines(profile), [profile]);
  const rows = useMemo(
    () =>
      profile.lines.filter((line) => {
        const of = kernels.get(lineText(line)) ?? [];
        return matches(
          text(lineText(line), line.code, ...of.map(({ name, compile }) => `${name} ${idText(store, compile)}`)),
          wanted,
        );
      }),
    [store, profile, kernels, wanted],
  );
  const fields = useMemo(
    (): Field<LineRun>[] => [
      shareField(profile, of),
      figures("time", "Time", (line) => line.total_us, time, onCpu(profile)),
      ...deviceField<LineRun>(profile),
      {
        key: "line",
        title: "Line",
        class: "run-line",
        value: lineText,
        cell: (line) => (
          <>
            <PlaceText place={{ ...line, function: null }} limit={32} /> {line.code && <code>{line.code}</code>}
          </>
        ),
      },
      {
        key: "kernels",
        title: "Kernels",
        numeric: true,
        wide: true,
        about: "Kernels that compute an operation of the line",
        value: (line) => kernels.get(lineText(line))?.length ?? null,
        cell: (line) => {
          const n = kernels.get(lineText(line))?.length;
          return n ? (
            <a
              href={address(["runtime"], { q: `${baseName(line.file)}:${line.line}` })}
              title={`Show the kernels of ${baseName(line.file)}:${line.line}`}
            >
              {count(n)}
            </a>
          ) : (
            "–"
          );
        },
      },
    ],
    [profile, of, kernels],
  );
  const none = noLines(profile);
  return (
    <SortedTable
      name="lines"
      title="Lines"
      note={profile.lines.length > 0 && `${shownOf(rows.length, profile.lines.length, "line")}, share of graph time`}
      fields={fields}
      rows={rows}
      rowKey={lineText}
      query={query}
      rest={
        !wanted.length &&
        restOf(profile).map(({ title, about, us }) => (
          <tr key={title} class="rest muted">
            <td class={classOf(fields[0]!)}>
              <Share us={us} of={of} rest />
            </td>
            <td class={classOf(fields[1]!)}>{hasDevice(profile) ? "" : time(us)}</td>
            {hasDevice(profile) && <td class="num">{time(us)}</td>}
            <td class="run-line">
              {title} <span class="wide">({about})</span>
            </td>
            <td class="wide" />
          </tr>
        ))
      }
      empty={
        profile.lines.length ? undefined : (
          <Empty title={none.why}>
            {none.set && (
              <>
                <code>{none.set.option}</code> {none.set.does}
              </>
            )}
          </Empty>
        )
      }
    >
      {profile.lines.length > 0 && fused(profile) && (
        <p class="more muted">The time of a kernel with several lines is divided equally among them.</p>
      )}
    </SortedTable>
  );
}

const kernelDirection = ({ graph }: KernelRun): string | null => graph && graph.slice(graph.lastIndexOf("_") + 1);

export function KernelsTable({ store, profile, query, wanted }: TableProps) {
  const of = graphTime(profile);
  const rows = useMemo(
    () =>
      profile.kernels.filter((kernel) =>
        matches(text(kernel.name, kernel.graph, idText(store, kernel.compile), ...kernel.places.map(lineText)), wanted),
      ),
    [store, profile, wanted],
  );
  const fields = useMemo(
    (): Field<KernelRun>[] => [
      shareField(profile, of),
      figures("time", "Time", (kernel) => kernel.total_us, time, onCpu(profile)),
      ...deviceField<KernelRun>(profile),
      figures("calls", "Calls", (kernel) => kernel.calls, count, { wide: true }),
      {
        key: "name",
        title: "Kernel",
        class: "run-name",
        value: (kernel) => kernel.name,
        cell: (kernel) => (
          <a href={address(["kernels"], { k: `${kernel.index}` })} aria-label={kernel.name}>
            <MiddleCut text={kernel.name} />
          </a>
        ),
      },
      {
        key: "compile",
        title: "Compile",
        ...onCpu(profile),
        value: (kernel) => kernel.compile,
        cell: (kernel) => <CompileChip id={kernel.compile} />,
      },
      {
        key: "direction",
        title: "Direction",
        wide: true,
        value: kernelDirection,
        cell: (kernel) => <Direction of={kernelDirection(kernel)} />,
      },
      {
        key: "lines",
        title: "Source line",
        wide: true,
        value: ({ places: [first] }) => (first ? lineText(first) : null),
        cell: ({ places }) => <Places places={places} />,
      },
    ],
    [profile, of],
  );
  return (
    <SortedTable
      name="kernels"
      title="Kernels"
      note={`${shownOf(rows.length, profile.kernels.length, "kernel")}, share of graph time`}
      fields={fields}
      rows={rows}
      rowKey={(kernel) => kernel.index}
      query={query}
    />
  );
}

function Places({ places }: { places: KernelRun["places"] }) {
  const [first] = places;
  if (!first) return <span class="muted">unknown</span>;
  const others = places.length - 1;
  return (
    <span title={places.map(lineText).join("\n")}>
      <PlaceText place={{ ...first, function: null }} limit={24} />
      {others > 0 && <span class="muted"> +{count(others)}</span>}
    </span>
  );
}

const Direction = ({ of }: { of: string | null }) => <span class="muted">{of ?? "–"}</span>;

export function CompilesTable({ store, profile, query, wanted }: TableProps) {
  const rows = useMemo(
    () =>
      profile.compiles.filter(({ compile }) => {
        const frame = store.compile(compile)?.frame;
        return matches(text(idText(store, compile), frameName(frame), frame && `${frame.file}:${frame.line}`), wanted);
      }),
    [store, profile, wanted],
  );
  const fields = useMemo((): Field<CompileRun>[] => {
    const eager = profile.compiles.some((run) => run.eager_us > 0);
    const times = compileTimes(profile);
    const backward = ({ compile }: CompileRun) => times.get(compile)?.backward_us || null;
    return [
      {
        key: "compile",
        title: "Compile",
        value: (run) => run.compile,
        cell: (run) => <CompileChip id={run.compile} />,
      },
      {
        key: "frame",
        title: "Frame",
        class: "run-name",
        wide: true,
        value: (run) => frameName(store.compile(run.compile)?.frame) || null,
        cell: (run) => {
          const compile = store.compile(run.compile);
          return compile && <CompileFrame compile={compile} />;
        },
      },
      figures("calls", "Calls", (run) => run.calls),
      figures("total", "Total", (run) => run.total_us, time, {
        ...onCpu(profile),
        about: "Time of its calls, with all that they call",
      }),
      ...deviceField<CompileRun>(profile),
      ...(profile.compiles.some(backward)
        ? [
            figures("backward", "Backward", backward, time, {
              wide: true,
              about: "Its backward graphs, not part of the total",
            }),
          ]
        : []),
      figures("median", "Median", (run) => run.median_us, time, { wide: true, about: "Median of its calls" }),
      figures("max", "Longest", (run) => run.max_us, time, { wide: true, about: "The longest call" }),
      figures("guards", "Guards per call", (run) => (run.guard_calls ? run.guard_us / run.guard_calls : null), time, {
        about: "Guard checks before a call: a lookup in Dynamo's cache, which may check several versions",
      }),
      figures("overhead", "Overhead", (run) => run.overhead_us, time, {
        wide: true,
        about: "Part of the total: bytecode and runtime wrappers around its graphs",
      }),
      ...(eager
        ? [
            figures("eager", "Eager", (run: CompileRun) => run.eager_us, time, {
              wide: true,
              about:
                "Part of the total outside of graphs: code at its graph breaks, and functions that no version fits",
            }),
          ]
        : []),
      ...(profile.devices
        ? [
            figures("waiting", "Device waits", (run: CompileRun) => run.waiting_us ?? null, time, {
              wide: true,
              about: "Time in its calls in which the device had no work, until the CPU started more",
            }),
          ]
        : []),
      figures("compile_time", "Compile time", (run) => store.compile(run.compile)?.time_us ?? null, time, {
        wide: true,
      }),
    ];
  }, [store, profile]);
  return (
    <SortedTable
      name="compiles"
      title="Compiles"
      note={shownOf(rows.length, profile.compiles.length, "compile")}
      fields={fields}
      rows={rows}
      rowKey={(run) => run.compile}
      query={query}
    />
  );
}

export function Graphs({ store, profile, query, wanted }: TableProps) {
  const rows = useMemo(
    () =>
      profile.graphs.filter((graph) =>
        matches(text(graph.compile && idText(store, graph.compile), graph.direction, graph.key), wanted),
      ),
    [store, profile, wanted],
  );
  const fields = useMemo(
    (): Field<GraphRun>[] => [
      {
        key: "compile",
        title: "Compile",
        value: (graph) => graph.compile,
        cell: (graph) =>
          graph.compile === null ? (
            <span class="muted" title="Its code is not in the log, or is that of several compiles">
              unknown
            </span>
          ) : (
            <CompileChip id={graph.compile} />
          ),
      },
      {
        key: "direction",
        title: "Direction",
        value: (graph) => graph.direction,
        cell: (graph) => <Direction of={graph.direction} />,
      },
      figures("calls", "Calls", (graph) => graph.calls, count, onCpu(profile)),
      figures("total", "Total", (graph) => graph.total_us, time, onCpu(profile)),
      ...deviceField<GraphRun>(profile),
      figures("kernels", "In kernels", (graph) => graph.kernel_us, time, {
        about: "Part of the total in operators and kernels that have events",
        wide: true,
      }),
      {
        key: "aligned",
        title: "Aligned",
        about: "Calls whose operators, or kernels of a CUDA graph, are those of the code, in its order",
        numeric: true,
        value: (graph) => graph.aligned_calls,
        cell: (graph) =>
          graph.unaligned_calls ? (
            <span class="s-warning">
              {count(graph.aligned_calls)} of {count(graph.calls)}
            </span>
          ) : (
            "all"
          ),
      },
      ...(profile.graphs.some(({ replays }) => replays > 0)
        ? [
            figures("replays", "Replays", (graph: GraphRun) => graph.replays, count, {
              wide: true,
              about:
                "Calls that replay a CUDA graph: the kernels are known by their order, and have no time on the CPU",
            }),
            figures("copies", "Input copies", (graph: GraphRun) => graph.copies_us ?? null, time, {
              wide: true,
              about: "Part of the device time: inputs are copied to where the CUDA graph reads them",
            }),
          ]
        : []),
      {
        key: "events",
        title: "Kernel events",
        wide: true,
        about: "Which of its kernels have events. Operators of the user may have none",
        value: eventsOf,
        cell: (graph) => <span class={graph.kernel_events === false ? "s-warning" : ""}>{eventsOf(graph)}</span>,
      },
      {
        key: "key",
        title: "Cache key",
        class: "run-name",
        wide: true,
        value: (graph) => graph.key,
        cell: (graph) => (graph.key ? <MiddleCut text={graph.key} tail={6} /> : "–"),
      },
    ],
    [profile],
  );
  const silent = withoutEvents(profile);
  return (
    <SortedTable
      name="graphs"
      title="Graphs"
      note={profile.graphs.length > 0 && shownOf(rows.length, profile.graphs.length, "graph")}
      fields={fields}
      rows={rows}
      rowKey={(graph) => profile.graphs.indexOf(graph)}
      query={query}
      empty={profile.graphs.length ? undefined : <Empty title="No call of a compiled graph in the profile" />}
    >
      {silent > 0 && (
        <p class="more muted" data-kind="no-events">
          {silent === profile.graphs.length ? "No" : `${plural(silent, "graph")}: no`} events of generated kernels. On
          the CPU, set <code>{KERNEL_PROFILE}</code> to record them.
        </p>
      )}
    </SortedTable>
  );
}

interface Gap {
  n: number;
  us: number;
  unmatched: number;
  item: GraphBreak;
}

function gapsOf(report: Report, profile: Profile): Gap[] {
  return profile.eager.gaps
    .flatMap(({ graph_break: n, total_us: us, unmatched_us: unmatched }) => {
      const item = report.graph_breaks[n];
      return item ? [{ n, us, unmatched, item }] : [];
    })
    .sort((a, b) => b.us - a.us);
}

export function Eager({ store, profile, query, wanted }: TableProps) {
  const { report } = store;
  const all = useMemo(() => gapsOf(report, profile), [report, profile]);
  const gaps = useMemo(
    () =>
      all.filter(({ item }) =>
        matches(
          text(
            item.reason,
            item.place && `${item.place.file}:${item.place.line}`,
            ...item.compiles.map((key) => idText(store, key)),
          ),
          wanted,
        ),
      ),
    [store, all, wanted],
  );
  const { operators, total_us: total } = profile.eager;
  const shown = useMemo(() => operators.filter(({ name }) => matches(text(name), wanted)), [operators, wanted]);
  const fields = useMemo((): Field<Operator>[] => {
    const of = hasDevice(profile) ? operators.reduce((us, one) => us + (one.device_us ?? 0), 0) : total;
    return [
      { ...shareField<Operator>(profile, of), about: "Share of the time of these operators" },
      figures("time", "Time", (one) => one.total_us, time, onCpu(profile)),
      ...deviceField<Operator>(profile),
      figures("calls", "Calls", (one) => one.calls),
      {
        key: "name",
        title: "Operator",
        class: "run-name",
        value: (one) => one.name,
        cell: (one) => <MiddleCut text={one.name} />,
      },
    ];
  }, [profile, operators, total]);
  return (
    <>
      {all.length > 0 && (
        <SortedTable
          name="gaps"
          title="Eager time at graph breaks"
          note="in frames that end at a graph break, with Python code"
          fields={all.some(({ unmatched }) => unmatched > 0) ? [GAP_TIME, UNMATCHED, GAP_BREAK] : [GAP_TIME, GAP_BREAK]}
          rows={gaps}
          rowKey={(gap) => gap.n}
          query={query}
        />
      )}
      {operators.length > 0 ? (
        <SortedTable
          name="operators"
          title="Eager operators"
          note={`${shownOf(shown.length, operators.length, "operator")}, ${time(total)} outside of compiled graphs`}
          fields={fields}
          rows={shown}
          rowKey={(one) => one.name}
          query={query}
        />
      ) : (
        <Panel title="Eager operators">
          <Empty title="No operator ran outside of compiled graphs" />
        </Panel>
      )}
    </>
  );
}

const GAP_TIME: Field<Gap> = figures("time", "Time", (gap: Gap) => gap.us, time);
const UNMATCHED: Field<Gap> = figures("unmatched", "No version", (gap: Gap) => gap.unmatched, time, {
  about:
    "Time after guard checks that no version passes: functions that run eagerly, as the rest of this one does beyond its recompile limit",
});
const GAP_BREAK: Field<Gap> = {
  key: "break",
  title: "Graph break",
  class: "run-line",
  value: ({ item }) => item.reason,
  cell: ({ n, item }) => (
    <>
      <PlaceText place={item.place} limit={32} />{" "}
      <a href={address(["breaks"], { n: `${n}` })}>
        <Prose text={firstLine(item.reason, 160)} />
      </a>
    </>
  ),
};

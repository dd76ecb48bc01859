import { useMemo, useState } from "preact/hooks";
import { replaceQuery, toCompile } from "../../lib/address";
import { copyText } from "../../lib/clipboard";
import { bytes, count, firstLine, matches, plural, time, words } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { type CompileTimes, compileTimes, hasDevice, profileOf } from "../../store/profile";
import { isCompile, type Report, type ShownTimes } from "../../store/report";
import { phasesOf, sumTimes } from "../../store/phases";
import { STATUSES, type Status } from "../../lib/status";
import {
  CompileChip,
  CompileFrame,
  countStatuses,
  SIGNS,
  STATUS_WORDS,
  statusText,
  statusWord,
} from "../../ui/compile";
import { Grid, sortRows, type Column, numbers } from "../../ui/Grid";
import { FilterBox, PageHead, QueryLink, Toggle } from "../../ui/PageHead";
import { Empty, type PageProps, useStore } from "../../ui/page";
import {
  cacheText,
  framesOf,
  grouped,
  GROUPS,
  lineOf,
  membersText,
  separated,
  statusesOf,
  sum,
  type GroupBy,
  type Line,
} from "./compiles-table";
import { why } from "../../store/why";

interface Field extends Column<Line> {
  /** shown unless the reader chose other columns */
  usual: boolean;
  /** of the usual ones left out where no compile has any */
  sparse?: boolean;
  unit?: string;
}

const number = (
  key: string,
  title: string,
  width: string,
  usual: boolean,
  of: (line: Line) => number | null,
  show: (n: number | null) => string = count,
  more: Partial<Field> = {},
): Field => ({ ...numbers(key, title, width, of, show), usual, wide: true, ...more });
const phase = (key: keyof ShownTimes, title: string, also?: keyof ShownTimes): Field =>
  number(
    `p-${key}`,
    title,
    "90px",
    false,
    (line) => sum(line, ({ by_phase_us: us }) => (us[key] ?? 0) + ((also && us[also]) ?? 0) || null),
    time,
    { unit: "µs" },
  );

const FIELDS: readonly Field[] = [
  {
    key: "id",
    title: "Id",
    width: "104px",
    usual: true,
    value: (l) => l.compile.key,
    cell: (l) => (l.group ? <GroupHead line={l} /> : <CompileChip id={l.compile.key} />),
  },
  {
    key: "frame",
    title: "Frame",
    width: "minmax(150px, 2.2fr)",
    usual: true,
    value: (l) => l.compile.frame && `${l.compile.frame.function} ${l.compile.frame.file}:${l.compile.frame.line}`,
    cell: (l) =>
      l.group && l.within === l.compile.status ? (
        <b>{STATUS_WORDS[l.compile.status]}</b>
      ) : (
        <CompileFrame compile={l.compile} />
      ),
  },
  {
    key: "status",
    title: "Status",
    width: "96px",
    usual: false,
    wide: true,
    value: (l) => l.compile.status,
    cell: (l) =>
      l.group
        ? statusesOf(l)
            .map(([status, n]) => `${SIGNS[status]} ${n}`)
            .join("  ")
        : `${SIGNS[l.compile.status]} ${statusText(l.compile)}`,
  },
  number("attempts", "Attempts", "84px", false, (l) => sum(l, (c) => c.attempts.length)),
  number("restarts", "Restarts", "82px", false, (l) => sum(l, (c) => c.restarts.length)),
  number("time", "Compile time", "116px", true, (l) => sum(l, (c) => c.time_us), time, { wide: false, unit: "µs" }),
  number("lost", "Discarded traces", "124px", false, (l) => sum(l, (c) => c.restart_us), time, { unit: "µs" }),
  number("runtime", "Work at run time", "126px", false, (l) => sum(l, (c) => c.runtime_us), time, { unit: "µs" }),
  {
    key: "phases",
    title: "Phases",
    width: "minmax(72px, 0.8fr)",
    usual: true,
    wide: true,
    cell: (l) => <Phases line={l} />,
  },
  phase("dynamo", "Dynamo"),
  phase("aot", "Backend", "backend"),
  phase("passes", "Passes"),
  phase("inductor", "Inductor"),
  phase("codegen", "Code"),
  phase("triton", "Kernel compilation"),
  phase("backward", "Backward"),
  phase("other", "Other", "not_logged"),
  number("ops", "Ops", "60px", true, (l) => sum(l, (c) => c.graph.ops)),
  number("guards", "Guards", "72px", true, (l) => sum(l, (c) => c.guards)),
  number("inputs", "Inputs", "64px", true, (l) => sum(l, (c) => c.graph.inputs)),
  number("breaks", "Breaks", "70px", true, (l) => sum(l, (c) => c.graph_breaks.length), count, { sparse: true }),
  {
    key: "cache",
    title: "Cache",
    width: "82px",
    usual: true,
    sparse: true,
    wide: true,
    value: (l) => cacheText(l) || null,
    cell: (l) => (
      <span
        title={
          l.group
            ? "compiles with this result"
            : l.compile.cache
                .map((item) => `${item.cache}: ${item.result}${item.reason ? `, ${item.reason}` : ""}`)
                .join("\n")
        }
      >
        {cacheText(l) || "–"}
      </span>
    ),
  },
  {
    key: "subgraph",
    title: "Subgraph",
    width: "100px",
    usual: false,
    wide: true,
    value: (l) => l.compile.subgraph,
    cell: (l) => <span class="muted">{l.compile.subgraph ?? "–"}</span>,
  },
  number("bytes", "Artifacts", "76px", false, (l) => sum(l, (c) => c.bytes), bytes, { unit: "bytes" }),
  {
    key: "why",
    title: "Why compiled",
    width: "minmax(130px, 2fr)",
    usual: true,
    wide: true,
    value: (l) => (l.group ? null : l.why || null),
    cell: (l) => (
      <span class="muted" title={l.group ? "" : l.compile.recompile_reasons.join("\n")}>
        {l.group ? "" : firstLine(l.why, 90)}
      </span>
    ),
  },
];

/** Calls and run time of each compile, if the report has a profile. Those that never ran have 0. */
function profileFields(report: Report): Field[] {
  const profile = profileOf(report);
  if (!profile) return [];
  const times = compileTimes(profile);
  const device = hasDevice(profile);
  const of = (get: (run: CompileTimes) => number | null) => (line: Line) =>
    sum(line, ({ key }) => {
      const run = times.get(key);
      return run && get(run);
    });
  return [
    number(
      "calls",
      "Calls",
      "64px",
      true,
      of((run) => run.calls),
    ),
    // With device times, a laptop has no room for both.
    number(
      "run",
      "Run time",
      "84px",
      true,
      of((run) => run.total_us),
      time,
      { unit: "µs", wide: device ? "very" : true },
    ),
    ...(device
      ? [
          number(
            "device",
            "Device time",
            "106px",
            true,
            of((run) => run.device_us),
            time,
            { unit: "µs" },
          ),
        ]
      : []),
  ];
}

/** The columns of the user's own parsers. */
const ownFields = (report: Report): Field[] =>
  (report.parsers ?? []).flatMap(({ name, columns }) =>
    columns.map(({ title, values }) => {
      const value = ({ group, compile }: Line) =>
        !group && Object.hasOwn(values, compile.key) ? values[compile.key]! : null;
      const numeric = Object.values(values).every((one) => typeof one === "number");
      return {
        key: `${name}.${title}`.replaceAll(",", ""),
        title,
        width: "110px",
        usual: true,
        wide: true,
        numeric,
        value,
        cell: (line) => {
          const text = value(line);
          return text === null ? (
            line.group ? (
              ""
            ) : (
              "–"
            )
          ) : (
            <span title={`${title}: ${text} (parser ${name})`}>{text}</span>
          );
        },
      };
    }),
  );

/** "6 compiles, 1 other id"; "2 of 6" where a filter is set. */
function headText(compiles: number, outside: number, kept: readonly Line[]): string {
  const found = kept.filter((line) => isCompile(line.compile)).length;
  const others = kept.length - found;
  return `${found === compiles && others === outside ? "" : `${count(found)} of `}${plural(compiles, "compile")}${others ? `, ${plural(others, "other id")}` : ""}`;
}

export function Compiles({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Compiles");
  const { q, status, sort = "", fold = "", cols } = at.query;
  const by: GroupBy = GROUPS.find((name) => name === at.query.group) ?? "frame";
  const lines = useMemo(() => {
    const frames = framesOf(report);
    const all = report.compiles.map((compile) => lineOf(compile, why(report, compile), frames.get(compile.key)));
    return [...all.filter((line) => isCompile(line.compile)), ...all.filter((line) => !isCompile(line.compile))];
  }, [report]);
  const known = useMemo(() => {
    const after = FIELDS.findIndex((field) => field.key === "phases");
    return [
      ...FIELDS.slice(0, after),
      ...profileFields(report),
      ...FIELDS.slice(after, -1),
      ...ownFields(report),
      ...FIELDS.slice(-1),
    ];
  }, [report]);
  const outside = useMemo(() => lines.filter((line) => !isCompile(line.compile)).length, [lines]);
  const found = useMemo(() => {
    const wanted = words(q);
    return lines.filter((line) => matches(line.text, wanted));
  }, [lines, q]);
  const chosen = useMemo(() => new Set((status ?? "").split(",").filter(Boolean)), [status]);
  const kept = useMemo(
    () => (chosen.size ? found.filter((line) => isCompile(line.compile) && chosen.has(line.compile.status)) : found),
    [found, chosen],
  );
  // "all,2,5": all groups are folded but 2 and 5; "2,5": these are.
  const folds = useMemo(() => new Set(fold.split(",").filter(Boolean)), [fold]);
  const shown = useMemo(
    () =>
      grouped(
        kept,
        by,
        (key) => folds.has("all") !== folds.has(key),
        (some) => sortRows(some, known, sort),
      ),
    [kept, by, folds, sort, known],
  );
  const fields = useMemo(() => {
    const wanted = cols?.split(",");
    return wanted
      ? known.filter((field) => wanted.includes(field.key)).map((field) => ({ ...field, wide: false as const }))
      : known.filter((field) => field.usual && (!field.sparse || lines.some((line) => field.value!(line))));
  }, [cols, lines, known]);
  const counts = countStatuses(found.map((line) => line.compile));
  const toggle = (name: Status) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    replaceQuery({ status: [...next].join(",") });
  };
  const toggleGroup = (line: Line) => {
    const next = new Set(folds);
    if (!next.delete(line.within)) next.add(line.within);
    replaceQuery({ fold: [...next].join(",") });
  };
  return (
    <>
      <PageHead
        title="Compiles"
        sub={<span aria-live="polite">{headText(lines.length - outside, outside, kept)}</span>}
      >
        <Columns known={known} fields={fields} lines={kept} sort={sort} />
        <FilterBox value={q} label="Filter id, frame, file, reason" />
      </PageHead>
      <div class="toolbar compiles-bar">
        <div class="toggles" role="group" aria-label="Status">
          {STATUSES.filter((name) => counts[name] > 0 || chosen.has(name)).map((name) => (
            <button
              key={name}
              type="button"
              class={`chip ${name}`}
              aria-pressed={chosen.has(name)}
              onClick={() => toggle(name)}
            >
              <span aria-hidden="true">{SIGNS[name]}</span>{" "}
              {statusWord(
                name,
                lines.map((line) => line.compile),
              )}{" "}
              {count(counts[name])}
            </button>
          ))}
        </div>
        <div class="toggles" role="group" aria-label="Group by">
          {GROUPS.map((name) => (
            <Toggle key={name} on={by === name} query={{ group: name === "frame" ? null : name, fold: null }} class="">
              {name === "none" ? "Flat" : `By ${name}`}
            </Toggle>
          ))}
          {by !== "none" && (
            <button type="button" onClick={() => replaceQuery({ fold: folds.has("all") ? null : "all" })}>
              {folds.has("all") ? "Unfold all" : "Fold all"}
            </button>
          )}
        </div>
      </div>
      <Grid
        label="Compiles"
        columns={fields}
        rows={shown}
        rowKey={(line) => line.key}
        rowClass={(line) => (line.group ? "group" : line.within ? "member" : "")}
        sort={sort}
        onSort={(next) => replaceQuery({ sort: next })}
        href={(line) => (line.group ? null : toCompile(line.compile.key))}
        expanded={(line) => (line.group ? line.open : undefined)}
        onToggle={toggleGroup}
        empty={
          <Empty title={lines.length ? "No compile matches the filter" : "No compiles in this log"}>
            {lines.length > 0 && (
              <QueryLink query={{ q: null, status: null }}>Show all {count(lines.length)}</QueryLink>
            )}
          </Empty>
        }
      />
    </>
  );
}

function GroupHead({ line }: { line: Line }) {
  return (
    <span class="mono">
      <span aria-hidden="true">{line.open ? "▾" : "▸"}</span> {membersText(line.members)}
    </span>
  );
}

function Phases({ line }: { line: Line }) {
  const { report } = useStore();
  const phases = phasesOf(report, sumTimes(report, line.members));
  if (!phases.length) return null;
  const text = "Compile time by phase: " + phases.map((item) => `${item.title} ${time(item.us)}`).join(", ");
  return (
    <div class="bar small" role="img" aria-label={text} title={text}>
      {phases.map((item) => (
        <i key={item.key} style={{ flexGrow: item.us, background: `var(--p${item.color})` }} />
      ))}
    </div>
  );
}

interface Props {
  known: readonly Field[];
  fields: readonly Field[];
  lines: readonly Line[];
  sort: string;
}

/** Which columns are shown, and the table as text for a spreadsheet. */
function Columns({ known, fields, lines, sort }: Props) {
  const [said, setSaid] = useState("");
  const on = new Set(fields.map((field) => field.key));
  const toggle = (key: string) => {
    const next = known
      .filter((field) => (field.key === key ? !on.has(key) : on.has(field.key)))
      .map((field) => field.key);
    replaceQuery({ cols: next.length ? next.join(",") : null });
  };
  const copy = async (sign: "," | "\t") => {
    const columns = fields.filter((field) => field.value);
    const text = separated(
      columns.map((field) => (field.unit ? `${field.title} (${field.unit})` : field.title)),
      sortRows(lines, known, sort).map((line) => columns.map((field) => field.value!(line))),
      sign,
    );
    setSaid((await copyText(text)) ? `${plural(lines.length, "row")} copied` : "The browser denied clipboard access");
  };
  return (
    <details class="choose-columns">
      <summary class="button">Columns</summary>
      <div>
        <fieldset>
          <legend>Columns</legend>
          {known.map((field) => (
            <label key={field.key} class="check">
              <input type="checkbox" checked={on.has(field.key)} onChange={() => toggle(field.key)} />
              {field.title}
            </label>
          ))}
        </fieldset>
        <div class="toggles">
          <button type="button" onClick={() => copy(",")}>
            Copy CSV
          </button>
          <button type="button" onClick={() => copy("\t")}>
            Copy TSV
          </button>
          <button type="button" onClick={() => replaceQuery({ cols: null })}>
            Default columns
          </button>
        </div>
        <span role="status">{said}</span>
      </div>
    </details>
  );
}

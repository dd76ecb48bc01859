// Compile time against run time, by function: a function may have several versions.
import { useMemo } from "preact/hooks";
import { count, matches, time } from "../../lib/text";
import { functionRuns, type FunctionRun, hasDevice } from "../../store/profile";
import { frameName } from "../../store/report";
import { FrameName } from "../../ui/text";
import type { TableProps } from "./RunTimeTables";
import { type Field, figures, SortedTable } from "../../ui/SortedTable";

/** Only if a function has several versions: otherwise the table of compiles has the same. */
export function Functions({ store, profile, query, wanted }: TableProps) {
  const all = useMemo(() => functionRuns(store.report), [store]);
  const rows = useMemo(
    () => all.filter(({ frame }) => matches(`${frameName(frame)} ${frame.file}:${frame.line}`.toLowerCase(), wanted)),
    [all, wanted],
  );
  const fields = useMemo(
    (): Field<FunctionRun>[] => [
      {
        key: "function",
        title: "Function",
        class: "run-name",
        value: ({ frame }) => frameName(frame),
        cell: ({ frame }) => <FrameName frame={frame} />,
      },
      figures("versions", "Versions", ({ keys }) => keys.length, count, { wide: true, about: "Its compiles" }),
      figures("unused", "Not called", ({ unused }) => unused, count, {
        wide: true,
        about: "Versions without a call in the profile",
      }),
      figures("calls", "Calls", (run) => run.calls, count, { wide: true }),
      figures("run", "Run time", (run) => run.total_us, time, {
        about: "Time of its calls in the profile, with all that they call, and of its backward graphs",
      }),
      ...(hasDevice(profile) ? [figures("device", "Device time", (run: FunctionRun) => run.device_us, time)] : []),
      figures("compile", "Compile time", (run) => run.compile_us, time, {
        about: "Of all its versions, in the whole log",
      }),
    ],
    [profile],
  );
  if (!all.some(({ keys }) => keys.length > 1)) return null;
  return (
    <SortedTable
      name="functions"
      title="Functions"
      note="compile time against run time in the profile"
      fields={fields}
      rows={rows}
      rowKey={({ keys }) => keys[0]!}
      query={query}
    />
  );
}

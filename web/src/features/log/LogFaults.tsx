// What could not be read in the log: which lines, what that means for the report, and what to do.
import { useMemo } from "preact/hooks";
import { count } from "../../lib/text";
import { faultCount, type Report } from "../../store/report";
import { Panel, Table } from "../../ui/page";

type Fault = Report["log"]["faults"][number];

/** By the texts of src/kinds/; a text that is not here needs no explanation. */
const MEANING: Readonly<Record<string, string>> = {
  "unrecognized line": "Skipped: other output in the same file, or the rest of a record whose start is missing.",
  "envelope is not a JSON object": "Skipped: a malformed record, or output that looks like one.",
  "payload MD5 mismatch":
    "The payload was changed or truncated after it was written; the report uses it as it is. If the file was copied, copy it again; if the disk was full, record the log again.",
  "chromium_event dropped: its payload is not JSON": "Missing from the timeline.",
  "record of another rank": "Left out. Call tlparse with this log alone: each rank then gets a report.",
};
const LINES = 12; // of a kind of fault
const KINDS = 100;

interface Kind {
  what: string;
  file: string | undefined;
  count: number;
  lines: number[];
  places: number;
}

/** Faults of the same kind in the same file together. */
function kindsOf(faults: readonly Fault[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const { what, file, file_line, line, count: n } of faults) {
    const key = `${file ?? ""}\0${what}`;
    const kind = kinds.get(key) ?? { what, file, count: 0, lines: [], places: 0 };
    kinds.set(key, kind);
    kind.count += n;
    kind.places++;
    if (kind.lines.length < LINES) kind.lines.push(file_line ?? line);
  }
  return [...kinds.values()];
}

export function LogFaults({ log }: { log: Report["log"] }) {
  const kinds = useMemo(() => kindsOf(log.faults), [log]);
  if (!kinds.length) return null;
  const { more_faults: more = 0 } = log;
  return (
    <Panel title="Warnings" note={count(faultCount(log))}>
      <Table class="faults" head={["Problem", ["num", "Count"], "First lines"]}>
        {kinds.slice(0, KINDS).map(({ what, file, count: n, lines, places }) => (
          <tr key={`${file} ${what}`}>
            <td class="wrap">
              <b>{what}</b>
              {file !== undefined && (
                <>
                  {" "}
                  in <span class="mono">{file}</span>
                </>
              )}
              {MEANING[what] && <p class="muted">{MEANING[what]}</p>}
            </td>
            <td class="num">{count(n)}</td>
            <td class="wrap mono">
              {lines.join(", ")}
              {places > lines.length && ", …"}
            </td>
          </tr>
        ))}
      </Table>
      {more > 0 && <p class="more muted">{count(more)} more</p>}
    </Panel>
  );
}

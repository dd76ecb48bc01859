import { count, plural, time } from "../lib/format";
import type { Check } from "../store/types";
import { CompileChip } from "./Chip";
import { Panel } from "./Panel";
import { useStore } from "./context";

/** What was compared: in words, what the log says, what the report says, and how the numbers read. */
const WORDS: Record<string, readonly [what: string, expected: string, found: string, show: (n: number) => string]> = {
  phases: ["The phases take longer than the compile", "compile time", "sum of its phases", time],
  outermost_spans: [
    "Compile time differs from the events",
    "length of the outermost events",
    "compile time by its metrics",
    time,
  ],
  records_by_kind: ["Records by kind do not add up", "records read", "sum over the kinds", count],
  records_by_compile: ["Records by compile do not add up", "records read", "sum over the compiles", count],
  graph_breaks: [
    "Graph breaks are missing or counted twice",
    "records of graph breaks",
    "graph breaks in the report",
    count,
  ],
  caches: [
    "Cache results are missing or counted twice",
    "records of cache results",
    "cache results in the report",
    count,
  ],
  ids: ["A compile id belongs to no compile", "ids in compile_directory.json", "ids of compiles", count],
};

const LIMIT = 20;

/** Where the report contradicts itself or the log. Nothing where all agrees. */
export function Checks() {
  const { report } = useStore();
  const { checks, more_checks: more = 0 } = report;
  if (!checks.length) return null;
  return (
    <Panel
      class="bad checks"
      title={
        <>
          <span class="s-error" aria-hidden="true">
            ✕
          </span>{" "}
          Numbers of this report disagree
        </>
      }
      note={plural(checks.length + more, "failed check")}
    >
      <p class="pad">
        The report compares its sums with the log. These numbers do not match: do not rely on figures that they are part
        of. Please report it as a bug of tlparse, with the log if you can share it.
      </p>
      <table>
        <thead>
          <tr>
            <th>Compile</th>
            <th class="full">Check</th>
            <th class="num">Expected</th>
            <th class="num">Found</th>
          </tr>
        </thead>
        <tbody>
          {checks.slice(0, LIMIT).map((check, i) => (
            <Row key={i} check={check} />
          ))}
        </tbody>
      </table>
      {checks.length + more > LIMIT && (
        <p class="pad muted">{count(checks.length + more - LIMIT)} more in report.json</p>
      )}
    </Panel>
  );
}

function Row({ check }: { check: Check }) {
  const [what, expected, found, show] = WORDS[check.name] ?? [check.name, "expected", "found", count];
  return (
    <tr>
      <td>{check.compile === null ? <span class="muted">all</span> : <CompileChip id={check.compile} />}</td>
      <td class="wrap">{what}</td>
      <td class="num">
        <span title={expected}>{show(check.expected)}</span>
        <small class="muted roomy"> {expected}</small>
      </td>
      <td class="num">
        <span title={found}>{show(check.found)}</span>
        <small class="muted roomy"> {found}</small>
      </td>
    </tr>
  );
}

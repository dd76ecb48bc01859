import { count, plural, time } from "../lib/text";
import type { Check } from "../store/report";
import { CompileChip } from "./compile";
import { Panel, useStore, Table, BadTitle } from "./page";

/** What was compared: in words, what the log says, what the report says, and how the numbers read. */
const WORDS: Record<string, readonly [what: string, expected: string, found: string, show: (n: number) => string]> = {
  phases: ["The phases take longer than the compile", "compile time", "sum of phases", time],
  timer_spans: ["Compile time differs from the events", "events", "metrics", time],
  records_by_kind: ["Records by kind do not add up", "records read", "sum of kinds", count],
  records_by_compile: ["Records by compile do not add up", "records read", "sum of compiles", count],
  graph_breaks: ["Graph breaks are missing or counted twice", "graph break records", "in the report", count],
  caches: ["Cache results are missing or counted twice", "cache records", "in the report", count],
  ids: ["A compile id belongs to no compile", "in compile_directory.json", "in the report", count],
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
      title={<BadTitle>Inconsistent numbers</BadTitle>}
      note={plural(checks.length + more, "failed check")}
    >
      <p class="pad">
        These sums do not match the log: do not rely on figures that include them. Please report this as a bug in
        tlparse, with the log if you can share it.
      </p>
      <Table head={["Compile", ["full", "Check"], ["num", "Expected"], ["num", "Found"]]}>
        {checks.slice(0, LIMIT).map((check, i) => (
          <Row key={i} check={check} />
        ))}
      </Table>
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

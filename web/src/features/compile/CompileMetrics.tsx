import { useMemo } from "preact/hooks";
import { count, matches, words } from "../../lib/text";
import { metricWords } from "../../store/metric-words";
import { groupMetrics, type Metric, type MetricGroup, type MetricRow } from "../../store/metrics";
import type { Details } from "../../store/report";
import { Panel, EmptyPanel } from "../../ui/page";
import { Soft } from "../../ui/text";
import { FilterBox, QueryCheck } from "../../ui/PageHead";

/** All fields of compilation_metrics in groups, forward and backward side by side; those without a value by name only. */
export function CompileMetrics({ details, query }: { details: Details; query: Record<string, string> }) {
  const { metrics, backward_metrics: backward } = details;
  const { groups, unset } = useMemo(() => groupMetrics(metrics, backward), [metrics, backward]);
  const wanted = words(query.q);
  const explain = query.words === "1";
  const shown = groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => matches(searchText(row), wanted)) }))
    .filter((group) => group.rows.length);
  const without = unset.filter(({ key }) => matches(`${key} ${metricWords(key)}`.toLowerCase(), wanted));
  return (
    <div class="tabroom" data-scroll="metrics">
      <div class="bar-line flexrow">
        <FilterBox value={query.q} label="Filter name, value, description" />
        <QueryCheck name="words" on={explain}>
          Descriptions
        </QueryCheck>
      </div>
      {!shown.length && !without.length && <EmptyPanel title="No field matches the filter" />}
      <div class="metric-groups">
        {shown.map((group) => (
          <Group key={group.title} group={group} both={metrics !== null && backward !== null} explain={explain} />
        ))}
      </div>
      {without.length > 0 && (
        <details class="unset" open={wanted.length > 0}>
          <summary class="muted">{count(without.length)} fields without a value (zero, false, empty or null)</summary>
          <ul class="unmarked">
            {without.map(({ key, text }) => (
              <li key={key}>
                <span class="mono" title={metricWords(key)}>
                  {key}
                </span>{" "}
                <span class="muted mono">{text}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function searchText({ key, forward, backward }: MetricRow): string {
  return `${key} ${metricWords(key)} ${forward?.text ?? ""} ${backward?.text ?? ""}`.toLowerCase();
}

function Group({ group, both, explain }: { group: MetricGroup; both: boolean; explain: boolean }) {
  const two = both && group.rows.some((row) => row.backward);
  return (
    <Panel title={group.title} note={count(group.rows.length)}>
      <table class={two ? "metric-table" : "metric-table flow"}>
        {two && (
          <thead>
            <tr>
              <th>Field</th>
              <th class="num">Forward</th>
              <th class="num">Backward</th>
            </tr>
          </thead>
        )}
        <tbody>
          {group.rows.map((row) => (
            <Row key={row.key} row={row} two={two} explain={explain} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ row, two, explain }: { row: MetricRow; two: boolean; explain: boolean }) {
  const says = metricWords(row.key);
  const name = (
    <td class="wrap">
      <span class="mono" title={says}>
        <Soft text={row.key} />
      </span>
      {explain && says && <span class="says muted">{says}</span>}
    </td>
  );
  const same = two && row.forward && row.backward && row.forward.text === row.backward.text;
  const blocks = [row.forward, row.backward].filter((metric) => metric?.block);
  if (blocks.length) {
    return (
      <tr>
        {name}
        <td colSpan={two ? 2 : 1} class="wrap">
          {same || !two ? (
            <Block metric={(row.forward ?? row.backward)!} />
          ) : (
            <>
              {row.forward && <Block metric={row.forward} of="forward" />}
              {row.backward && <Block metric={row.backward} of="backward" />}
            </>
          )}
        </td>
      </tr>
    );
  }
  if (!two)
    return (
      <tr>
        {name}
        <td class="num">
          <Value metric={row.forward ?? row.backward} />
        </td>
      </tr>
    );
  return (
    <tr>
      {name}
      <td class="num">
        <Value metric={row.forward} />
      </td>
      <td class="num">
        <Value metric={row.backward} />
      </td>
    </tr>
  );
}

/** A date and a time of day break between words only. */
function Value({ metric }: { metric: Metric | null | undefined }) {
  const [, date, clock, zone] = /^(\d{4}-\d\d-\d\d) (\S+)( UTC)?$/.exec(metric?.text ?? "") ?? [];
  if (!date) return <>{metric?.text ?? "–"}</>;
  return (
    <>
      <span class="nobreak">{date}</span> <span class="nobreak">{clock}</span>
      {zone}
    </>
  );
}

function Block({ metric, of }: { metric: Metric; of?: string }) {
  return (
    <details>
      <summary>
        {of && `${of}: `}
        <span class="muted num">{count(metric.text.length)} characters</span>
      </summary>
      <pre>{metric.text}</pre>
    </details>
  );
}

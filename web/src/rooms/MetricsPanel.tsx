import { useMemo, useState } from "preact/hooks";
import { matches, words } from "../base/filter";
import { count } from "../base/format";
import { groupMetrics, type Metric } from "../data/metrics";
import type { Metrics } from "../data/types";
import { Panel } from "../parts/Panel";

/** All fields of compilation_metrics, in groups, with units; those without a value by name only. */
export function MetricsPanel({ title, metrics }: { title: string; metrics: Metrics }) {
  const [query, setQuery] = useState("");
  const { groups, unset } = useMemo(() => groupMetrics(metrics), [metrics]);
  const wanted = words(query);
  const fits = (item: Metric) => matches(`${item.key} ${item.text}`.toLowerCase(), wanted);
  const shown = groups.map((group) => ({ ...group, items: group.items.filter(fits) })).filter((group) => group.items.length);
  const without = unset.filter((key) => matches(key, wanted));
  return (
    <Panel title={title} note={<input class="small" type="search" aria-label={`Filter ${title}`} placeholder="Filter" value={query} onInput={(e) => setQuery(e.currentTarget.value)} />}>
      <div class="metrics">
        {shown.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.items.filter((item) => !item.block).map((item) => [<dt key={`${item.key}-t`} class="mono">{item.key}</dt>, <dd key={item.key}>{item.text}</dd>])}
            </dl>
            {group.items.filter((item) => item.block).map((item) => (
              <details key={item.key}><summary class="mono">{item.key} <span class="muted">{count(item.text.length)} characters</span></summary><pre>{item.text}</pre></details>
            ))}
          </section>
        ))}
        {without.length > 0 && <details class="unset"><summary class="muted">{count(without.length)} without a value</summary><p class="mono muted">{without.join(", ")}</p></details>}
        {!shown.length && !without.length && <p class="muted">No field fits.</p>}
      </div>
    </Panel>
  );
}

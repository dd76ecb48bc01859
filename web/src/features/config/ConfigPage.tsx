import { useMemo } from "preact/hooks";
import { address } from "../../lib/address";
import { count, matches, plural, words } from "../../lib/text";
import { useLoaded, useTitle } from "../../lib/hooks";
import { contradicted, isIdle, shownValue, sortEffects, splitDifferences } from "../../store/config";
import { type Config, type ConfigDifference, type EffectValue, isCompile, type Report } from "../../store/report";
import { CompileChips } from "../../ui/compile";
import { Empty, type PageProps, Panel, useStore, EmptyPanel, Pending } from "../../ui/page";
import { FilterBox, PageHead, QueryLink } from "../../ui/PageHead";
import { RanksConfig, SettingRow, SettingValues, isSettingFound } from "../../ui/RanksConfig";

/** The configurations that compilation_metrics have. */
export function ConfigPage({ at }: PageProps) {
  const store = useStore();
  useTitle("Config");
  const loaded = useLoaded(() => (store.report.parts.configs ? store.configs() : Promise.resolve([])), [store]);
  return (
    <>
      <PageHead title="Config">
        <FilterBox value={at.query.q} label="Filter settings, values" />
      </PageHead>
      <div class="room" tabIndex={0} data-scroll="room">
        <Pending of={loaded} what="the configurations" />
        <RanksConfig report={store.report} query={at.query.q} />
        {loaded.state === "ready" && loaded.value.length > 0 && store.report.compiles.filter(isCompile).length > 1 && (
          <Differences report={store.report} query={at.query.q} />
        )}
        {loaded.state === "ready" && <InEffect report={store.report} query={at.query.q} />}
        {loaded.state === "ready" && <Configs report={store.report} configs={loaded.value} query={at.query.q} />}
      </div>
    </>
  );
}

/** What graphs were compiled with: those that contradict the configuration first. */
function InEffect({ report, query }: { report: Report; query: string | undefined }) {
  const wanted = words(query);
  const all = useMemo(() => sortEffects(report.settings_in_effect ?? []), [report]);
  const found = all.filter((item) => isSettingFound(item, wanted));
  if (!found.length) return null;
  return (
    <Panel title="Settings in effect" note={plural(found.length, "setting")}>
      <p class="pad muted">
        What graphs were compiled with, from <code>fx_graph_runnable</code> and the keys of the FX graph cache: set by
        the program, the environment, <code>torch.compile(mode=, options=)</code> or PyTorch itself, some to their
        default.
      </p>
      <table class="config">
        <tbody>
          {found.map((item) => (
            <SettingRow key={`${item.kind} ${item.setting}`} of={item}>
              <SettingValues of={item}>
                {(value) => (
                  <>
                    {value.configured !== undefined && (
                      <span class="muted">
                        instead of <span class="mono">{shownValue(value.configured)}</span> in the metrics{" "}
                      </span>
                    )}
                    <Compiles of={value} />
                  </>
                )}
              </SettingValues>
            </SettingRow>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** The settings that differ between compiles, those of exports last. */
function Differences({ report, query }: { report: Report; query: string | undefined }) {
  const wanted = words(query);
  const split = useMemo(() => splitDifferences(report), [report]);
  const others = split.others.filter((item) => isSettingFound(item, wanted));
  const exports = split.exports.filter((item) => isSettingFound(item, wanted));
  if (!split.others.length && !split.exports.length)
    return (
      <Panel title="Differences between compiles">
        <Empty title="✓ None">All compiles whose configuration is in the log have the same settings.</Empty>
      </Panel>
    );
  if (!others.length && !exports.length) return null;
  return (
    <Panel title="Differences between compiles" note={plural(others.length + exports.length, "setting")}>
      <table class="config">
        <tbody>
          <Rows list={others} />
          {exports.length > 0 && (
            <tr class="group">
              <th colSpan={2} scope="rowgroup">
                Set by <code>{split.exporters.join(", ")}</code>
              </th>
            </tr>
          )}
          <Rows list={exports} />
        </tbody>
      </table>
    </Panel>
  );
}

function Rows({ list }: { list: readonly ConfigDifference[] }) {
  return (
    <>
      {list.map((item) => (
        <SettingRow key={`${item.kind} ${item.setting}`} of={item}>
          <SettingValues of={item}>{(value) => <Compiles of={value} />}</SettingValues>
        </SettingRow>
      ))}
    </>
  );
}

/** The compiles that have a value. */
function Compiles({ of }: { of: { compiles: string[]; more_compiles?: number } }) {
  const { compiles, more_compiles: more = 0 } = of;
  return <CompileChips ids={compiles} total={compiles.length + more} more={address(["compiles"])} />;
}

interface ConfigsProps {
  report: Report;
  configs: Config[];
  query: string | undefined;
}

/** The configurations of the metrics, with a note where a compile had another value. */
function Configs({ report, configs, query }: ConfigsProps) {
  const others = useMemo(() => contradicted(report), [report]);
  const wanted = words(query);
  const lists = useMemo(
    () =>
      configs.map((config) => ({
        config,
        rows: Object.entries(config.values ?? {}).map(([key, value]) => {
          const shown = shownValue(value);
          return { key, shown, text: `${config.kind} ${key} ${shown}`.toLowerCase() };
        }),
      })),
    [configs],
  );
  if (!configs.length)
    return report.settings_in_effect?.length ? null : (
      <EmptyPanel title="No settings in this log">PyTorch 2.6 and later log them when a compile ends.</EmptyPanel>
    );
  const found = lists
    .map(({ config, rows }) => ({ config, total: rows.length, rows: rows.filter((row) => matches(row.text, wanted)) }))
    .filter((list) => list.rows.length);
  if (!found.length)
    return (
      <EmptyPanel title="No setting matches the filter">
        <QueryLink query={{ q: null }}>Show all</QueryLink>
      </EmptyPanel>
    );
  return (
    <>
      {found.map(({ config, rows, total }, i) => (
        <Panel
          key={i}
          title={<span class="mono">{config.kind}</span>}
          note={`${rows.length === total ? count(total) : `${count(rows.length)} of ${count(total)}`} settings, ${plural(config.compiles, "compile")}`}
        >
          <table class="config">
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <td class="mono">{row.key}</td>
                  <td class="mono wrap">
                    {row.shown}
                    <Others list={others.get(`${config.kind} ${row.key}`)} shown={row.shown} />
                    {isIdle(report, config.kind, row.key, row.shown) && (
                      <div class="muted cfgnote">No compile of Compiled Autograd is in this log.</div>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      ))}
    </>
  );
}

/** Values that outrank the one of a configuration. */
function Others({ list, shown }: { list: EffectValue[] | undefined; shown: string }) {
  const found = (list ?? []).filter((value) => shownValue(value.configured) === shown);
  return (
    <>
      {found.map((value, i) => (
        <div key={i} class="cfgvalue flexrow">
          <span class="muted cfgnote">
            but <span class="mono">{shownValue(value.value)}</span> in{" "}
          </span>
          <Compiles of={value} />
        </div>
      ))}
    </>
  );
}

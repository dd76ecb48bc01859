import { useMemo } from "preact/hooks";
import { replaceQuery } from "../base/address";
import { matches, words } from "../base/filter";
import { count, plural } from "../base/format";
import { useLoaded, useTitle } from "../base/hooks";
import type { Config } from "../data/types";
import { Panel } from "../parts/Panel";
import { FilterBox, RoomHead } from "../parts/RoomHead";
import { Empty, Failed, Loading } from "../parts/States";
import { useStore } from "../shell/context";
import type { RoomProps } from "../shell/rooms";

/** The configurations that compilation_metrics carry, found by typing. */
export function ConfigRoom({ at }: RoomProps) {
  const store = useStore();
  useTitle("Config");
  const loaded = useLoaded(() => (store.report.parts.configs ? store.configs() : Promise.resolve([])), [store]);
  return (
    <>
      <RoomHead title="Config"><FilterBox value={at.query.q} label="Find a setting or a value" /></RoomHead>
      <div class="room" data-scroll="room">
        {loaded.state === "loading" && <Loading what="the configurations" />}
        {loaded.state === "failed" && <Failed error={loaded.error} />}
        {loaded.state === "ready" && <Configs configs={loaded.value} query={at.query.q} />}
      </div>
    </>
  );
}

function Configs({ configs, query }: { configs: Config[]; query: string | undefined }) {
  const wanted = words(query);
  const lists = useMemo(() => configs.map((config) => ({
    config,
    rows: Object.entries(config.values ?? {}).map(([key, value]) => {
      const shown = typeof value === "string" ? value : JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
      return { key, shown, text: `${config.kind} ${key} ${shown}`.toLowerCase() };
    }),
  })), [configs]);
  if (!configs.length) return <Panel><Empty title="No configuration in this log">PyTorch writes it into compilation_metrics since 2.6, when a compile ends.</Empty></Panel>;
  const found = lists.map(({ config, rows }) => ({ config, total: rows.length, rows: rows.filter((row) => matches(row.text, wanted)) })).filter((list) => list.rows.length);
  if (!found.length) return <Panel><Empty title="No setting fits"><button type="button" class="plain link" onClick={() => replaceQuery({ q: null })}>Show all</button></Empty></Panel>;
  return (
    <>
      {found.map(({ config, rows, total }, i) => (
        <Panel key={i} title={<span class="mono">{config.kind}</span>} note={`${rows.length === total ? count(total) : `${count(rows.length)} of ${count(total)}`} values, ${plural(config.compiles, "compile")}`}>
          <table class="config">
            <tbody>{rows.map((row) => <tr key={row.key}><td class="mono">{row.key}</td><td class="mono wrap">{row.shown}</td></tr>)}</tbody>
          </table>
        </Panel>
      ))}
    </>
  );
}

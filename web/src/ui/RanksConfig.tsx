import { type ComponentChildren } from "preact";
import { matches, plural, words } from "../lib/text";
import type { Report } from "../store/report";
import { shownValue } from "../store/config";
import { Panel, useAll } from "./page";
import { RankChip } from "./RanksParts";

const LIMIT = 20;

/** The settings in which ranks differ, and the ranks of each value. Nothing where they agree: the verdict says so. */
export function RanksConfig({ report, query }: { report: Report; query?: string | undefined }) {
  const wanted = words(query);
  const found = (report.rank_config_differences ?? []).filter((item) => isSettingFound(item, wanted));
  const [shown, button] = useAll(found, LIMIT);
  if (!found.length) return null;
  return (
    <Panel title="Differences between ranks" note={plural(found.length, "setting")} class="ranks-config">
      <table class="config">
        <tbody>
          {shown.map((item) => (
            <SettingRow key={`${item.kind} ${item.setting}`} of={item}>
              <SettingValues of={item}>{(value, i) => <RankChip ranks={value.ranks} place={i} />}</SettingValues>
            </SettingRow>
          ))}
        </tbody>
      </table>
      {button}
    </Panel>
  );
}

interface Setting {
  kind: string;
  setting: string;
}

/** Whether a setting, or one of its values, has what the reader looks for. */
export const isSettingFound = (item: Setting & { values: readonly { value?: unknown }[] }, wanted: readonly string[]) =>
  matches(
    `${item.kind} ${item.setting} ${item.values.map((value) => JSON.stringify(value.value)).join(" ")}`.toLowerCase(),
    wanted,
  );

/** A setting, and in the cells beside it what it is set to. */
export function SettingRow({ of, cells, children }: { of: Setting; cells?: boolean; children: ComponentChildren }) {
  return (
    <tr>
      <td class="mono">
        <span class="muted">{of.kind}.</span>
        {of.setting}
      </td>
      {cells ? children : <td>{children}</td>}
    </tr>
  );
}

interface ValuesProps<V> {
  of: { values: readonly V[] };
  /** who has the value */
  children: (value: V, i: number) => ComponentChildren;
}

/** The values of a setting, each with those that have it. */
export function SettingValues<V extends { set?: boolean; value?: unknown }>({ of, children }: ValuesProps<V>) {
  return (
    <>
      {of.values.map((value, i) => (
        <div key={i} class="cfgvalue flexrow">
          <span class="mono wrap">{value.set === false ? "(no such setting)" : shownValue(value.value)}</span>{" "}
          {children(value, i)}
        </div>
      ))}
    </>
  );
}

import { matches, plural, words } from "../lib/text";
import type { RankConfigDifference } from "../store/ranks";
import type { Report } from "../store/report";
import { shownValue } from "../store/config";
import { Panel, useAll } from "./page";
import { RankChip } from "./RanksParts";

const LIMIT = 20;

/** The settings in which ranks differ, and the ranks of each value. Nothing where they agree: the verdict says so. */
export function RanksConfig({ report, query }: { report: Report; query?: string | undefined }) {
  const wanted = words(query);
  const found = (report.rank_config_differences ?? []).filter((item) => matches(text(item), wanted));
  const [shown, button] = useAll(found, LIMIT);
  if (!found.length) return null;
  return (
    <Panel title="Differences between ranks" note={plural(found.length, "setting")} class="ranks-config">
      <table class="config">
        <tbody>
          {shown.map((item) => (
            <tr key={`${item.kind} ${item.setting}`}>
              <td class="mono">
                <span class="muted">{item.kind}.</span>
                {item.setting}
              </td>
              <td>
                {item.values.map((value, i) => (
                  <div key={i} class="cfgvalue">
                    <span class="mono wrap">{value.set ? shownValue(value.value) : "(no such setting)"}</span>{" "}
                    <RankChip ranks={value.ranks} place={i} />
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {button}
    </Panel>
  );
}

const text = (item: RankConfigDifference): string =>
  `${item.kind} ${item.setting} ${item.values.map((value) => JSON.stringify(value.value)).join(" ")}`.toLowerCase();

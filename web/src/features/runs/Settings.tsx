// Settings that differ between two runs: those of the configurations, and those with which the graphs of one function were compiled
// differently, though the configurations do not show it.
import { count, middle, plural } from "../../lib/text";
import type { EffectChange, EffectSide, SettingChange } from "../../store/comparison";
import { Empty, Panel, Table } from "../../ui/page";
import { toRankCompile } from "../../ui/RanksParts";
import { SettingRow } from "../../ui/RanksConfig";

/** The values of a setting as one text. */
const values = (list: readonly unknown[]): string =>
  middle(list.map((value) => JSON.stringify(value)).join(", ") || "(no such setting)", 200);

interface SettingsProps {
  list: readonly SettingChange[] | null;
  effects: readonly EffectChange[] | null;
  rank: number | undefined;
}

export function Settings({ list, effects, rank }: SettingsProps) {
  return (
    <Panel
      title="Changed settings"
      note={
        [list?.length && plural(list.length, "setting"), rank !== undefined && `of rank ${rank}`]
          .filter(Boolean)
          .join(" ") || undefined
      }
    >
      {!list?.length &&
        (list ? (
          <Empty title="✓ Same logged configuration">
            {effects === null
              ? "It does not include options= and mode= of a torch.compile() call; cache keys do."
              : effects.length
                ? "It does not include options= and mode= of a torch.compile() call, but these differ."
                : "It does not include options= and mode= of a torch.compile() call; no difference of these is logged."}
          </Empty>
        ) : (
          <Empty title="A log has no configuration" />
        ))}
      {list && list.length > 0 && (
        <table class="config">
          <tbody>
            {list.map(({ kind, setting, values: [one, other] }) => (
              <SettingRow key={`${kind} ${setting}`} of={{ kind, setting }} cells>
                <td class="mono wrap">
                  {values(one)} → {values(other)}
                </td>
              </SettingRow>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

const LISTED = 6;

function Value({ value, dir }: { value: EffectSide; dir: string }) {
  const more = value.compiles.length - LISTED + (value.more_compiles ?? 0);
  return (
    <div class="who">
      <span class="mono">{middle(JSON.stringify(value.value), 200)}</span>
      {value.mode && <span class="muted">as mode="{value.mode}" sets it</span>}
      {value.compiles.slice(0, LISTED).map((id) => (
        <a key={id} class="mono" href={toRankCompile(dir, id)}>
          {id}
        </a>
      ))}
      {more > 0 && <span class="muted">and {count(more)} more</span>}
    </div>
  );
}

interface EffectsProps {
  list: readonly EffectChange[];
  more: number;
  dirs: readonly [string, string];
  rank: number | undefined;
}

export function Effects({ list, more, dirs, rank }: EffectsProps) {
  if (!list.length) return null;
  return (
    <Panel
      title="Changed settings in effect"
      note={`${plural(list.length + more, "setting")}${rank === undefined ? "" : ` of rank ${rank}`}`}
    >
      <Table class="config" head={["Setting", "Before", "After"]}>
        {list.map(({ kind, setting, values }) => (
          <SettingRow key={`${kind} ${setting}`} of={{ kind, setting }} cells>
            {values.map((side, i) => (
              <td key={i} class="wrap">
                {side.length
                  ? side.map((value) => (
                      <Value key={JSON.stringify(value.value)} value={value} dir={dirs[i as 0 | 1]} />
                    ))
                  : "not set"}
              </td>
            ))}
          </SettingRow>
        ))}
      </Table>
    </Panel>
  );
}

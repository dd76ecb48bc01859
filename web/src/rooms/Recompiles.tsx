import { useEffect, useMemo } from "preact/hooks";
import { matches, words } from "../base/filter";
import { count, firstLine, plural, time } from "../base/format";
import { useTitle } from "../base/hooks";
import { recompileCount } from "../data/counts";
import type { Recompile } from "../data/types";
import { CompileChip } from "../parts/Chip";
import { More } from "../parts/More";
import { Panel } from "../parts/Panel";
import { PlaceText } from "../parts/PlaceText";
import { FilterBox, RoomHead } from "../parts/RoomHead";
import { Empty } from "../parts/States";
import { useStore } from "../shell/context";
import type { RoomProps } from "../shell/rooms";
import { guardText, why } from "./why";

const STEP = 40;
const CHAIN_LIMIT = 24;

export function Recompiles({ at }: RoomProps) {
  const store = useStore();
  const { report } = store;
  useTitle("Recompiles");
  const { q, n: chosen } = at.query;
  const items = useMemo(() => report.recompiles.map((item, n) => ({
    item, n,
    text: [item.frame?.function, item.frame?.file, ...item.chain, ...item.causes.map((c) => `${c.guard} ${c.source ?? ""}`)].join(" ").toLowerCase(),
  })), [report]);
  useEffect(() => {
    if (chosen) document.getElementById(`chain-${chosen}`)?.scrollIntoView({ block: "start" });
  }, [chosen]);
  const shown = items.filter((entry) => matches(entry.text, words(q)));
  return (
    <>
      <RoomHead title="Recompiles" sub={`${plural(recompileCount(report), "recompile")} of ${plural(report.recompiles.length, "frame")}`}><FilterBox value={q} label="Filter frame, guard, id" /></RoomHead>
      <div class="room" data-scroll="room">
        {!shown.length && <Panel><Empty title={items.length ? "No frame fits the filter" : "✓ No recompiles"}>{!items.length && "Each frame was compiled once: no guard failed later."}</Empty></Panel>}
        {shown.length > 0 && <p class="muted lead">A recompile names the guard that failed in each earlier compile of its frame, so the counts of guards may add up to more than the recompiles.</p>}
        <More items={shown} step={STEP} at={shown.findIndex((entry) => String(entry.n) === chosen)}>{({ item, n }) => <Chain key={n} item={item} n={n} on={chosen === String(n)} />}</More>
      </div>
    </>
  );
}

function Chain({ item, n, on }: { item: Recompile; n: number; on: boolean }) {
  const store = useStore();
  const chain = item.chain.slice(0, CHAIN_LIMIT);
  return (
    <article id={`chain-${n}`} class={on ? "panel card on" : "panel card"}>
      <header>
        <h2 class="mono">{item.frame?.function ?? "unknown frame"}</h2>
        {item.limit_hit && <span class="chip error">✕ recompile limit</span>}
        <span class="note num">{plural(item.chain.length, "compile")}{item.time_us ? ` · ${time(item.time_us)}` : ""}</span>
      </header>
      <div class="where"><PlaceText place={item.frame && { ...item.frame, function: null }} full limit={90} /></div>
      <div class="pair">
        <div class="tablebox">
          <table>
            <thead><tr><th>Compile</th><th class="num">Time</th><th>Why</th></tr></thead>
            <tbody>
              {chain.map((id) => {
                const compile = store.compile(id);
                const others = (compile?.recompile_reasons.length ?? 0) - 1;
                return (
                  <tr key={id}>
                    <td><CompileChip id={id} /></td>
                    <td class="num">{time(compile?.time_us)}</td>
                    <td class="cut mono" title={compile?.recompile_reasons.join("\n") ?? ""}>{compile ? firstLine(why(compile), 160) : ""}{others > 0 && <span class="muted sans"> and {others} more</span>}</td>
                  </tr>
                );
              })}
              {item.chain.length > chain.length && <tr><td colSpan={3} class="muted">{count(item.chain.length - chain.length)} more</td></tr>}
            </tbody>
          </table>
        </div>
        <div class="tablebox">
          <table>
            <thead><tr><th class="num">Count</th><th>Guard that failed</th></tr></thead>
            <tbody>
              {item.causes.slice(0, CHAIN_LIMIT).map((cause, k) => (
                <tr key={k}><td class="num">{count(cause.count)}</td><td class="cut mono" title={[cause.example ?? cause.guard, cause.code, cause.place && `${cause.place.file}:${cause.place.line}`].filter(Boolean).join("\n")}>{guardText(cause.guard)}{cause.source && !cause.guard.includes(cause.source) && <span class="muted"> {cause.source}</span>}</td></tr>
              ))}
              {!item.causes.length && <tr><td colSpan={2} class="muted">The log gives no reasons.</td></tr>}
            </tbody>
          </table>
        </div>
      </div>
    </article>
  );
}

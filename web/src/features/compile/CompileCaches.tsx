// Results of the compile caches for one compile, and why they missed: in this log, and compared with other runs and ranks.
import { address, toReport } from "../../lib/address";
import { middle, plural, time } from "../../lib/text";
import { useLoaded } from "../../lib/hooks";
import { cacheName, missesOf } from "../../store/cache-misses";
import type { CacheResult, Compile } from "../../store/report";
import { CompileChip } from "../../ui/compile";
import { Panel, useStore } from "../../ui/page";
import { Prose } from "../../ui/text";

const CHIP = {
  hit: ["ok", "✓", "hit"],
  miss: ["restart", "✗", "miss"],
  bypass: ["empty", "○", "bypass"],
  pickle_failure: ["restart", "✗", "not saved"],
  exception: ["restart", "✗", "failed"],
} as const;
const SHOWN = 4;

export function CompileCaches({ compile }: { compile: Compile }) {
  return (
    <Panel title="Caches">
      <table>
        <tbody>
          {compile.cache.map((item, i) => {
            const [cls, sign, word] = CHIP[item.result] ?? ["empty", "○", item.result];
            return (
              <tr key={i}>
                <td>{cacheName(item.cache)}</td>
                <td>
                  <span class={`chip ${cls}`}>
                    {sign} {word}
                  </span>
                </td>
                <td class="wrap">
                  {item.discarded_attempt !== undefined && (
                    <span class="muted">attempt {item.discarded_attempt}, which was discarded. </span>
                  )}
                  {item.reason}
                  {item.result === "miss" && <Miss of={item} />}
                  {item.result === "hit" && item.time_us !== undefined && (
                    <span class="muted">saved {time(item.time_us)}</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <Elsewhere compile={compile} />
    </Panel>
  );
}

function Miss({ of }: { of: CacheResult }) {
  return (
    <>
      {of.time_us !== undefined && <div class="muted">compiled in {time(of.time_us)}</div>}
      {of.detail === "guard_miss" ? (
        <div>
          an entry has this key, but its guards failed
          {of.guards && (
            <>
              : <code>{middle(of.guards, 200)}</code>
            </>
          )}
        </div>
      ) : of.nearest ? (
        <NearestKey of={of.nearest} />
      ) : (
        <div class="muted">
          {of.key_components ? "no earlier key of this graph in the log" : "key components not in the log"}
        </div>
      )}
    </>
  );
}

/** What of the key differs from the nearest one that was there before. */
function NearestKey({ of }: { of: NonNullable<CacheResult["nearest"]> }) {
  const others = of.components.filter((item) => item.name !== "gm");
  const count = of.differences - (of.components.length - others.length);
  return (
    <>
      {of.same_graph ? (
        <>
          <span class="muted">nearest earlier key: </span>
          <CompileChip id={of.compile} />{" "}
          <span class="muted">
            differs in {plural(count, "component")}
            {count > 0 && ":"}
          </span>
        </>
      ) : (
        <>
          <span class="muted">no earlier key of this graph; key of another graph of this function in </span>
          <CompileChip id={of.compile} />
          {count === 0 && <span class="muted">, which differs in nothing else</span>}
          {count > 0 && (
            <span class="muted">
              , and {plural(count, "other component")} differ{count === 1 && "s"}:
            </span>
          )}
        </>
      )}
      <ul class="plainlist">
        {others.slice(0, SHOWN).map((item) => (
          <li key={item.name}>
            <code>{item.name}</code>
            {item.had !== null && item.has !== null && (
              <>
                {" "}
                <span class="muted mono">{middle(item.had, 120)}</span> →{" "}
                <span class="mono">{middle(item.has, 120)}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the logs of other runs or ranks say of this compile's misses. */
function Elsewhere({ compile }: { compile: Compile }) {
  const store = useStore();
  const loaded = useLoaded(() => store.rankPlace(), [store]);
  const misses = loaded.state === "ready" ? missesOf(store.report, loaded.value, compile.key) : [];
  if (!misses.length) return null;
  const top = loaded.state === "ready" && loaded.value ? "../" : "";
  return (
    <div class="pad">
      <h3>Compared with other {misses.some((miss) => miss.runs) ? "runs" : "ranks"}</h3>
      <ul class="plainlist">
        {misses.map((miss, i) => (
          <li key={i}>
            <b>{cacheName(miss.cache)}</b>: <Prose text={miss.why} />{" "}
            {miss.nearest && (
              <a
                class="mono"
                href={toReport(
                  `${top}${miss.nearest.dir ? `${miss.nearest.dir}/` : ""}`,
                  address(["c", miss.nearest.compile]),
                )}
              >
                [{miss.nearest.compile}] there
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

import { address } from "../base/address";
import { plural, time } from "../base/format";
import type { Finding } from "../data/types";
import { useStore } from "../shell/context";
import { StackList } from "./StackList";
import { CompileChips } from "./Chip";
import { PlaceText } from "./PlaceText";
import { Prose } from "./Prose";

const SIGN = { error: "✕", warning: "↻", info: "i" } as const;
/** What it costs, in the order of findings.c. */
const IMPACT = { stops: "fails", every_step: "slows every step", compile_time: "costs compile time", information: "worth knowing" } as const;
const WORD = { error: "error", warning: "warning", info: "note" } as const;

/** One thing to look at: what, why, where, what to do about it, and what it costs. */
export function FindingItem({ finding }: { finding: Finding }) {
  const store = useStore();
  const { report } = store;
  const within = finding.compiles.filter((id) => store.compile(id)?.is_compile);
  const place = /^#\/breaks\?n=(\d+)$/.exec(finding.link ?? "");
  const stack = finding.kind === "graph_break" && place ? (report.graph_breaks[Number(place[1])]?.stack ?? []) : [];
  const link = finding.link?.startsWith("#/") ? finding.link : null;
  return (
    <article class="finding">
      <span class={`sign s-${finding.severity}`} role="img" aria-label={WORD[finding.severity]}>{SIGN[finding.severity] ?? "i"}</span>
      <div>
        <h3>{link ? <a href={link}><Prose text={finding.title} /></a> : <Prose text={finding.title} />}</h3>
        {finding.why && <p class="why"><Prose text={finding.why} /></p>}
        {(finding.place || finding.compiles.length > 0) && (
          <div class="where"><PlaceText place={finding.place} /> <CompileChips ids={finding.compiles} more={link ?? address(["compiles"])} /></div>
        )}
        {stack.length > 1 && <details class="userstack"><summary>user stack, {plural(stack.length, "frame")}</summary><StackList frames={stack} /></details>}
        {finding.advice && <p class="advice"><Prose text={finding.advice} /></p>}
      </div>
      <div class="cost">
        {finding.impact && <span class="impact">{IMPACT[finding.impact]}</span>}
        {finding.time_us ? <b>{time(finding.time_us)}</b> : null}
        {within.length > 0 && plural(within.length, "compile")}
      </div>
    </article>
  );
}

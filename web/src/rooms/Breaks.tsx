import { useEffect, useMemo } from "preact/hooks";
import { matches, words } from "../base/filter";
import { count, firstLine, plural, time } from "../base/format";
import { useTitle } from "../base/hooks";
import { outside } from "../base/urls";
import { noBreaks } from "../data/counts";
import type { GraphBreak } from "../data/types";
import { CompileChips } from "../parts/Chip";
import { LongText } from "../parts/LongText";
import { More } from "../parts/More";
import { Prose } from "../parts/Prose";
import { PlaceText } from "../parts/PlaceText";
import { FilterBox, RoomHead } from "../parts/RoomHead";
import { SourceLine } from "../parts/SourceLine";
import { StackList } from "../parts/StackList";
import { Empty } from "../parts/States";
import { Panel } from "../parts/Panel";
import { useStore } from "../shell/context";
import type { RoomProps } from "../shell/rooms";

const STEP = 50;

export function Breaks({ at }: RoomProps) {
  const { report } = useStore();
  useTitle("Graph breaks");
  const { q, n: chosen } = at.query;
  const items = useMemo(() => report.graph_breaks.map((item, n) => ({ item, n, text: searchText(item) })), [report]);
  const shown = items.filter((entry) => matches(entry.text, words(q)));
  const total = report.graph_breaks.reduce((sum, item) => sum + item.count, 0);
  useEffect(() => {
    if (chosen) document.getElementById(`break-${chosen}`)?.scrollIntoView({ block: "start" });
  }, [chosen]);
  return (
    <>
      <RoomHead title="Graph breaks" sub={`${count(report.graph_breaks.length)} distinct, ${plural(total, "time")} in all`}><FilterBox value={q} label="Filter reason, place, code" /></RoomHead>
      <div class="room" data-scroll="room">
        {!shown.length && <Panel><Empty title={items.length ? "No graph break fits the filter" : noBreaks(report)[0]}>{!items.length && noBreaks(report)[1]}</Empty></Panel>}
        <More items={shown} step={STEP} at={shown.findIndex((entry) => String(entry.n) === chosen)}>{({ item, n }) => <Break key={n} item={item} n={n} on={chosen === String(n)} />}</More>
      </div>
    </>
  );
}

function Break({ item, n, on }: { item: GraphBreak; n: number; on: boolean }) {
  const url = outside(item.url);
  const line = item.stack[item.stack.length - 1];
  return (
    <article id={`break-${n}`} class={on ? "panel card on" : "panel card"}>
      <header>
        <h2><Prose text={firstLine(item.reason, 400)} />{item.id && <> <span class="muted mono">{item.id}</span></>}</h2>
        <span class="note num">{plural(item.count, "time")}{item.time_us ? ` · compile time of ${item.compiles.length === 1 ? "its compile" : `its ${count(item.compiles.length)} compiles`}: ${time(item.time_us)}` : ""}</span>
      </header>
      {line?.code && <SourceLine line={line.line} code={line.code} severity="warning" />}
      <div class="where"><PlaceText place={item.place} full limit={80} />{item.library && <span class="muted"> in a library, not in your code</span>} <CompileChips ids={item.compiles} limit={12} /></div>
      {item.then && <p>Then: <Prose text={item.then} />{item.then_id && <> <span class="muted mono">{item.then_id}</span></>}</p>}
      {item.skipped && <p>Dynamo skipped {item.compiles.length === 1 ? "the frame, which runs" : "at least one of these frames, which then runs"} eagerly.</p>}
      {item.reason.includes("\n") && <LongText text={item.reason} />}
      {item.explanation && <p><Prose text={item.explanation} /></p>}
      {item.hints.length > 0 && <ul class="hints">{item.hints.map((hint, k) => <li key={k}><Prose text={hint} /></li>)}</ul>}
      {url && <p><a href={url} rel="noreferrer noopener" target="_blank">{item.id ?? "About this graph break"} in PyTorch's documentation</a></p>}
      {item.stack.length > 0 && <details open={item.stack.length <= 4}><summary>User stack</summary><StackList frames={item.stack} /></details>}
    </article>
  );
}

function searchText(item: GraphBreak): string {
  return [item.id, item.reason, item.explanation, item.place?.file, item.place?.line, item.place?.function, ...item.compiles, ...item.stack.map((f) => `${f.function} ${f.file} ${f.code ?? ""}`)].join(" ").toLowerCase();
}

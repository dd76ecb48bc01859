import { useEffect, useMemo } from "preact/hooks";
import { matches, words } from "../../lib/filter";
import { count, firstLine, plural, time } from "../../lib/format";
import { useTitle } from "../../lib/hooks";
import { outside } from "../../lib/urls";
import { noBreaks } from "../../store/counts";
import type { GraphBreak } from "../../store/types";
import { CompileChips } from "../../ui/Chip";
import { LongText } from "../../ui/LongText";
import { More } from "../../ui/More";
import { Prose } from "../../ui/Prose";
import { PlaceText } from "../../ui/PlaceText";
import { FilterBox, PageHead } from "../../ui/PageHead";
import { SourceLine } from "../../ui/SourceLine";
import { StackList } from "../../ui/StackList";
import { Empty } from "../../ui/States";
import { Panel } from "../../ui/Panel";
import { useStore } from "../../ui/context";
import type { PageProps } from "../../ui/page";

const STEP = 50;

export function Breaks({ at }: PageProps) {
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
      <PageHead
        title="Graph breaks"
        sub={`${count(report.graph_breaks.length)} distinct, ${plural(total, "time")} in all`}
      >
        <FilterBox value={q} label="Filter reason, place, code" />
      </PageHead>
      <div class="room" data-scroll="room">
        {!shown.length && (
          <Panel>
            <Empty title={items.length ? "No graph break fits the filter" : noBreaks(report)[0]}>
              {!items.length && noBreaks(report)[1]}
            </Empty>
          </Panel>
        )}
        <More items={shown} step={STEP} at={shown.findIndex((entry) => String(entry.n) === chosen)}>
          {({ item, n }) => <Break key={n} item={item} n={n} on={chosen === String(n)} />}
        </More>
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
        <h2>
          <Prose text={firstLine(item.reason, 400)} />
          {item.id && (
            <>
              {" "}
              <span class="muted mono">{item.id}</span>
            </>
          )}
        </h2>
        <span class="note num">
          {plural(item.count, "time")}
          {item.time_us
            ? ` · compile time of ${item.compiles.length === 1 ? "its compile" : `its ${count(item.compiles.length)} compiles`}: ${time(item.time_us)}`
            : ""}
        </span>
      </header>
      {line?.code && <SourceLine line={line.line} code={line.code} severity="warning" />}
      <div class="where">
        <PlaceText place={item.place} full limit={80} />
        {item.library && <span class="muted"> in a library, not in your code</span>}{" "}
        <CompileChips ids={item.compiles} limit={12} />
      </div>
      {item.then && (
        <p>
          Then: <Prose text={item.then} />
          {item.then_id && (
            <>
              {" "}
              <span class="muted mono">{item.then_id}</span>
            </>
          )}
        </p>
      )}
      {item.skipped && (
        <p>
          Dynamo skipped{" "}
          {item.compiles.length === 1 ? "the frame, which runs" : "at least one of these frames, which then runs"}{" "}
          eagerly.
        </p>
      )}
      {item.reason.includes("\n") && <LongText text={item.reason} />}
      {item.explanation && (
        <p>
          <Prose text={item.explanation} />
        </p>
      )}
      {item.hints.length > 0 && (
        <ul class="hints">
          {item.hints.map((hint, k) => (
            <li key={k}>
              <Prose text={hint} />
            </li>
          ))}
        </ul>
      )}
      {url && (
        <p>
          <a href={url} rel="noreferrer noopener" target="_blank">
            {item.id ?? "About this graph break"} in PyTorch's documentation
          </a>
        </p>
      )}
      {item.stack.length > 0 && (
        <details open={item.stack.length <= 4}>
          <summary>User stack</summary>
          <StackList frames={item.stack} />
        </details>
      )}
    </article>
  );
}

function searchText(item: GraphBreak): string {
  return [
    item.id,
    item.reason,
    item.explanation,
    item.place?.file,
    item.place?.line,
    item.place?.function,
    ...item.compiles,
    ...item.stack.map((f) => `${f.function} ${f.file} ${f.code ?? ""}`),
  ]
    .join(" ")
    .toLowerCase();
}

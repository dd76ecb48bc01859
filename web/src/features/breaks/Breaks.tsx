import { useEffect, useMemo } from "preact/hooks";
import { firstLine, matches, plural, time, words } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { type GraphBreak, noBreaks } from "../../store/report";
import { findingOf } from "../../store/findings";
import { CompileChips } from "../../ui/compile";
import { Hints, LongText, Message, PlaceText, Prose, SourceLine, StackList } from "../../ui/text";
import { More, type PageProps, useStore, EmptyPanel } from "../../ui/page";
import { FilterBox, PageHead } from "../../ui/PageHead";

const STEP = 50;

export function Breaks({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Graph breaks");
  const { q, n: chosen } = at.query;
  const items = useMemo(() => report.graph_breaks.map((item, n) => ({ item, n, text: searchText(item) })), [report]);
  const shown = items.filter((entry) => matches(entry.text, words(q)));
  const counted = report.graph_breaks.filter((item) => !item.exception);
  const total = counted.reduce((sum, item) => sum + item.count, 0);
  useEffect(() => {
    if (chosen) document.getElementById(`break-${chosen}`)?.scrollIntoView({ block: "start" });
  }, [chosen]);
  return (
    <>
      <PageHead
        title="Graph breaks"
        sub={total ? `${plural(counted.length, "cause")}, ${plural(total, "break")}` : "0 breaks"}
      >
        <FilterBox value={q} label="Filter reason, place, code" />
      </PageHead>
      <div class="room" data-scroll="room">
        {!shown.length && (
          <EmptyPanel title={items.length ? "No matching graph breaks" : noBreaks(report)[0]}>
            {!items.length && noBreaks(report)[1]}
          </EmptyPanel>
        )}
        <More items={shown} step={STEP} at={shown.findIndex((entry) => String(entry.n) === chosen)}>
          {({ item, n }) => <Break key={n} item={item} n={n} on={chosen === String(n)} />}
        </More>
      </div>
    </>
  );
}

function Break({ item, n, on }: { item: GraphBreak; n: number; on: boolean }) {
  const { report } = useStore();
  const finding = findingOf(report, `#/breaks?n=${n}`);
  const line = item.stack.at(-1);
  const code = line && line.line === item.place?.line && line.file === item.place.file ? line.code : null;
  return (
    <article id={`break-${n}`} class={on ? "panel card on" : "panel card"}>
      <SourceLine place={item.place} code={code} severity="warning" always />
      <header>
        <h2>
          <Prose text={firstLine(item.reason, 400)} /> {item.id && <span class="muted mono">{item.id}</span>}
        </h2>
        <span class="note num">
          {plural(item.compiles.length, "compile")}
          {item.count !== item.compiles.length && `, ${plural(item.count, "break")}`}
          {item.time_us ? ` · ${time(item.time_us)} compile time` : ""}
        </span>
      </header>
      <div class="where flexrow">
        <PlaceText place={item.place} full limit={80} />
        {item.library && <span class="muted">library code</span>} <CompileChips ids={item.compiles} limit={12} />
      </div>
      {item.exception && (
        <p>Your code or a library raised this while Dynamo traced it. It is not counted as a graph break.</p>
      )}
      {item.then && (
        <p>
          Followed by: <Prose text={item.then} /> {item.then_id && <span class="muted mono">{item.then_id}</span>}
        </p>
      )}
      {item.skipped && (
        <p>
          Dynamo skips {item.compiles.length === 1 ? "the frame" : "at least one of these frames"} and runs it eagerly.
        </p>
      )}
      {item.reason.includes("\n") && <LongText text={item.reason} />}
      {item.explanation && <Message text={item.explanation} />}
      <Hints finding={finding} hints={item.hints} id={item.id} url={item.url} />
      {item.stack.length > 0 && (
        <details>
          <summary>User stack, {plural(item.stack.length, "frame")}</summary>
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
    item.place && `${item.place.file}:${item.place.line}`,
    item.place?.function,
    ...item.compiles,
    ...item.stack.map((f) => `${f.function} ${f.file} ${f.code ?? ""}`),
  ]
    .join(" ")
    .toLowerCase();
}

// The provenance page: the texts are in the page; this puts them side by side and shows which lines belong together, on hover, and held on a click.
import { render } from "preact";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../lib/hooks";
import { plural } from "../lib/text";
import { isFramed } from "../lib/packed";
import { Columns } from "./provenance-columns";
import { parseProvenance, type GraphSet, type Provenance } from "./provenance-data";
import { lineAt, Marks, PaneView, type At } from "./provenance-panes";
import { isAlone, Relations, type Related } from "./provenance-relations";
import { Side, type Held } from "./provenance-side";
import { sourcesOf } from "../lib/graph/line-sources";
import { guessNodes, handlesIn } from "./provenance-source";
import styles from "./provenance-live.css?inline";

export function startProvenance(): void {
  const main = document.querySelector("main");
  const data = parseProvenance(document.getElementById("provenance")?.textContent ?? "");
  const elements = data.panes.map((_, i) => document.getElementById(`p${i}`));
  if (!main || !data.sets.length || elements.some((element) => !element)) return;
  const views = data.panes.map((pane, i) => new PaneView(i, elements[i]!, pane.lang));
  const frame = document.createElement("div");
  frame.className = "prov";
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
  document.body.classList.add("live"); // the style sheet hides the plain sets, which keep the stack traces
  main.append(frame);
  render(<Page data={data} views={views} />, frame);
}

function relate(views: readonly PaneView[], set: GraphSet): Relations {
  const sources = new Map(
    [set.pre, set.post].flatMap((pane) =>
      pane !== null && views[pane] ? [[pane, sourcesOf(views[pane].texts)] as const] : [],
    ),
  );
  const handles = new Map(
    set.code.flatMap((pane) => (views[pane] ? [[pane, handlesIn(views[pane].texts)] as const] : [])),
  );
  const of = (pane: number | null) => (pane !== null && sources.get(pane)) || [];
  const traces = (id: string | null) => (id && document.getElementById(id)?.textContent) || "";
  return new Relations(
    {
      ...set,
      kernels: set.kernels.map((kernel) => guessNodes(kernel, of(set.pre), of(set.post), traces(kernel.traces))),
    },
    sources,
    handles,
  );
}

/** "#p2L334": the line that the address holds. */
function held(data: Provenance): At | null {
  const found = /^#p(\d+)L(\d+)$/.exec(location.hash);
  return found && data.panes[Number(found[1])] ? { pane: Number(found[1]), line: Number(found[2]) } : null;
}

const panesOf = (set: GraphSet): (number | null)[] => [set.pre, set.post, ...set.code];

function Page({ data, views }: { data: Provenance; views: readonly PaneView[] }) {
  const start = useMemo(() => held(data), [data]);
  const [n, setN] = useState(() =>
    Math.max(
      0,
      data.sets.findIndex((set) => start && panesOf(set).includes(start.pane)),
    ),
  );
  const relations = useMemo(() => relate(views, data.sets[n]!), [n]);
  const set = relations.set;
  const [tab, setTab] = useState<number | undefined>(start && set.code.includes(start.pane) ? start.pane : set.code[0]);
  const [hold, setHold] = useState<Held | null>(start && { at: start });
  const [side, setSide] = useState(true);
  const [status, setStatus] = useState("");
  const marks = useMemo(() => ({ hover: new Marks(views, "hover"), held: new Marks(views, "held") }), [views]);
  const related = useMemo(
    () => hold && ("kernel" in hold ? relations.ofKernel(hold.kernel) : relations.ofLine(hold.at.pane, hold.at.line)),
    [hold, relations],
  );
  const work = useRef<HTMLDivElement>(null);

  const choose = (next: number) => {
    if (!data.sets[next]) return;
    setHold(null);
    setN(next);
    setTab(data.sets[next].code[0]);
  };
  const show = useCallback(
    (at: At) => {
      if (set.code.includes(at.pane)) setTab(at.pane);
      requestAnimationFrame(() => {
        views[at.pane]?.reveal([at.line], true);
        flash(views[at.pane]?.line(at.line));
      });
    },
    [set, views],
  );

  useLayoutEffect(() => {
    marks.held.clear();
    const own = hold && "at" in hold ? hold.at : null;
    keepInAddress(own);
    if (!related) return;
    marks.held.show(related, own);
    const code = bestCode(set, related, tab);
    if (code !== tab && !(own && own.pane === tab)) setTab(code);
    requestAnimationFrame(() => {
      for (const [pane, lines] of related.lines)
        if (pane !== own?.pane) views[pane]?.reveal([...lines].sort((a, b) => a - b));
      for (const body of related.bodies)
        if (body.pane !== own?.pane && !related.lines.has(body.pane)) views[body.pane]?.reveal([body.from]);
      if (own) views[own.pane]?.reveal([own.line]);
    });
  }, [hold, related, set]);

  // Each pane opens at its first line that has something in another one, unless the address says where.
  const opened = useRef(new Set<number>());
  useLayoutEffect(() => {
    const panes = panesOf(set).filter((pane): pane is number => pane !== null);
    for (const pane of panes) views[pane]?.mark(relations.linesWith(pane));
    const frame = requestAnimationFrame(() => {
      for (const pane of panes) {
        const shown = !set.code.includes(pane) || pane === tab;
        if (!shown || opened.current.has(pane)) continue;
        opened.current.add(pane);
        if (!hold) views[pane]?.reveal(relations.linesWith(pane).slice(0, 1));
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [relations, tab]);

  usePointer(work, relations, marks.hover, setStatus, setHold);
  useKeys({
    Escape: () => setHold(null),
    "[": () => choose(n - 1),
    "]": () => choose(n + 1),
    1: () => set.pre !== null && views[set.pre]?.scroller.focus(),
    2: () => set.post !== null && views[set.post]?.scroller.focus(),
    3: () => tab !== undefined && views[tab]?.scroller.focus(),
    k: () => setSide((now) => !now),
  });

  return (
    <>
      <div class="bar">
        {data.sets.length > 1 && (
          <div class="picker" role="group" aria-label="graph">
            {data.sets.map((item, i) => (
              <button key={i} type="button" aria-pressed={i === n} onClick={() => choose(i)}>
                {item.title}
              </button>
            ))}
          </div>
        )}
        {data.sets.length === 1 && <b>{set.title}</b>}
        <span class="status" role="status">
          {status ||
            (set.mapped
              ? "Hover a bold line for its counterparts; click it or press Enter to pin them."
              : "No node mapping of this graph in the log.")}
        </span>
        <button type="button" aria-pressed={side} onClick={() => setSide(!side)}>
          Kernels
        </button>
      </div>
      <div class={`work ${side ? "with-side" : ""}`} ref={work}>
        <Columns
          panes={data.panes}
          views={views}
          pre={set.pre}
          post={set.post}
          code={set.code}
          tab={tab}
          setTab={setTab}
        />
        {side && (
          <Side
            key={n}
            set={set}
            panes={data.panes}
            held={hold}
            related={related}
            text={(at) => views[at.pane]?.texts[at.line - 1] ?? ""}
            hold={setHold}
            show={show}
          />
        )}
      </div>
    </>
  );
}

function keepInAddress(own: At | null): void {
  if (isFramed()) return; // the address is that of the report's page
  history.replaceState(history.state, "", own ? `#p${own.pane}L${own.line}` : location.pathname + location.search);
}

/** The tab to show: the one that is open where it has any of it, else the first that has. */
function bestCode(set: GraphSet, related: Related, tab: number | undefined): number | undefined {
  const has = (pane: number) => related.lines.has(pane) || related.bodies.some((body) => body.pane === pane);
  return tab !== undefined && has(tab) ? tab : (set.code.find(has) ?? tab);
}

function flash(line: HTMLElement | undefined): void {
  line?.classList.add("flash");
  setTimeout(() => line?.classList.remove("flash"), 900);
}

function say(related: Related, set: GraphSet): string {
  if (isAlone(related)) return "No known counterparts.";
  const lines = (pane: number | null) => (pane === null ? 0 : (related.lines.get(pane)?.size ?? 0));
  const names = related.kernels
    .slice(0, 2)
    .map((k) => set.kernels[k]?.name)
    .join(", ");
  const kernels = related.kernels.length
    ? ` · ${plural(related.kernels.length, "kernel")}: ${names}${related.kernels.length > 2 ? ", …" : ""}`
    : "";
  return `${plural(lines(set.pre), "pre-grad line")} · ${plural(lines(set.post), "post-grad line")}${kernels}`;
}

/** Mouse and keyboard over the lines. With the keyboard a pane has a line of its own, which arrows move. */
function usePointer(
  work: { current: HTMLElement | null },
  relations: Relations,
  marks: Marks,
  setStatus: (text: string) => void,
  setHold: (held: Held | null | ((now: Held | null) => Held | null)) => void,
): void {
  useLayoutEffect(() => {
    const frame = work.current!;
    let over: At | null = null;
    let keyed = ""; // where the mouse rests since a key moved the line: text that scrolls under it is not pointed at
    let mouse = "";
    const point = (at: At | null) => {
      if (at?.pane === over?.pane && at?.line === over?.line) return;
      over = at;
      marks.clear();
      const related = at && relations.ofLine(at.pane, at.line);
      if (related) marks.show(related, at);
      setStatus(related ? say(related, relations.set) : "");
    };
    const toggle = (at: At) =>
      setHold((now) => (now && "at" in now && now.at.pane === at.pane && now.at.line === at.line ? null : { at }));
    const onMouse = (event: MouseEvent) => {
      mouse = `${event.clientX} ${event.clientY}`;
      if (mouse !== keyed) keyed = "";
    };
    const onOver = (event: MouseEvent) => {
      onMouse(event);
      if (!keyed) point(lineAt(event.target));
    };
    const onWheel = () => (keyed = "");
    const onLeave = () => point(null);
    const onClick = (event: Event) => {
      const at = lineAt(event.target);
      if (at && !getSelection()?.toString()) toggle(at);
    };
    const onKey = (event: KeyboardEvent) => {
      const view = marks.panes.find((pane) => pane.scroller === event.target);
      if (!view || event.ctrlKey || event.metaKey || event.altKey) return;
      const now = over?.pane === view.index ? over.line : 0;
      const to = step(event.key, now, view, relations);
      if (to !== null) {
        const line = Math.max(1, Math.min(view.count, to));
        keyed = mouse;
        point({ pane: view.index, line });
        view.reveal([line]);
      } else if ((event.key === "Enter" || event.key === " ") && now) toggle({ pane: view.index, line: now });
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    frame.addEventListener("mousemove", onMouse);
    frame.addEventListener("wheel", onWheel, { passive: true });
    frame.addEventListener("mouseover", onOver);
    frame.addEventListener("mouseleave", onLeave);
    frame.addEventListener("click", onClick);
    frame.addEventListener("keydown", onKey);
    return () => {
      point(null);
      frame.removeEventListener("mousemove", onMouse);
      frame.removeEventListener("wheel", onWheel);
      frame.removeEventListener("mouseover", onOver);
      frame.removeEventListener("mouseleave", onLeave);
      frame.removeEventListener("click", onClick);
      frame.removeEventListener("keydown", onKey);
    };
  }, [relations]);
}

/** Where a key leads: arrows by line, n and p to the next and previous line that has something in another pane. */
function step(key: string, now: number, view: PaneView, relations: Relations): number | null {
  const lines = key === "n" || key === "p" ? relations.linesWith(view.index) : [];
  if (key === "n") return lines.find((line) => line > now) ?? now;
  if (key === "p") return lines.findLast((line) => line < now) ?? now;
  const steps: Record<string, number> = {
    ArrowDown: now + 1,
    ArrowUp: now - 1,
    PageDown: now + 20,
    PageUp: now - 20,
    Home: 1,
    End: view.count,
  };
  return steps[key] ?? null;
}

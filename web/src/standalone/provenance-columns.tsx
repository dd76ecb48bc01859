// Three columns of panes with handles between them; the third has a tab for each code.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Pane } from "./provenance-data";
import type { PaneView } from "./provenance-panes";

interface Props {
  panes: readonly Pane[];
  views: readonly PaneView[];
  pre: number | null;
  post: number | null;
  code: readonly number[];
  tab: number | undefined;
  setTab: (pane: number) => void;
}

const LEAST = 0.12;

export function Columns({ panes, views, pre, post, code, tab, setTab }: Props) {
  const [shares, setShares] = useState([1 / 3, 1 / 3, 1 / 3]);
  const frame = useRef<HTMLDivElement>(null);
  /** Moves the handle behind column `i` by a share of the width. */
  const move = (i: number, by: number) => setShares((now) => shifted(now, i, by));
  const handle = (i: number) => (
    <Handle
      width={() => frame.current?.clientWidth ?? 1}
      at={shares.slice(0, i + 1).reduce((a, b) => a + b, 0)}
      move={(by) => move(i, by)}
    />
  );
  return (
    <div
      class="columns"
      ref={frame}
      style={{ gridTemplateColumns: shares.map((share) => `minmax(0, ${share}fr)`).join(" 7px ") }}
    >
      <Column view={pre === null ? undefined : views[pre]} missing="No pre-grad graph in the log" />
      {handle(0)}
      <Column view={post === null ? undefined : views[post]} missing="No post-grad graph in the log" />
      {handle(1)}
      <div class="col">
        {code.length > 1 && (
          <div class="tabs" role="tablist" aria-label="code">
            {code.map((pane) => (
              <button key={pane} type="button" role="tab" aria-selected={pane === tab} onClick={() => setTab(pane)}>
                {panes[pane]?.title}
              </button>
            ))}
          </div>
        )}
        <Column view={tab === undefined ? undefined : views[tab]} missing="No output code in the log" />
      </div>
    </div>
  );
}

export function shifted(shares: readonly number[], i: number, by: number): number[] {
  const next = [...shares];
  const room = Math.max(LEAST - next[i]!, Math.min(next[i + 1]! - LEAST, by));
  next[i] = next[i]! + room;
  next[i + 1] = next[i + 1]! - room;
  return next;
}

/** Shows the pane's own element of the page, moved here. */
function Column({ view, missing }: { view: PaneView | undefined; missing: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!view) return;
    const { scrollTop, scrollLeft } = view.scroller; // moving an element loses them
    place.current?.replaceChildren(view.element);
    view.scroller.scrollTop = scrollTop;
    view.scroller.scrollLeft = scrollLeft;
    view.color();
  }, [view]);
  return view ? (
    <div key={view.index} class="place" ref={place} />
  ) : (
    <div class="place">
      <p class="note">{missing}</p>
    </div>
  );
}

function Handle({ width, at, move }: { width: () => number; at: number; move: (by: number) => void }) {
  const last = useRef(0);
  return (
    <div
      class="handle"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panes"
      tabIndex={0}
      aria-valuenow={Math.round(at * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      onPointerDown={(event) => {
        last.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        move((event.clientX - last.current) / width());
        last.current = event.clientX;
      }}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -0.03 : event.key === "ArrowRight" ? 0.03 : 0;
        if (by) move(by);
      }}
    />
  );
}

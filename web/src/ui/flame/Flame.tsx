// A canvas of bars to zoom and pan as in Perfetto: Ctrl+wheel, a drag, two fingers, or keys. The plain wheel scrolls.
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { useColorsChanged } from "../../lib/hooks";
import { barAt, type Bars } from "../../lib/flame/bars";
import { AXIS_HEIGHT, paint, ROW_HEIGHT } from "../../lib/flame/paint";
import { pan, zoom, type View } from "../../lib/flame/scale";

interface Props {
  label: string;
  bars: Bars;
  whole: View;
  view: View;
  onView: (view: View) => void;
  selected: number;
  onSelect: (item: number) => void;
  /** a second click */
  onOpen?: (item: number) => void;
  found: Uint8Array | null;
  range?: View | null;
  /** a drag with Shift chooses a range; without it there are none */
  onRange?: (range: View | null) => void;
  axis?: boolean;
  /** a click on the heading of a track */
  onTrack?: (track: number) => void;
  /** what a bar is, for the tip at the pointer */
  tip: (item: number) => string;
  class?: string;
}

interface Drag {
  x: number;
  y: number;
  view: View;
  top: number;
  range: boolean;
  moved: boolean;
}

/** The canvas has as much width as its box; the box scrolls when there are more rows than it has room for. */
export function Flame({
  label,
  bars,
  whole,
  view,
  onView,
  selected,
  onSelect,
  onOpen,
  found,
  range = null,
  onRange,
  axis = false,
  onTrack,
  tip,
  class: name,
}: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [hover, setHover] = useState<{ item: number; x: number; y: number } | null>(null);
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const drag = useRef<Drag | null>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const now = useRef({ view, whole, onView });
  now.current = { view, whole, onView };
  const head = axis ? AXIS_HEIGHT : 0;
  const tall = bars.rows.length * ROW_HEIGHT + head;

  const draw = () => {
    if (canvas.current && box.current && size.width) {
      paint(canvas.current, {
        bars,
        view,
        top: box.current.scrollTop,
        ...size,
        axis,
        selected,
        hovered: hover?.item ?? -1,
        found,
        range,
      });
    }
  };
  useLayoutEffect(draw);
  useColorsChanged(() => redraw(0));
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const sizes = new ResizeObserver(measure);
    measure();
    sizes.observe(element);
    // A listener of preact's own would be passive, and the page would scroll.
    const wheel = (event: WheelEvent) => {
      const { view, whole, onView } = now.current;
      const per = (view.to - view.from) / Math.max(1, element.clientWidth);
      const unit = event.deltaMode === 1 ? 16 : 1;
      const along = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      const zooms = event.ctrlKey || event.metaKey;
      if (!zooms && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return; // the box scrolls
      event.preventDefault();
      if (!zooms) onView(pan(view, along * unit * per, whole));
      else
        onView(
          zoom(
            view,
            // Fingers on a touchpad come as a wheel of few points, with Ctrl.
            Math.exp(Math.max(-120, Math.min(120, event.deltaY * unit)) * (Math.abs(event.deltaY) < 40 ? 0.01 : 0.004)),
            view.from + (event.clientX - element.getBoundingClientRect().left) * per,
            whole,
          ),
        );
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      sizes.disconnect();
      element.removeEventListener("wheel", wheel);
    };
  }, []);
  // The chosen bar comes into sight when it was chosen by other means than a click on it.
  useEffect(() => {
    const element = box.current;
    if (selected < 0 || !element || !size.height) return;
    const y = bars.row[selected]! * ROW_HEIGHT;
    if (y < element.scrollTop) element.scrollTop = y - ROW_HEIGHT;
    else if (y + ROW_HEIGHT + head > element.scrollTop + size.height)
      element.scrollTop = y + 2 * ROW_HEIGHT + head - size.height;
  }, [selected, size.height > 0]);

  const place = (event: { clientX: number; clientY: number }) => {
    const bounds = box.current!.getBoundingClientRect();
    const per = (view.to - view.from) / Math.max(1, size.width);
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    const at = view.from + x * per;
    const row = y < head ? -1 : Math.floor((y - head + box.current!.scrollTop) / ROW_HEIGHT);
    return { x, y, at, track: bars.rows[row]?.track, item: row < 0 ? -1 : barAt(bars, row, at, 4 * per) };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    drag.current = {
      x: event.clientX,
      y: event.clientY,
      view,
      top: box.current!.scrollTop,
      range: event.shiftKey && onRange !== undefined,
      moved: fingers.current.size > 1,
    };
  };
  const move = (event: PointerEvent) => {
    const per = (view.to - view.from) / Math.max(1, size.width);
    const before = fingers.current.get(event.pointerId);
    if (before && fingers.current.size === 2) {
      const other = [...fingers.current].find(([id]) => id !== event.pointerId)![1];
      const wide = (p: { x: number }) => Math.max(24, Math.abs(p.x - other.x));
      const middle = (event.clientX + other.x) / 2 - box.current!.getBoundingClientRect().left;
      onView(
        pan(
          zoom(view, wide(before) / wide({ x: event.clientX }), view.from + middle * per, whole),
          ((before.x - event.clientX) / 2) * per,
          whole,
        ),
      );
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      return;
    }
    const start = drag.current;
    if (!start) {
      const { item, x, y, track } = place(event);
      setHover(item < 0 ? null : { item, x, y });
      box.current!.style.cursor = track === undefined ? "" : "pointer";
      return;
    }
    if (Math.abs(event.clientX - start.x) + Math.abs(event.clientY - start.y) > 4) start.moved = true;
    if (!start.moved) return;
    setHover(null);
    if (start.range) {
      const left = box.current!.getBoundingClientRect().left;
      const [a, b] = [start.x, event.clientX].map((x) => view.from + (x - left) * per).sort((x, y) => x - y) as [
        number,
        number,
      ];
      onRange!({ from: a, to: b });
      return;
    }
    box.current!.scrollTop = start.top - (event.clientY - start.y);
    onView(
      pan(start.view, ((start.x - event.clientX) * (start.view.to - start.view.from)) / Math.max(1, size.width), whole),
    );
  };
  const up = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
    const start = drag.current;
    drag.current = null;
    if (!start || start.moved || event.type === "pointercancel") return;
    const { item, track } = place(event);
    if (track === undefined) onSelect(item);
    else onTrack?.(track);
  };
  return (
    <div class={`flame ${name ?? ""}`}>
      <div
        class="flame-box"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label={label}
        onScroll={draw}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        onPointerLeave={() => setHover(null)}
        onDblClick={(event) => {
          const { item } = place(event);
          if (item >= 0) onOpen?.(item);
        }}
      >
        <div style={{ height: `${tall}px` }}>
          <canvas ref={canvas} aria-hidden="true" style={{ width: `${size.width}px`, height: `${size.height}px` }} />
        </div>
      </div>
      {hover && (
        <div
          class="flame-tip"
          style={
            hover.x > size.width / 2
              ? { right: `${size.width - hover.x + 12}px`, top: `${Math.min(hover.y + 12, size.height - 60)}px` }
              : { left: `${hover.x + 12}px`, top: `${Math.min(hover.y + 12, size.height - 60)}px` }
          }
        >
          {tip(hover.item)}
        </div>
      )}
    </div>
  );
}

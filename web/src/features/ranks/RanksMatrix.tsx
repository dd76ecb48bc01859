import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { go, replaceQuery } from "../../lib/address";
import { capital, plural } from "../../lib/text";
import { useColorsChanged, useKeys, useLoaded, useMedia, useTitle } from "../../lib/hooks";
import { bundle, type Bundles } from "../../lib/tl";
import { rankName, ranksText } from "../../store/ranks";
import { kindOf, matrixRows, type MatrixRow } from "../../store/ranks-matrix";
import { Failed, Loading, type PageProps, useStore, EmptyPanel } from "../../ui/page";
import { PageHead, QueryCheck, Toggle } from "../../ui/PageHead";
import type { Cell, Picked } from "./RanksCanvas";
import { MATRIX_WORDS, MatrixLegend } from "./RanksLegend";
import { toRankCompile } from "../../ui/RanksParts";

/** A row for each rank and a column for each compile id: which rank compiled what others did not. */
export function RanksMatrix({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Compile matrix");
  const by = at.query.by === "time" ? "time" : "status";
  // Times differ between all ranks: one row for several would show those of one of them.
  const merge = by === "status" && at.query.merge === "1";
  const rows = useMemo(() => matrixRows(report, merge), [report, merge]);
  const ids = report.matrix?.ids ?? [];
  const loaded = useLoaded(() => bundle("drawing"), []);
  const others = (report.ranks ?? []).filter(
    (rank) => rank.job && rank.rank !== null && !rank.older && rank.status !== "bad",
  );
  return (
    <>
      <PageHead
        title="Compile matrix"
        sub={`${plural(rows.length, merge ? "pattern" : "rank")} × ${plural(ids.length, "compile id")}${
          others.length
            ? `; ${ranksText(
                others.map((rank) => rank.rank!),
                6,
              )} of another job`
            : ""
        }`}
      >
        <div class="toggles" role="group" aria-label="Color">
          <Toggle on={by === "status"} query={{ by: null }}>
            by status
          </Toggle>
          <Toggle on={by === "time"} query={{ by: "time" }}>
            by time
          </Toggle>
        </div>
        <QueryCheck
          name="merge"
          on={merge}
          title={by === "time" ? "Times differ between ranks: equal ranks are merged by status." : ""}
          disabled={by === "time"}
        >
          merge equal ranks{by === "time" && " (by status only)"}
        </QueryCheck>
      </PageHead>
      {!rows.length || !ids.length ? (
        <div class="room">
          <EmptyPanel title="No compiles">No rank compiled a function.</EmptyPanel>
        </div>
      ) : loaded.state === "loading" ? (
        <Loading what="the matrix" />
      ) : loaded.state === "failed" ? (
        <Failed error={loaded.error} />
      ) : (
        <Matrix art={loaded.value.matrix} rows={rows} ids={ids} by={by} query={at.query} />
      )}
    </>
  );
}

type Query = Readonly<Record<string, string>>;

interface Props {
  art: Bundles["drawing"]["matrix"];
  rows: readonly MatrixRow[];
  ids: readonly string[];
  by: "status" | "time";
  query: Query;
}

function Matrix({ art, rows, ids, by, query }: Props) {
  const { report } = useStore();
  const { matrix } = report;
  const functions = useMemo(
    () => ids.map((_, column) => matrix?.frames?.[matrix.id_frames?.[column] ?? -1] ?? ""),
    [matrix, ids],
  );
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const finder = useRef<HTMLInputElement>(null);
  const byTouch = useRef(false);
  const touch = useMedia("(hover: none)");
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [scroll, setScroll] = useState({ x: 0, y: 0 });
  /** the size of a cell; null: what the page chooses */
  const [high, setHigh] = useState(() => art.sizeOf(query.zoom));
  const [wide, setWide] = useState(() => art.sizeOf(query.wide));
  const [picked, setPicked] = useState(() => art.pickedOf(query.cell, ids));
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  /** why Find shows nothing */
  const [none, setNone] = useState("");
  /** What of the picture comes to which place, in cells and in pixels; without a place to the middle. whole: of a cell, nothing is cut off. */
  const goal = useRef<{ row: number; column: number; x?: number; y?: number; whole?: boolean } | null>(null);
  const shown = useRef<readonly MatrixRow[] | null>(null);
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const ranks = useMemo(() => rows.reduce((n, row) => n + row.ranks.length, 0), [rows]);
  const names = useMemo(
    () => rows.map((row) => (row.ranks.length === 1 ? rankName(row.ranks[0]!) : art.rowRanks(row, 4))),
    [art, rows],
  );
  const longest = useMemo(
    () => rows.reduce((most, row) => row.times.reduce<number>((m, t) => Math.max(m, t ?? 0), most), 0),
    [rows],
  );
  const cells = useMemo(
    () =>
      art.layout(
        ids.length,
        rows.length,
        size,
        names.reduce((n, name) => Math.max(n, name.length), 0),
        ids.reduce((n, id) => Math.max(n, id.length), 0),
        high,
        wide,
      ),
    [art, ids, rows, names, size, high, wide],
  );
  const usual = useMemo(() => art.usualKinds(rows, ids.length), [art, rows, ids]);
  const chosen = useMemo((): Cell | null => {
    const row = picked ? rows.findIndex((one) => one.ranks.some((rank) => rank.dir === picked.dir)) : -1;
    return row < 0 ? null : { row, column: picked!.column };
  }, [rows, picked]);

  const cellAt = (x: number, y: number): Cell | null => {
    if (!box.current) return null;
    const bounds = box.current.getBoundingClientRect();
    const [right, down] = [x - bounds.left - cells.left, y - bounds.top - cells.top];
    if (right < 0 || down < 0) return null;
    const cell = {
      row: Math.floor((down + box.current.scrollTop) / cells.height),
      column: Math.floor((right + box.current.scrollLeft) / cells.width),
    };
    return cell.column < ids.length && cell.row < rows.length ? cell : null;
  };
  // Found anew whenever the picture is drawn: zooming and scrolling move cells below a pointer that rests.
  const over = pointer && cellAt(pointer.x, pointer.y);
  const current = over ?? chosen;
  const room = { width: size.width - cells.left, height: size.height - cells.top };

  const scrolled = () => {
    const { scrollLeft: x, scrollTop: y } = box.current!;
    if (x !== scroll.x || y !== scroll.y) setScroll({ x, y });
  };
  const lengthBefore = useRef(rows.length);
  useLayoutEffect(() => {
    // Ranks were merged: a zoom for very many rows is none for few.
    if (lengthBefore.current !== rows.length) setHigh(null);
    lengthBefore.current = rows.length;
  }, [rows.length]);
  useLayoutEffect(() => {
    if (shown.current !== rows && chosen) goal.current = { row: chosen.row + 0.5, column: chosen.column + 0.5 };
    shown.current = rows;
    const to = goal.current;
    if (to && size.width) {
      goal.current = null;
      const place = (cell: number, at: number, size: number, all: number) => {
        if (size > 0.8 * all) return (Math.floor(cell) + 0.5) * size - all / 2; // one cell at a time, not two halves
        return cell * size - (to.whole ? Math.max(Math.min(at, all - size / 2), size / 2) : at);
      };
      box.current!.scrollTop = place(to.row, to.y ?? room.height / 2, cells.height, room.height);
      box.current!.scrollLeft = place(to.column, to.x ?? room.width / 2, cells.width, room.width);
    }
    scrolled();
    if (!canvas.current) return;
    const marks = [chosen, over].filter((cell) => cell !== null);
    art.draw(canvas.current, size, scroll, cells, { rows, names, ids, usual, by, longest, functions, marks });
  });
  const save = (cell = picked) =>
    replaceQuery({
      zoom: high === null ? null : high === 0 ? "0" : cells.height.toFixed(2),
      wide: wide === null ? null : cells.width.toFixed(2),
      cell: cell && `${cell.dir},${ids[cell.column]}`,
    });
  const saving = useRef(save);
  saving.current = save;
  useEffect(() => {
    const timer = setTimeout(() => saving.current(), 200); // browsers refuse an address that changes with every step of a wheel
    return () => clearTimeout(timer);
  }, [high, wide, picked]);

  /** What is at this place of the picture stays there; without a place, the selected cell, else the middle. */
  const zoomTo = (height: number | null, width: number | null, at?: { x: number; y: number }) => {
    const { scrollLeft, scrollTop } = box.current!;
    let from = at ?? { x: room.width / 2, y: room.height / 2 };
    let to = { row: (scrollTop + from.y) / cells.height, column: (scrollLeft + from.x) / cells.width };
    if (!at && chosen) {
      to = { row: chosen.row + 0.5, column: chosen.column + 0.5 };
      const place = { x: to.column * cells.width - scrollLeft, y: to.row * cells.height - scrollTop };
      if (place.x >= 0 && place.x < room.width && place.y >= 0 && place.y < room.height) from = place;
    }
    goal.current = { ...to, ...from, whole: !at && chosen !== null };
    setHigh(height);
    setWide(width);
    redraw(0);
  };
  const zoomRows = (factor: number, at?: { x: number; y: number }) => zoomTo(cells.height * factor, wide, at);
  const zoomColumns = (factor: number, at?: { x: number; y: number }) => zoomTo(high, cells.width * factor, at);
  const zoomOut = () => zoomTo(0, null);
  const select = (cell: Cell, dir = rows[cell.row]!.ranks[0]!.dir) => {
    setPicked({ dir, column: cell.column });
    setPointer(null);
    setNone("");
  };
  const find = (text: string) => {
    setPointer(null);
    if (!text.trim()) return setNone("");
    const found = art.findRow(report, rows, text);
    if ("none" in found) {
      setPicked(null);
      return setNone(capital(found.none));
    }
    const row = rows[found.row]!;
    const column = chosen && compiled(row, chosen.column) ? chosen.column : ids.findIndex((_, c) => compiled(row, c));
    select({ row: found.row, column: Math.max(0, column) }, found.dir);
    goal.current = { row: found.row + 0.5, column: Math.max(0, column) + 0.5 };
    if (cells.height < 14) setHigh(18);
  };
  useLayoutEffect(() => {
    const element = box.current!;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const bounds = element.getBoundingClientRect();
      const at = { x: event.clientX - bounds.left - cells.left, y: event.clientY - bounds.top - cells.top };
      (event.shiftKey ? zoomColumns : zoomRows)(Math.exp(-(event.deltaY || event.deltaX) / 200), at);
      setPointer({ x: event.clientX, y: event.clientY });
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  });
  useColorsChanged(() => redraw(0));
  useLayoutEffect(() => {
    const measure = () => box.current && setSize({ width: box.current.clientWidth, height: box.current.clientHeight });
    const watch = new ResizeObserver(measure);
    measure();
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);

  const move = (down: number, right: number) => {
    const step = Math.max(1, Math.round(2 / cells.height)); // a step that can be seen
    const b = box.current!;
    const next = current
      ? {
          row: art.bound(current.row + down * step, rows.length),
          column: art.bound(current.column + right, ids.length),
        }
      : {
          row: art.middleOf(b.scrollTop, room.height, cells.height, rows.length),
          column: art.middleOf(b.scrollLeft, room.width, cells.width, ids.length),
        };
    select(next);
    const [x, y] = [next.column * cells.width, next.row * cells.height];
    if (x + cells.width > b.scrollLeft + room.width) b.scrollLeft = x + cells.width - room.width + 4;
    if (x < b.scrollLeft) b.scrollLeft = x;
    if (y + cells.height > b.scrollTop + room.height) b.scrollTop = y + cells.height - room.height + 4;
    if (y < b.scrollTop) b.scrollTop = y;
  };
  /** The compile of a cell that can be opened; of a row of several ranks, that of the selected one or the first. */
  const toOpen = (cell: Cell | null): { name: string; href: string; picked: Picked } | null => {
    const row = cell && rows[cell.row];
    if (!row || !compiled(row, cell.column)) return null;
    const rank = row.ranks.find((one) => one.dir === picked?.dir) ?? row.ranks[0]!;
    return {
      name: rankName(rank),
      href: toRankCompile(rank.dir, ids[cell.column]!),
      picked: { dir: rank.dir, column: cell.column },
    };
  };
  const open = (cell: Cell | null) => {
    const to = toOpen(cell);
    if (!to) return;
    save(to.picked); // Back comes to this cell
    go(to.href);
  };
  const toFind = () => {
    finder.current?.focus();
    finder.current?.select();
  };
  useKeys({
    ArrowDown: () => move(1, 0),
    ArrowUp: () => move(-1, 0),
    ArrowRight: () => move(0, 1),
    ArrowLeft: () => move(0, -1),
    j: () => move(1, 0),
    k: () => move(-1, 0),
    Enter: () => open(current),
    Escape: () => {
      setPicked(null);
      setPointer(null);
    },
    "+": () => zoomRows(2),
    "-": () => zoomRows(1 / 2),
    ">": () => zoomColumns(1.5),
    "<": () => zoomColumns(1 / 1.5),
    "0": zoomOut,
    ...(ranks > FEW && { "/": toFind }),
  });
  const said =
    current &&
    art.describe(rows[current.row]!, ids[current.column]!, current.column, functions[current.column]!, MATRIX_WORDS);
  const link = over ? null : toOpen(chosen);
  const line =
    (over && said) ||
    none ||
    said ||
    (touch
      ? "Tap a cell to read it, tap it again to open the compile."
      : "Point at a cell or use the arrow keys; Enter opens the compile.");
  const inView = {
    rows: art.viewOf(scroll.y, room.height, cells.height, rows.length),
    columns: art.viewOf(scroll.x, room.width, cells.width, ids.length),
  };
  const [left, right] = size.width ? art.cutOff(scroll.x, room.width, cells.width, ids.length) : [0, 0];
  const sideways = (by: number) => {
    box.current!.scrollLeft += by * Math.max(cells.width, room.width - cells.width);
  };
  return (
    <>
      <div class="matrix-legend">
        <div class="kinds flexrow">
          <MatrixLegend rows={rows} columns={ids.length} by={by} longest={longest} />
          {ranks > FEW && (
            <input
              ref={finder}
              class="find-rank"
              type="search"
              inputMode="numeric"
              placeholder="Find rank…"
              aria-label="Find a rank by its number"
              onInput={(event) => find(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter") open(chosen);
                if (event.key !== "ArrowDown") return;
                event.preventDefault();
                box.current!.focus();
              }}
            />
          )}
          <span class="zoom" role="group" aria-label="Zoom">
            <span aria-hidden="true">ranks</span>
            <button type="button" title="Zoom out (-)" onClick={() => zoomRows(1 / 2)}>
              −
            </button>
            <button type="button" title="Zoom in (+), or Ctrl+wheel" onClick={() => zoomRows(2)}>
              +
            </button>
            <span aria-hidden="true">ids</span>
            <button type="button" title="Narrower columns (<)" onClick={() => zoomColumns(1 / 1.5)}>
              −
            </button>
            <button type="button" title="Wider columns (>), or Ctrl+Shift+wheel" onClick={() => zoomColumns(1.5)}>
              +
            </button>
            <button type="button" title="All ranks (0)" onClick={zoomOut}>
              All
            </button>
          </span>
        </div>
        {/* As high whatever it says: the picture must not move below the pointer. */}
        <div class="line">
          <span class="about">
            <span class="said cutoff" aria-live="polite" title={line}>
              {line}
            </span>
            {link && (
              <a href={link.href} onClick={() => save(link.picked)}>
                Open{rows[chosen!.row]!.ranks.length > 1 && ` ${link.name}`}
              </a>
            )}
          </span>
          <span class="in-view">
            <span>{size.width > 0 && art.viewText(names, ids, inView)}</span>
            {left > 0 && (
              <button type="button" onClick={() => sideways(-1)}>
                ← {plural(left, "id")}
              </button>
            )}
            {right > 0 && (
              <button type="button" onClick={() => sideways(1)}>
                {plural(right, "id")} →
              </button>
            )}
          </span>
        </div>
      </div>
      <div
        class="matrix fill"
        ref={box}
        data-scroll="matrix"
        tabIndex={0}
        role="application"
        aria-label="Ranks by compile ids. Arrow keys move, Enter opens the compile, + and - zoom."
        onScroll={scrolled}
        onPointerDown={(event) => {
          byTouch.current = event.pointerType === "touch";
        }}
        onPointerMove={(event) => {
          if (event.pointerType !== "touch") setPointer({ x: event.clientX, y: event.clientY });
        }}
        onPointerLeave={() => setPointer(null)}
        onClick={(event) => {
          const cell = over ?? cellAt(event.clientX, event.clientY);
          // There is no pointing without a tap: the first says what the cell is.
          const reads = byTouch.current && (cell?.row !== chosen?.row || cell?.column !== chosen?.column);
          if (cell && reads) select(cell);
          else open(cell);
        }}
        style={{ cursor: toOpen(over) ? "pointer" : "default" }}
      >
        <canvas ref={canvas} style={{ width: `${size.width}px`, height: `${size.height}px` }} />
        <div
          class="extent"
          style={{
            width: `${Math.floor(cells.left + ids.length * cells.width)}px`,
            height: `${Math.floor(cells.top + rows.length * cells.height)}px`,
          }}
        />
      </div>
      {over && pointer && said && box.current && (
        <div class="matrix-tip" style={art.tipPlace(pointer, size, box.current)}>
          {said}
        </div>
      )}
    </>
  );
}

/** Fewer ranks are found by looking. */
const FEW = 40;

const compiled = (row: MatrixRow, column: number): boolean => kindOf(row, column) !== "absent";

import { useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { go, replaceQuery } from "../../lib/address";
import { count, plural, time } from "../../lib/format";
import { useColorsChanged, useTitle } from "../../lib/hooks";
import { useKeys } from "../../lib/keys";
import { ranges, rankName, ranksText } from "../../store/rank-names";
import { kindOf, matrixRows, usualKinds, type CellKind, type MatrixRow } from "../../store/ranks-matrix";
import { STATUSES } from "../../lib/status";
import { SIGNS, STATUS_WORDS } from "../../ui/Chip";
import { Panel } from "../../ui/Panel";
import { PageHead } from "../../ui/PageHead";
import { Empty } from "../../ui/States";
import { useStore } from "../../ui/context";
import type { PageProps } from "../../ui/page";
import { draw, layout, ROW_HIGH } from "./RanksCanvas";
import { toRankCompile } from "../../ui/RanksParts";

const WORDS: Record<CellKind, string> = { ...STATUS_WORDS, absent: "not compiled" };

/** A row for each rank and a column for each compile id: which rank compiled what others did not. */
export function RanksMatrix({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Compile matrix");
  const by = at.query.by === "time" ? "time" : "status";
  const merge = at.query.merge === "1";
  const rows = useMemo(() => matrixRows(report, merge), [report, merge]);
  const ids = report.matrix?.ids ?? [];
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
          <button
            type="button"
            class="chip empty"
            aria-pressed={by === "status"}
            onClick={() => replaceQuery({ by: null })}
          >
            by status
          </button>
          <button
            type="button"
            class="chip empty"
            aria-pressed={by === "time"}
            onClick={() => replaceQuery({ by: "time" })}
          >
            by time
          </button>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={merge}
            onChange={(event) => replaceQuery({ merge: event.currentTarget.checked ? "1" : null })}
          />{" "}
          merge equal ranks
        </label>
      </PageHead>
      {!rows.length || !ids.length ? (
        <div class="room">
          <Panel>
            <Empty title="No compiles">No rank compiled a function.</Empty>
          </Panel>
        </div>
      ) : (
        <Matrix key={`${merge}`} rows={rows} ids={ids} by={by} />
      )}
    </>
  );
}

interface At {
  row: number;
  column: number;
}

function Matrix({ rows, ids, by }: { rows: readonly MatrixRow[]; ids: readonly string[]; by: "status" | "time" }) {
  const { matrix } = useStore().report;
  const usual = (column: number): string => matrix?.frames?.[matrix.id_frames?.[column] ?? -1] ?? "";
  const others = useMemo(() => rows.reduce((n, row) => n + row.others.size * row.ranks.length, 0), [rows]);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 900, height: 500 });
  const [chosen, setChosen] = useState<At | null>(null);
  const [tip, setTip] = useState<{ x: number; y: number } | null>(null);
  /** the height of a row; null: what the page chooses */
  const [zoom, setZoom] = useState<number | null>(null);
  const keep = useRef<{ row: number; y: number } | null>(null);
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const names = useMemo(
    () =>
      rows.map((row) =>
        row.ranks.length === 1
          ? rankName(row.ranks[0]!)
          : ranges(
              row.ranks.map((rank) => rank.rank ?? -1),
              4,
            ),
      ),
    [rows],
  );
  const longest = useMemo(
    () => rows.reduce((most, row) => row.times.reduce<number>((m, t) => Math.max(m, t ?? 0), most), 0),
    [rows],
  );
  const cells = useMemo(
    () =>
      layout(
        ids.length,
        rows.length,
        size,
        names.reduce((n, name) => Math.max(n, name.length), 0),
        ids.reduce((n, id) => Math.max(n, id.length), 0),
        zoom,
      ),
    [ids, rows, names, size, zoom],
  );
  const usually = useMemo(() => usualKinds(rows, ids.length), [rows, ids]);
  const kinds = useMemo(() => countKinds(rows, ids.length), [rows, ids]);

  const paint = () => {
    if (!canvas.current || !box.current) return;
    draw(canvas.current, size, { x: box.current.scrollLeft, y: box.current.scrollTop }, cells, {
      rows,
      names,
      ids,
      usual: usually,
      by,
      longest,
      at: chosen,
    });
  };
  useLayoutEffect(() => {
    if (keep.current && box.current) box.current.scrollTop = keep.current.row * cells.height - keep.current.y;
    keep.current = null;
  }, [cells]);
  useLayoutEffect(paint);
  /** What is at this height of the picture stays there. */
  const zoomTo = (height: number, y = (size.height - cells.top) / 2) => {
    keep.current = { row: (box.current!.scrollTop + y) / cells.height, y };
    setZoom(Math.min(height, ROW_HIGH));
  };
  const zoomBy = (factor: number, y?: number) => zoomTo(cells.height * factor, y);
  const find = (text: string) => {
    const row = rows.findIndex((one) => one.ranks.some((rank) => String(rank.rank) === text.trim()));
    if (row < 0) return;
    setChosen({ row, column: chosen?.column ?? 0 });
    setTip(null);
    keep.current = { row: row + 0.5, y: (size.height - cells.top) / 2 };
    setZoom(cells.height < 14 ? 18 : cells.height + (cells.height === zoom ? 0.001 : 0));
  };
  useLayoutEffect(() => {
    const element = box.current!;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY / 200), event.clientY - element.getBoundingClientRect().top - cells.top);
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

  const place = (event: MouseEvent): At | null => {
    const bounds = box.current!.getBoundingClientRect();
    const x = event.clientX - bounds.left - cells.left;
    const y = event.clientY - bounds.top - cells.top;
    if (x < 0 || y < 0) return null;
    const [column, row] = [
      Math.floor((x + box.current!.scrollLeft) / cells.width),
      Math.floor((y + box.current!.scrollTop) / cells.height),
    ];
    return column < ids.length && row < rows.length ? { row, column } : null;
  };
  const move = (down: number, right: number) => {
    const step = Math.max(1, Math.round(2 / cells.height)); // a step that can be seen
    const next = {
      row: bound((chosen?.row ?? -1) + (chosen ? down * step : 1), rows.length),
      column: bound((chosen?.column ?? -1) + (chosen ? right : 1), ids.length),
    };
    setChosen(next);
    setTip(null);
    const b = box.current!;
    const [x, y] = [next.column * cells.width, next.row * cells.height];
    if (x < b.scrollLeft) b.scrollLeft = x;
    if (x + cells.width > b.scrollLeft + size.width - cells.left)
      b.scrollLeft = x + cells.width - size.width + cells.left + 4;
    if (y < b.scrollTop) b.scrollTop = y;
    if (y + cells.height > b.scrollTop + size.height - cells.top)
      b.scrollTop = y + cells.height - size.height + cells.top + 4;
  };
  const open = (at: At | null) => {
    const row = at && rows[at.row];
    if (row && kindOf(row, at.column) !== "absent") go(toRankCompile(row.ranks[0]!.dir, ids[at.column]!));
  };
  useKeys({
    ArrowDown: () => move(1, 0),
    ArrowUp: () => move(-1, 0),
    ArrowRight: () => move(0, 1),
    ArrowLeft: () => move(0, -1),
    j: () => move(1, 0),
    k: () => move(-1, 0),
    Enter: () => open(chosen),
    Escape: () => setChosen(null),
    "+": () => zoomBy(1.5),
    "-": () => zoomBy(1 / 1.5),
    "0": () => zoomTo(0),
  });
  const said = chosen && describe(rows[chosen.row]!, ids[chosen.column]!, chosen.column, usual(chosen.column));
  return (
    <>
      <div class="matrix-legend">
        {by === "status" ? (
          [...STATUSES, "absent" as const]
            .filter((kind) => kinds[kind] > 0)
            .map((kind) => (
              <span key={kind}>
                {kind === "absent" ? <i class="none" /> : <i style={{ background: `var(--${kind})` }} />}
                {kind !== "absent" && <span aria-hidden="true">{SIGNS[kind]} </span>}
                {WORDS[kind]} <b>{count(kinds[kind])}</b>
              </span>
            ))
        ) : (
          <span>
            <i class="scale" /> 1 ms to <b>{time(longest)}</b>, log scale
          </span>
        )}
        {others > 0 && (
          <span>
            <i class="other" />≠ different function <b>{count(others)}</b>
          </span>
        )}
        {rows.length > 40 && (
          <>
            <input
              class="find-rank"
              type="search"
              inputMode="numeric"
              placeholder="Find rank…"
              aria-label="Find a rank by its number"
              onInput={(event) => find(event.currentTarget.value)}
            />
            <span class="zoom" role="group" aria-label="Zoom">
              <button type="button" title="Zoom out (-)" onClick={() => zoomBy(1 / 2)}>
                −
              </button>
              <button type="button" title="Zoom in (+), or Ctrl+wheel" onClick={() => zoomBy(2)}>
                +
              </button>
              <button type="button" title="All ranks (0)" onClick={() => zoomTo(0)}>
                All
              </button>
            </span>
          </>
        )}
        <span class="said" aria-live="polite">
          {said ?? "Point at a cell or use the arrow keys; Enter opens the compile."}
        </span>
      </div>
      <div
        class="matrix"
        ref={box}
        data-scroll="matrix"
        tabIndex={0}
        role="application"
        aria-label="Ranks by compile ids. Arrow keys move, Enter opens the compile."
        onScroll={paint}
        onMouseMove={(event) => {
          const next = place(event);
          if (next?.row !== chosen?.row || next?.column !== chosen?.column) setChosen(next);
          const bounds = box.current!.getBoundingClientRect();
          setTip(next && { x: event.clientX - bounds.left, y: event.clientY - bounds.top });
        }}
        onMouseLeave={() => {
          setChosen(null);
          setTip(null);
        }}
        onClick={(event) => open(place(event))}
        style={{ cursor: chosen && kindOf(rows[chosen.row]!, chosen.column) !== "absent" ? "pointer" : "default" }}
      >
        <canvas ref={canvas} style={{ width: `${size.width}px`, height: `${size.height}px` }} />
        <div
          class="extent"
          style={{
            width: `${cells.left + ids.length * cells.width}px`,
            height: `${cells.top + rows.length * cells.height}px`,
          }}
        />
      </div>
      {tip && said && box.current && (
        <div class="matrix-tip" style={tipPlace(tip, size, box.current)}>
          {said}
        </div>
      )}
    </>
  );
}

function tipPlace(tip: { x: number; y: number }, size: { width: number; height: number }, box: HTMLElement) {
  const right = tip.x > size.width / 2;
  const low = tip.y > size.height - 60;
  return {
    left: `${box.offsetLeft + tip.x + (right ? -12 : 14)}px`,
    top: `${box.offsetTop + tip.y + (low ? -12 : 14)}px`,
    transform: `translate(${right ? "-100%" : "0"}, ${low ? "-100%" : "0"})`,
  };
}

function describe(row: MatrixRow, id: string, column: number, usual: string): string {
  const kind = kindOf(row, column);
  const who =
    row.ranks.length === 1
      ? rankName(row.ranks[0]!)
      : `ranks ${ranges(
          row.ranks.map((rank) => rank.rank ?? -1),
          6,
        )}`;
  if (kind === "absent") return `${who} · ${id} · ${WORDS.absent}`;
  const other = row.others.get(column);
  return `${who} · ${id} · ${SIGNS[kind]} ${WORDS[kind]} · ${time(row.times[column])}${row.ranks.length > 1 ? " at most" : ""}${other !== undefined ? ` · ≠ ${other}` : usual ? ` · ${usual}` : ""}`;
}

const bound = (n: number, length: number): number => Math.max(0, Math.min(length - 1, n));

function countKinds(rows: readonly MatrixRow[], columns: number): Record<CellKind, number> {
  const counts: Record<CellKind, number> = { ok: 0, restart: 0, error: 0, empty: 0, missing: 0, absent: 0 };
  for (const row of rows) for (let c = 0; c < columns; c++) counts[kindOf(row, c)] += row.ranks.length;
  return counts;
}

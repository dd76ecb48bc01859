// Draws the part of ranks × compile ids that is in view. A canvas, since a thousand ranks by two hundred ids are too many elements.
import { fitCanvas } from "../../lib/canvas";
import { paletteOf } from "../../lib/colors";
import { kindOf, kindOfRows, timeOfRows, timeShare, type CellKind, type MatrixRow } from "../../store/ranks-matrix";

export interface Layout {
  columns: number;
  rows: number;
  /** size of a cell */
  width: number;
  height: number;
  /** room for the names of the rows and the ids */
  left: number;
  top: number;
}

export interface Picture {
  rows: readonly MatrixRow[];
  names: readonly string[];
  ids: readonly string[];
  /** the most frequent kind of each column */
  usual: readonly CellKind[];
  by: "status" | "time";
  longest: number;
  at: { row: number; column: number } | null;
}

const SIGNS: Record<CellKind, string> = { ok: "✓", restart: "↻", error: "✕", empty: "○", missing: "?", absent: "" };

export function layout(
  columns: number,
  rows: number,
  room: { width: number; height: number },
  longestName: number,
  longestId: number,
  zoomed: number | null,
): Layout {
  const left = Math.max(56, Math.min(180, longestName * 7 + 18));
  const top = Math.min(110, longestId * 7 + 14);
  const width = clamp(Math.floor((room.width - left - 2) / Math.max(1, columns)), 6, 44);
  const all = (room.height - top - 2) / Math.max(1, rows);
  /* Very many rows are all in view at first; of fewer, each can be read. */
  const height = zoomed ?? (rows > MANY_ROWS ? all : clamp(Math.floor(all), ROW_LOW, ROW_HIGH));
  return { columns, rows, width, height: clamp(height, Math.min(all, ROW_LOW), ROW_HIGH), left, top };
}

const MANY_ROWS = 1000;
const ROW_LOW = 8;
export const ROW_HIGH = 26;
/** Lower rows are drawn without gaps. */
const ROW_DENSE = 4;

const clamp = (n: number, low: number, high: number): number => Math.max(low, Math.min(high, n));

export function draw(
  canvas: HTMLCanvasElement,
  size: { width: number; height: number },
  scroll: { x: number; y: number },
  at: Layout,
  picture: Picture,
): void {
  const g = fitCanvas(canvas, size.width, size.height);
  if (!g) return;
  const style = getComputedStyle(canvas);
  const colors = palette(canvas);
  g.clearRect(0, 0, size.width, size.height);
  const mono = style.getPropertyValue("--mono");
  const [firstColumn, lastColumn] = span(scroll.x, size.width - at.left, at.width, at.columns);
  const [firstRow, lastRow] = span(scroll.y, size.height - at.top, at.height, at.rows);
  const gap = at.width >= 10 && at.height >= 8 ? 1 : 0.5;
  const signs = at.width >= 14 && at.height >= 14 && picture.by === "status";

  g.save();
  g.beginPath();
  g.rect(at.left, at.top, size.width, size.height);
  g.clip();
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.font = `11px ${mono}`;
  if (at.height < ROW_DENSE) dense(g, size, scroll, at, picture, firstColumn, lastColumn, colors);
  for (let r = firstRow; r < lastRow && at.height >= ROW_DENSE; r++) {
    const row = picture.rows[r]!;
    const y = at.top + r * at.height - scroll.y;
    for (let c = firstColumn; c < lastColumn; c++) {
      const x = at.left + c * at.width - scroll.x;
      const kind = kindOf(row, c);
      if (kind === "absent") {
        g.fillStyle = colors.line;
        g.fillRect(x + at.width / 2 - 1, y + at.height / 2 - 1, 2, 2);
      } else if (picture.by === "time") {
        g.fillStyle = colors.time;
        g.globalAlpha = 0.1 + 0.9 * timeShare(row.times[c], picture.longest);
        g.fillRect(x + gap, y + gap, at.width - 2 * gap, at.height - 2 * gap);
        g.globalAlpha = 1;
      } else {
        g.fillStyle = signs ? colors.soft[kind] : colors.full[kind];
        g.fillRect(x + gap, y + gap, at.width - 2 * gap, at.height - 2 * gap);
        if (signs) {
          g.fillStyle = colors.full[kind];
          g.fillText(row.others.has(c) ? `${SIGNS[kind]} ≠` : SIGNS[kind], x + at.width / 2, y + at.height / 2 + 0.5);
        }
      }
      if (row.others.has(c)) {
        g.strokeStyle = colors.accent;
        g.lineWidth = 1.5;
        g.strokeRect(x + gap + 0.75, y + gap + 0.75, at.width - 2 * gap - 1.5, at.height - 2 * gap - 1.5);
      }
    }
  }
  if (picture.at) {
    g.strokeStyle = colors.accent;
    g.lineWidth = 2;
    g.strokeRect(
      at.left + picture.at.column * at.width - scroll.x,
      at.top + picture.at.row * at.height - scroll.y,
      at.width,
      Math.max(2, at.height),
    );
  }
  g.restore();
  rowNames(g, size, scroll, at, picture, firstRow, lastRow, colors);
  columnNames(g, size, scroll, at, picture, firstColumn, lastColumn, colors);
}

/** Rows that are too low for gaps: each line of pixels stands for the rows in it, and equal ones are one rectangle. */
function dense(
  g: CanvasRenderingContext2D,
  size: { height: number },
  scroll: { x: number; y: number },
  at: Layout,
  picture: Picture,
  firstColumn: number,
  lastColumn: number,
  colors: Palette,
): void {
  const lines = Math.min(size.height - at.top, Math.ceil(at.rows * at.height - scroll.y));
  for (let c = firstColumn; c < lastColumn; c++) {
    const x = at.left + c * at.width - scroll.x;
    let begin = 0;
    let last = "";
    for (let y = 0; y <= lines; y++) {
      const from = Math.floor((scroll.y + y) / at.height);
      const to = Math.min(at.rows, Math.max(from + 1, Math.floor((scroll.y + y + 1) / at.height)));
      const now = y === lines || from >= to ? "" : look(picture, from, to, c);
      if (now === last) continue;
      if (last) fill(g, last, x + 0.5, at.top + begin, at.width - 1, y - begin, colors);
      begin = y;
      last = now;
    }
  }
}

/** A kind, or a share of the longest time in steps of a hundredth. */
function look(picture: Picture, from: number, to: number, column: number): string {
  if (picture.by === "status") return kindOfRows(picture.rows, from, to, column, picture.usual[column]!);
  const time = timeOfRows(picture.rows, from, to, column);
  return time === null ? "absent" : timeShare(time, picture.longest).toFixed(2);
}

function fill(
  g: CanvasRenderingContext2D,
  look: string,
  x: number,
  y: number,
  width: number,
  height: number,
  colors: Palette,
): void {
  if (look === "absent") return;
  const kind = colors.full[look as CellKind];
  g.fillStyle = kind ?? colors.time;
  g.globalAlpha = kind ? 1 : 0.1 + 0.9 * Number(look);
  g.fillRect(x, y, width, height);
  g.globalAlpha = 1;
}

function rowNames(
  g: CanvasRenderingContext2D,
  size: { height: number },
  scroll: { y: number },
  at: Layout,
  picture: Picture,
  from: number,
  to: number,
  colors: Palette,
): void {
  const every = Math.max(1, Math.ceil(13 / at.height));
  g.save();
  g.beginPath();
  g.rect(0, at.top, at.left, size.height);
  g.clip();
  g.textAlign = "right";
  g.textBaseline = "middle";
  for (let r = from; r < to; r++) {
    const on = picture.at?.row === r;
    if (r % every && !on) continue;
    g.fillStyle = on ? colors.accent : colors.text;
    g.fillText(cut(g, picture.names[r]!, at.left - 14), at.left - 8, at.top + r * at.height - scroll.y + at.height / 2);
  }
  g.restore();
}

function columnNames(
  g: CanvasRenderingContext2D,
  size: { width: number },
  scroll: { x: number },
  at: Layout,
  picture: Picture,
  from: number,
  to: number,
  colors: Palette,
): void {
  const every = Math.max(1, Math.ceil(13 / at.width));
  g.save();
  g.beginPath();
  g.rect(at.left - 4, 0, size.width, at.top);
  g.clip();
  g.textAlign = "left";
  g.textBaseline = "middle";
  for (let c = from; c < to; c++) {
    const on = picture.at?.column === c;
    if (c % every && !on) continue;
    g.save();
    g.translate(at.left + c * at.width - scroll.x + at.width / 2, at.top - 6);
    g.rotate(-Math.PI / 2);
    g.fillStyle = on ? colors.accent : colors.text;
    g.fillText(cut(g, picture.ids[c]!, at.top - 10), 0, 0);
    g.restore();
  }
  g.restore();
}

function cut(g: CanvasRenderingContext2D, text: string, width: number): string {
  if (g.measureText(text).width <= width) return text;
  let kept = text;
  while (kept.length > 1 && g.measureText(`${kept}…`).width > width) kept = kept.slice(0, -1);
  return `${kept}…`;
}

/** Which cells are in view. */
function span(scroll: number, room: number, cell: number, count: number): [number, number] {
  return [Math.max(0, Math.floor(scroll / cell)), Math.min(count, Math.ceil((scroll + room) / cell))];
}

interface Palette {
  line: string;
  text: string;
  time: string;
  accent: string;
  full: Record<CellKind, string>;
  soft: Record<CellKind, string>;
}

const palette = paletteOf<Palette>((work) => {
  const get = (name: string): string => work(`var(--${name})`);
  return {
    line: get("line-strong"),
    text: get("text-2"),
    time: get("p1"),
    accent: get("accent"),
    full: {
      ok: get("ok"),
      restart: get("restart"),
      error: get("error"),
      empty: get("empty"),
      missing: get("missing"),
      absent: get("line"),
    },
    soft: {
      ok: get("ok-soft"),
      restart: get("restart-soft"),
      error: get("error-soft"),
      empty: get("empty-soft"),
      missing: get("missing-soft"),
      absent: get("line"),
    },
  };
});

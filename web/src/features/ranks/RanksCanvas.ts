// Draws the part of ranks × compile ids that is in view. A canvas, since a thousand ranks by two hundred ids are too many elements.
import { fitCanvas } from "../../lib/canvas";
import { paletteOf } from "../../lib/colors";
import { time } from "../../lib/text";
import { kindOf, kindOfRows, timeOfRows, timeShare, type CellKind, type MatrixRow } from "../../store/ranks-matrix";

import { SIGNS } from "./RanksView";

export { findRow, usualKinds } from "../../store/ranks-matrix";
export * from "./RanksView";

declare module "../../lib/graph/drawing-bundle" {
  interface Drawings {
    matrix: typeof import("./RanksCanvas");
  }
}

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
  /** the function of each column on most ranks; "": not known */
  functions: readonly string[];
  /** the selected cell and the one below the pointer */
  marks: readonly Cell[];
}

export interface Cell {
  row: number;
  column: number;
}

/** `high`, `wide`: the size of a cell that was chosen by zooming; null: what fits */
export function layout(
  columns: number,
  rows: number,
  room: { width: number; height: number },
  longestName: number,
  longestId: number,
  high: number | null,
  wide: number | null,
): Layout {
  const left = Math.max(56, Math.min(180, longestName * 7 + 18));
  const top = Math.min(110, longestId * 7 + 14);
  const fit = (room.width - left - MARGIN) / Math.max(1, columns);
  const fitting = clamp(fit >= 10 ? Math.floor(fit) : Math.floor(fit * 2) / 2, COLUMN_NARROW, 44);
  const all = Math.max(0.01, (room.height - top - MARGIN) / Math.max(1, rows));
  /* Very many rows are all in view at first; of fewer, each can be read. */
  const usual = rows > MANY_ROWS ? all : clamp(Math.floor(all), ROW_LOW, ROW_HIGH);
  const one = Math.min(Math.max(ROW_HIGH, room.height - top - MARGIN), LONGEST / Math.max(1, rows));
  return {
    columns,
    rows,
    width: clamp(wide ?? fitting, Math.min(fitting, 6, Math.max(2, fit)), COLUMN_WIDE),
    height: clamp(high || (high === 0 ? Math.min(all, usual) : usual), Math.min(all, ROW_LOW), one),
    left,
    top,
  };
}

/** At the end of the rows and columns: half of the last name has no room in a low row or a narrow column. */
const MARGIN = 8;
const MANY_ROWS = 1000;
const ROW_LOW = 8;
const ROW_HIGH = 26;
const COLUMN_NARROW = 4;
/** A function's name has room. */
const COLUMN_WIDE = 240;
/** Browsers do not scroll further (pixels). */
const LONGEST = 16e6;
/** Lower rows are drawn without gaps. */
const ROW_DENSE = 4;
/** In larger cells there are words. */
const WORDS_WIDE = 64;
const WORDS_HIGH = 90;

const clamp = (n: number, low: number, high: number): number => Math.max(low, Math.min(high, n));

/** What all parts of the picture are drawn with. */
interface Scene {
  g: CanvasRenderingContext2D;
  size: { width: number; height: number };
  scroll: { x: number; y: number };
  at: Layout;
  picture: Picture;
  colors: Palette;
}

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
  const scene: Scene = { g, size, scroll, at, picture, colors };
  g.clearRect(0, 0, size.width, size.height);
  const mono = style.getPropertyValue("--mono");
  const [firstColumn, lastColumn] = span(scroll.x, size.width - at.left, at.width, at.columns);
  const [firstRow, lastRow] = span(scroll.y, size.height - at.top, at.height, at.rows);
  const gap = at.width >= 10 && at.height >= 8 ? 1 : gapOf(at);
  const signs = at.width >= 14 && at.height >= 14 && picture.by === "status";
  const words = at.width >= 14 && at.height >= 14 && (at.width >= WORDS_WIDE || at.height >= WORDS_HIGH);

  g.save();
  g.beginPath();
  g.rect(at.left, at.top, size.width, size.height);
  g.clip();
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.font = `11px ${mono}`;
  if (at.height < ROW_DENSE) dense(scene, firstColumn, lastColumn);
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
        if (signs && !words) {
          g.fillStyle = colors.full[kind];
          g.fillText(signOf(row, c), x + at.width / 2, y + at.height / 2 + 0.5);
        }
      }
      if (words && kind !== "absent") {
        const strong = picture.by === "time" && timeShare(row.times[c], picture.longest) > 0.5;
        cellWords(scene, row, c, x, y, strong ? colors.panel : colors.ink);
      }
      if (row.others.has(c)) {
        g.strokeStyle = colors.accent;
        g.lineWidth = 1.5;
        g.strokeRect(x + gap + 0.75, y + gap + 0.75, at.width - 2 * gap - 1.5, at.height - 2 * gap - 1.5);
      }
    }
  }
  for (const mark of picture.marks) {
    g.strokeStyle = colors.accent;
    g.lineWidth = 2;
    g.strokeRect(
      at.left + mark.column * at.width - scroll.x,
      at.top + mark.row * at.height - scroll.y,
      at.width,
      Math.max(2, at.height),
    );
  }
  g.restore();
  rowNames(scene, firstRow, lastRow);
  columnNames(scene, firstColumn, lastColumn);
}

const signOf = (row: MatrixRow, column: number): string =>
  row.others.has(column) ? `${SIGNS[kindOf(row, column)]} ≠` : SIGNS[kindOf(row, column)];
const gapOf = (at: Layout): number => (at.width >= 4 ? 0.5 : 0);

/** How the compile ended, how long it took and its function: in two lines where a cell is wide, upwards where it is only high. */
function cellWords(
  { g, at, picture }: Scene,
  row: MatrixRow,
  column: number,
  x: number,
  y: number,
  color: string,
): void {
  const first = `${signOf(row, column)} ${time(row.times[column])}`;
  const name = (row.others.get(column) ?? picture.functions[column] ?? "").split(" at ")[0]!;
  g.save();
  g.fillStyle = color;
  g.translate(x + at.width / 2, y + at.height / 2);
  if (at.width >= WORDS_WIDE) {
    const two = name && at.height >= 32;
    g.fillText(cut(g, first, at.width - 8), 0, two ? -7 : 0.5);
    if (two) g.fillText(cut(g, name, at.width - 8), 0, 8);
  } else {
    g.rotate(-Math.PI / 2);
    g.fillText(cut(g, name ? `${first} ${name}` : first, at.height - 8), 0, 0);
  }
  g.restore();
}

/** Rows that are too low for gaps: each line of pixels stands for the rows in it, and equal ones are one rectangle. */
function dense(scene: Scene, firstColumn: number, lastColumn: number): void {
  const { size, scroll, at, picture } = scene;
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
      if (last) fill(scene, last, x + gapOf(at), at.top + begin, at.width - 2 * gapOf(at), y - begin);
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

function fill({ g, colors }: Scene, look: string, x: number, y: number, width: number, height: number): void {
  if (look === "absent") return;
  const kind = colors.full[look as CellKind];
  g.fillStyle = kind ?? colors.time;
  g.globalAlpha = kind ? 1 : 0.1 + 0.9 * Number(look);
  g.fillRect(x, y, width, height);
  g.globalAlpha = 1;
}

function rowNames({ g, size, scroll, at, picture, colors }: Scene, from: number, to: number): void {
  const every = Math.max(1, Math.ceil(13 / at.height));
  g.save();
  g.beginPath();
  g.rect(0, at.top - 7, at.left, size.height); // half of the first name is above a low row
  g.clip();
  g.textAlign = "right";
  g.textBaseline = "middle";
  const marked = picture.marks.map((mark) => mark.row);
  for (let r = from; r < to; r++) {
    const on = isMarked(r, marked, at.height);
    if (!on && (r % every || besideMark(r, marked, at.height))) continue;
    const y = at.top + r * at.height - scroll.y;
    if (at.height <= ROW_HIGH && y + at.height / 2 < at.top) continue; // half of its name
    // Of a row that is partly in view, the name is.
    const middle = clamp(y + at.height / 2, at.top, Math.max(at.top, size.height - 7));
    g.fillStyle = on ? colors.accent : colors.text;
    g.fillText(cut(g, picture.names[r]!, at.left - 14), at.left - 8, at.height > ROW_HIGH ? middle : y + at.height / 2);
  }
  g.restore();
}

function columnNames({ g, size, scroll, at, picture, colors }: Scene, from: number, to: number): void {
  const every = Math.max(1, Math.ceil(13 / at.width));
  g.save();
  g.beginPath();
  g.rect(at.left - 4, 0, size.width, at.top);
  g.clip();
  g.textAlign = "left";
  g.textBaseline = "middle";
  const marked = picture.marks.map((mark) => mark.column);
  for (let c = from; c < to; c++) {
    const on = isMarked(c, marked, at.width);
    if (!on && (c % every || besideMark(c, marked, at.width))) continue;
    g.save();
    g.translate(at.left + c * at.width - scroll.x + at.width / 2, at.top - 6);
    g.rotate(-Math.PI / 2);
    g.fillStyle = on ? colors.accent : colors.text;
    g.fillText(cut(g, picture.ids[c]!, at.top - 10), 0, 0);
    g.restore();
  }
  g.restore();
}

/** The last mark wins where the names of two have no room. */
const isMarked = (n: number, marked: readonly number[], size: number): boolean =>
  marked.some((mark, i) => mark === n && !besideMark(n, marked.slice(i + 1), size));

/** Whether its name would be below that of a marked row or column. */
const besideMark = (n: number, marked: readonly number[], size: number): boolean =>
  marked.some((mark) => mark !== n && Math.abs(mark - n) * size < 12);

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
  ink: string;
  panel: string;
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
    ink: get("text"),
    panel: get("panel"),
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

// Draws the bars in view on a canvas.
import { fitCanvas } from "../canvas";
import { paletteOf } from "../colors";
import { time } from "../text";
import { STATUSES } from "../status";
import { eachVisible, type Bars } from "./bars";
import { ticks, type View } from "./scale";

export const ROW_HEIGHT = 18;
export const AXIS_HEIGHT = 22;

export interface Picture {
  bars: Bars;
  view: View;
  /** how far it is scrolled down */
  top: number;
  width: number;
  height: number;
  /** times along the top; else no axis */
  axis: boolean;
  selected: number;
  hovered: number;
  /** 1 for those that are found; null: nothing is searched for, and none is pale */
  found: Uint8Array | null;
  range: View | null;
}

export function paint(canvas: HTMLCanvasElement, picture: Picture): void {
  const { bars, view, width, height, top } = picture;
  const g = fitCanvas(canvas, width, height);
  if (!g) return;
  const colors = palette(canvas);
  const head = picture.axis ? AXIS_HEIGHT : 0;
  g.fillStyle = colors.panel;
  g.fillRect(0, 0, width, height);
  g.font = `11px ${colors.sans}`;
  g.textBaseline = "middle";
  const scale = width / (view.to - view.from);
  const marks = picture.axis ? ticks(view, width) : [];
  g.fillStyle = colors.line;
  for (const mark of marks) g.fillRect(Math.round((mark - view.from) * scale), 0, 1, height);

  const first = Math.max(0, Math.floor(top / ROW_HEIGHT));
  const last = Math.min(bars.rows.length, Math.ceil((top + height - head) / ROW_HEIGHT));
  for (let row = first; row < last; row++) {
    const y = head + row * ROW_HEIGHT - top;
    const { heading, folded } = bars.rows[row]!;
    if (heading !== undefined) {
      g.fillStyle = colors.page;
      g.fillRect(0, y, width, ROW_HEIGHT);
      g.fillStyle = colors.text2;
      g.font = `600 11px ${colors.sans}`;
      triangle(g, 10, y + ROW_HEIGHT / 2, folded ?? false);
      g.fillText(heading, 18, y + ROW_HEIGHT / 2 + 0.5, width - 24);
      g.font = `11px ${colors.sans}`;
      continue;
    }
    const instants: [item: number, x: number][] = [];
    eachVisible(bars, row, view, width, (item, x, wide, more) =>
      bars.look[item] === 2 ? void instants.push([item, x]) : bar(g, picture, colors, item, x, wide, more, y),
    );
    for (const [item, x] of instants) bar(g, picture, colors, item, x, 0, false, y);
  }
  if (picture.range) {
    const [x1, x2] = [(picture.range.from - view.from) * scale, (picture.range.to - view.from) * scale];
    g.globalAlpha = 0.55;
    g.fillStyle = colors.page;
    g.fillRect(0, head, Math.max(0, x1), height);
    g.fillRect(Math.max(0, x2), head, width, height);
    g.globalAlpha = 1;
    g.fillStyle = colors.accent;
    g.fillRect(x1 - 1, head, 2, height);
    g.fillRect(x2 - 1, head, 2, height);
  }
  if (picture.axis) {
    g.fillStyle = colors.panel;
    g.fillRect(0, 0, width, head);
    g.fillStyle = colors.strong;
    g.fillRect(0, head - 1, width, 1);
    g.fillStyle = colors.text2;
    const decimals = places(marks);
    for (const mark of marks) g.fillText(axisTime(mark, decimals), (mark - view.from) * scale + 4, head / 2);
  }
}

/** Points down at an expanded track, right at a collapsed one. */
function triangle(g: CanvasRenderingContext2D, x: number, y: number, right: boolean): void {
  g.beginPath();
  for (const [along, across] of [
    [-2, -4],
    [-2, 4],
    [3, 0],
  ] as const)
    g.lineTo(x + (right ? along : across), y + (right ? across : along));
  g.fill();
}

function bar(
  g: CanvasRenderingContext2D,
  picture: Picture,
  colors: Palette,
  item: number,
  x: number,
  wide: number,
  more: boolean,
  y: number,
): void {
  const { bars, width, found } = picture;
  const left = Math.max(x, -2);
  const right = Math.min(x + wide, width + 2);
  const w = Math.max(more ? 1 : 0.75, right - left - (wide > 3 ? 1 : 0));
  const pale = found !== null && !found[item];
  const look = bars.look[item]!;
  g.globalAlpha = pale ? 0.25 : 1;
  g.fillStyle = colors.soft[bars.color[item]!]!;
  if (look === 2) {
    g.fillStyle = colors.accent;
    g.beginPath();
    g.moveTo(x, y + 3);
    g.lineTo(x + 5, y + 9);
    g.lineTo(x, y + 15);
    g.lineTo(x - 5, y + 9);
    g.fill();
  } else {
    g.fillRect(left, y + 1, w, ROW_HEIGHT - 2);
    if (w > 3) {
      g.fillStyle = colors.full[bars.color[item]!]!;
      g.fillRect(left, y + ROW_HEIGHT - 3, w, 2);
    }
  }
  if (look === 1 && w > 10) {
    // Its end was never logged: a torn edge.
    g.fillStyle = colors.error;
    for (let k = 0; k < 4; k++) g.fillRect(right - 4 + (k % 2) * 2, y + 1 + k * 4, 2, 4);
  }
  g.globalAlpha = 1;
  if (found && !pale && look !== 2) {
    g.strokeStyle = colors.accent;
    g.lineWidth = 1;
    g.strokeRect(left + 0.5, y + 1.5, Math.max(0.5, w - 1), ROW_HEIGHT - 3);
  }
  if (w > 24 && look !== 2) {
    g.fillStyle = pale ? colors.text2 : colors.text;
    const label = `${look === 1 ? "✂ " : ""}${bars.label(item)}`;
    const text = cut(g, label, w - 8);
    if (text) g.fillText(text, left + 4, y + ROW_HEIGHT / 2 + 0.5);
    const note = bars.note?.(item);
    if (note && (label.length + note.length + 2) * LETTER <= w - 8) {
      g.fillStyle = colors.text2;
      g.fillText(note, left + 10 + g.measureText(text).width, y + ROW_HEIGHT / 2 + 0.5);
    }
  }
  if (item === picture.selected || item === picture.hovered) {
    g.strokeStyle = item === picture.selected ? colors.accent : colors.text2;
    g.lineWidth = item === picture.selected ? 2 : 1;
    g.strokeRect(left + 0.5, y + 1, Math.max(2, w), ROW_HEIGHT - 2);
  }
}

/** No letter on average is wider than so many points. */
const LETTER = 7.5;

/** Widths of letters differ little: one division instead of a measure for each bar that surely fits or surely does not. */
function cut(g: CanvasRenderingContext2D, text: string, width: number): string {
  if (text.length * LETTER <= width || g.measureText(text).width <= width) return text;
  let kept = Math.floor(width / 5);
  while (kept > 0 && g.measureText(`${text.slice(0, kept)}…`).width > width) kept -= Math.max(1, Math.floor(kept / 12));
  return kept < 3 ? "" : `${text.slice(0, kept)}…`;
}

/** How many decimals make neighboring marks differ. */
function places(marks: readonly number[]): { unit: "µs" | "ms" | "s"; digits: number } {
  const step = marks.length > 1 ? marks[1]! - marks[0]! : 1;
  const unit = step >= 100_000 ? "s" : step >= 100 ? "ms" : "µs";
  const one = unit === "s" ? 1e6 : unit === "ms" ? 1e3 : 1;
  return { unit, digits: Math.max(0, Math.min(3, -Math.floor(Math.log10(step / one) + 1e-9))) };
}

function axisTime(us: number, { unit, digits }: ReturnType<typeof places>): string {
  return us === 0 ? time(0) : `${(us / (unit === "s" ? 1e6 : unit === "ms" ? 1e3 : 1)).toFixed(digits)}\u00a0${unit}`;
}

interface Palette {
  panel: string;
  page: string;
  line: string;
  strong: string;
  text: string;
  text2: string;
  accent: string;
  error: string;
  sans: string;
  full: string[];
  soft: string[];
}

const palette = paletteOf<Palette>((work, canvas) => {
  const get = (name: string): string => work(`var(--${name})`);
  const each = (make: (n: number) => string): string[] => Array.from({ length: 8 }, (_, n) => make(n));
  return {
    panel: get("panel"),
    page: get("page"),
    line: get("line"),
    strong: get("line-strong"),
    text: get("text"),
    text2: get("text-2"),
    accent: get("accent"),
    error: get("error"),
    sans: getComputedStyle(canvas).getPropertyValue("--sans"),
    full: [...each((n) => get(`p${n}`)), ...STATUSES.map(get)],
    soft: [
      ...each((n) => work(`color-mix(in srgb, var(--p${n}) 34%, var(--panel))`)),
      ...STATUSES.map((status) => get(`${status}-soft`)),
    ],
  };
});

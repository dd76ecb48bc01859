// Draws a laid out graph on a canvas: what is in view only, and less of each node the smaller it is.
import { fitCanvas } from "../canvas";
import { paletteOf } from "../colors";
import type { DrawnNode, NodeKind } from "./drawing";
import type { Layout } from "./layout";

export const NODE_HEIGHT = 36;

/** Sign and name of a kind, so that none is recognized by its color alone. */
export const KINDS: Record<NodeKind, { sign: string; name: string }> = {
  input: { sign: "▼", name: "input (placeholder)" },
  attr: { sign: "◆", name: "attribute (get_attr)" },
  output: { sign: "■", name: "output" },
  matmul: { sign: "×", name: "matrix product, convolution, attention" },
  pointwise: { sign: "+", name: "pointwise" },
  view: { sign: "▱", name: "view, element, slice" },
  reduction: { sign: "Σ", name: "reduction, normalisation" },
  collective: { sign: "⇄", name: "collective" },
  subgraph: { sign: "❖", name: "calls subgraphs" },
  other: { sign: "○", name: "other operator" },
};

/** Where the drawing's point (0, 0) is in the box, and how large one point of it is. */
export interface Camera {
  x: number;
  y: number;
  zoom: number;
}

export interface Scene {
  nodes: readonly DrawnNode[];
  edges: Int32Array;
  widths: Float32Array;
  layout: Layout;
  /** of the boxes of the layout */
  titles?: readonly string[];
}

export interface Marks {
  selected: number;
  hovered: number;
  found: Uint8Array | null;
}

interface Palette {
  kinds: Record<NodeKind, string>;
  panel: string;
  page: string;
  text: string;
  text2: string;
  line: string;
  accent: string;
  select: string;
  found: string;
  sans: string;
  mono: string;
}

const VARS: Record<NodeKind, string> = {
  input: "--link",
  attr: "--missing",
  output: "--accent",
  matmul: "--p5",
  pointwise: "--p3",
  view: "--text-3",
  reduction: "--p4",
  collective: "--p6",
  subgraph: "--p2",
  other: "--p7",
};

const palette = paletteOf<Palette>((work, canvas) => {
  const style = getComputedStyle(canvas);
  const of = (name: string) => work(`var(${name})`);
  return {
    kinds: Object.fromEntries(Object.entries(VARS).map(([kind, name]) => [kind, of(name)])) as Record<NodeKind, string>,
    panel: of("--panel"),
    page: of("--page"),
    text: of("--text"),
    text2: of("--text-2"),
    line: of("--line-strong"),
    accent: of("--accent"),
    select: of("--select"),
    found: of("--found"),
    sans: style.getPropertyValue("--sans"),
    mono: style.getPropertyValue("--mono"),
  };
});

/** Below this zoom texts are left out. */
const TEXT_ZOOM = 0.38;

export function paint(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  scene: Scene | null,
  camera: Camera,
  marks: Marks,
): void {
  const g = fitCanvas(canvas, width, height);
  if (!g) return;
  const colors = palette(canvas);
  g.fillStyle = colors.panel;
  g.fillRect(0, 0, width, height);
  if (!scene) return;
  const { zoom } = camera;
  g.translate(camera.x, camera.y);
  g.scale(zoom, zoom);
  const view = {
    left: -camera.x / zoom,
    top: -camera.y / zoom,
    right: (width - camera.x) / zoom,
    bottom: (height - camera.y) / zoom,
  };
  drawBoxes(g, scene, view, zoom, colors);
  drawEdges(g, scene, marks, view, zoom, colors);
  drawNodes(g, scene, marks, view, zoom, colors);
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function drawBoxes(
  g: CanvasRenderingContext2D,
  { layout: { boxes }, titles }: Scene,
  view: Box,
  zoom: number,
  colors: Palette,
): void {
  if (!boxes || !titles) return;
  const small = zoom < TEXT_ZOOM; // then the titles are beside the boxes
  g.textBaseline = "middle";
  g.textAlign = small ? "right" : "left";
  g.font = `600 ${small ? 11 / zoom : 12}px ${colors.mono}`;
  g.lineWidth = 1 / Math.min(1, zoom);
  titles.forEach((title, i) => {
    const [x, y, w, h] = [boxes[4 * i]!, boxes[4 * i + 1]!, boxes[4 * i + 2]!, boxes[4 * i + 3]!];
    if (x > view.right || x + w < view.left || y > view.bottom || y + h < view.top) return;
    g.beginPath();
    g.roundRect(x, y, w, h, 8);
    g.fillStyle = colors.page;
    g.fill();
    g.strokeStyle = colors.line;
    g.stroke();
    g.fillStyle = colors.text2;
    if (!small) g.fillText(title, x + 12, y + 14, w - 20);
    else if (h * zoom > 12) g.fillText(title, x - 6 / zoom, y + 8 / zoom);
  });
  g.textAlign = "left";
}

function drawEdges(
  g: CanvasRenderingContext2D,
  scene: Scene,
  { selected }: Marks,
  view: Box,
  zoom: number,
  colors: Palette,
): void {
  const { edges, layout } = scene;
  const strokes: [dash: boolean, near: boolean][] = [
    [true, false],
    [false, false],
    [true, true],
    [false, true],
  ];
  for (const [dash, near] of strokes) {
    g.beginPath();
    g.setLineDash(dash ? [5 / zoom, 5 / zoom] : []);
    for (let e = 0; e < edges.length / 2; e++) {
      const from = edges[2 * e]!;
      const to = edges[2 * e + 1]!;
      if ((layout.long[e] === 1) !== dash || (from === selected || to === selected) !== near) continue;
      if (layout.y[to]! < view.top || layout.y[from]! > view.bottom) continue;
      edgePath(g, layout, e, from, to);
    }
    g.strokeStyle = near ? colors.accent : colors.text2;
    g.globalAlpha = near ? 1 : dash ? 0.22 : 0.6;
    g.lineWidth = (near ? 2 : 1) / Math.min(1, Math.max(zoom, 0.2));
    g.stroke();
  }
  g.setLineDash([]);
  g.globalAlpha = 1;
  if (zoom < TEXT_ZOOM / 2) return;
  for (let e = 0; e < edges.length / 2; e++) {
    if (layout.long[e]) continue;
    const to = edges[2 * e + 1]!;
    if (layout.y[to]! < view.top || layout.y[to]! - NODE_HEIGHT > view.bottom) continue;
    arrowHead(g, layout, e, to, edges[2 * e] === selected || to === selected ? colors.accent : colors.text2);
  }
}

function edgePath(g: CanvasRenderingContext2D, layout: Layout, e: number, from: number, to: number): void {
  const x0 = layout.x[from]!;
  const y0 = layout.y[from]! + NODE_HEIGHT / 2;
  const x1 = layout.x[to]!;
  const y1 = layout.y[to]! - NODE_HEIGHT / 2;
  g.moveTo(x0, y0);
  if (layout.long[e]) {
    g.bezierCurveTo(x0, y0 + 120, x1, y1 - 120, x1, y1);
    return;
  }
  // Through the middles of the bends, with each bend as the control point: one smooth line.
  let [px, py] = [x0, y0];
  const end = layout.starts[e + 1]!;
  for (let i = layout.starts[e]!; i < end; i += 2) {
    const bx = layout.bends[i]!;
    const by = layout.bends[i + 1]!;
    const last = i + 2 >= end;
    const nx = last ? x1 : (bx + layout.bends[i + 2]!) / 2;
    const ny = last ? y1 : (by + layout.bends[i + 3]!) / 2;
    if (px === bx && bx === nx) g.lineTo(nx, ny);
    else g.quadraticCurveTo(bx, by, nx, ny);
    [px, py] = [nx, ny];
  }
  if (py !== y1) g.lineTo(x1, y1);
}

function arrowHead(g: CanvasRenderingContext2D, layout: Layout, e: number, to: number, color: string): void {
  const end = layout.starts[e + 1]!;
  const x = layout.x[to]!;
  const y = layout.y[to]! - NODE_HEIGHT / 2;
  const from = end > layout.starts[e]! ? { x: layout.bends[end - 2]!, y: layout.bends[end - 1]! } : { x, y: y - 10 };
  const angle = Math.atan2(y - from.y, x - from.x);
  g.fillStyle = color;
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x - 7 * Math.cos(angle - 0.4), y - 7 * Math.sin(angle - 0.4));
  g.lineTo(x - 7 * Math.cos(angle + 0.4), y - 7 * Math.sin(angle + 0.4));
  g.fill();
}

function drawNodes(
  g: CanvasRenderingContext2D,
  { nodes, widths, layout }: Scene,
  { selected, hovered, found }: Marks,
  view: Box,
  zoom: number,
  colors: Palette,
): void {
  g.textBaseline = "middle";
  const texts = zoom >= TEXT_ZOOM;
  for (let i = 0; i < nodes.length; i++) {
    const w = widths[i]!;
    const x = layout.x[i]! - w / 2;
    const y = layout.y[i]! - NODE_HEIGHT / 2;
    if (x > view.right || x + w < view.left || y > view.bottom || y + NODE_HEIGHT < view.top) continue;
    const { kind, title, note } = nodes[i]!;
    const color = colors.kinds[kind];
    const pale = found !== null && !found[i] && i !== selected;
    g.globalAlpha = pale ? 0.3 : 1;
    outline(g, kind, x, y, w);
    g.fillStyle = i === selected ? colors.select : found?.[i] ? colors.found : colors.panel;
    g.fill();
    g.lineWidth = i === selected ? Math.max(2.5, 2.5 / zoom) : i === hovered || found?.[i] ? 2 : 1.2;
    g.strokeStyle = i === selected ? colors.accent : color;
    g.stroke();
    if (!texts) {
      g.globalAlpha *= 0.45;
      g.fillStyle = color;
      g.fill();
      continue;
    }
    g.fillStyle = color;
    g.fillRect(x + 9, y + 7, 3, NODE_HEIGHT - 14);
    g.fillStyle = colors.text;
    g.font = `600 12px ${colors.sans}`;
    g.fillText(`${KINDS[kind].sign} ${title}`, x + 18, y + 12, w - 26);
    g.fillStyle = colors.text2;
    g.font = `10.5px ${colors.mono}`;
    g.fillText(note, x + 18, y + 26, w - 26);
  }
  g.globalAlpha = 1;
}

/** Inputs and outputs have round ends, attributes cut corners, views lean; all else is a box. */
function outline(g: CanvasRenderingContext2D, kind: NodeKind, x: number, y: number, w: number): void {
  const h = NODE_HEIGHT;
  g.beginPath();
  if (kind === "input" || kind === "output") return g.roundRect(x, y, w, h, h / 2);
  if (kind !== "attr" && kind !== "view") return g.roundRect(x, y, w, h, 4);
  const c = kind === "attr" ? 9 : 6;
  g.moveTo(x + c, y);
  g.lineTo(x + w - (kind === "attr" ? c : 0), y);
  if (kind === "attr") g.lineTo(x + w, y + h / 2);
  g.lineTo(x + w - c, y + h);
  g.lineTo(x + (kind === "attr" ? c : 0), y + h);
  if (kind === "attr") g.lineTo(x, y + h / 2);
  g.closePath();
}

/** How wide nodes must be for their texts. */
export function widthsOf(canvas: HTMLCanvasElement, nodes: readonly DrawnNode[]): Float32Array {
  const g = canvas.getContext("2d");
  const widths = new Float32Array(nodes.length).fill(160);
  if (!g) return widths;
  const { sans, mono } = palette(canvas);
  g.font = `10.5px ${mono}`;
  const letter = g.measureText("0123456789").width / 10;
  g.font = `600 12px ${sans}`;
  nodes.forEach(({ title, note }, i) => {
    widths[i] = Math.ceil(
      Math.min(330, Math.max(90, g.measureText(`× ${title}`).width + 32, note.length * letter + 32)),
    );
  });
  return widths;
}

/** The node at a point of the drawing; -1 for none. Later nodes are drawn above earlier ones. */
export function nodeAt({ widths, layout }: Scene, x: number, y: number): number {
  for (let i = widths.length - 1; i >= 0; i--) {
    if (Math.abs(layout.y[i]! - y) <= NODE_HEIGHT / 2 && Math.abs(layout.x[i]! - x) <= widths[i]! / 2) return i;
  }
  return -1;
}

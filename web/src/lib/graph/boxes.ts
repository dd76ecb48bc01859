// Places the nodes of a drawing in boxes: each box is laid out by itself, then boxes and the nodes outside of them as nodes of their sizes.
import { layoutOf, ranksOf, type Layout, type LayoutRequest } from "./layout";

const PAD = 12;
/** for its title */
const TOP = 30;

interface Box {
  nodes: number[];
  inner: Layout;
  /** of the edges within it: their places in `inner` */
  edges: Map<number, number>;
}

export function boxedLayout(request: LayoutRequest): Layout {
  const { boxes: boxOf, widths, edges } = request;
  if (!boxOf?.some((box) => box >= 0)) return layoutOf(request);
  const n = widths.length;
  const items = itemsOf(n, edges, boxOf);
  if (!items) return layoutOf(request); // a text that no FX graph has
  const boxes = boxesOf(request, boxOf);
  const itemOf = new Map(items.map((item, i) => [item, i]));
  const of = (node: number) => itemOf.get(boxOf[node]! < 0 ? n + node : boxOf[node]!)!;
  const pairs = new Map<string, number>();
  const between: number[] = [];
  for (let e = 0; e < edges.length; e += 2) {
    const [from, to] = [of(edges[e]!), of(edges[e + 1]!)];
    if (from === to || pairs.has(`${from} ${to}`)) continue;
    pairs.set(`${from} ${to}`, pairs.size);
    between.push(from, to);
  }
  const size = (item: number, ofBox: (box: Layout) => number, ofNode: (node: number) => number) =>
    item < n ? ofBox(boxes[item]!.inner) : ofNode(item - n);
  const layout = layoutOf({
    widths: Float32Array.from(items, (item) =>
      size(
        item,
        (box) => box.width + 2 * PAD,
        (i) => widths[i]!,
      ),
    ),
    heights: Float32Array.from(items, (item) =>
      size(
        item,
        (box) => box.height + PAD + TOP,
        () => request.height,
      ),
    ),
    height: request.height,
    edges: Int32Array.from(between),
  });
  return joined(request, boxOf, boxes, { layout, of, pairs });
}

/** The nodes and edges of each box, laid out. */
function boxesOf({ widths, height, edges }: LayoutRequest, boxOf: Int32Array): Box[] {
  const nodes: number[][] = Array.from({ length: Math.max(...boxOf) + 1 }, () => []);
  const own: number[][] = nodes.map(() => []);
  boxOf.forEach((box, i) => box >= 0 && nodes[box]!.push(i));
  for (let e = 0; e < edges.length / 2; e++) {
    const box = boxOf[edges[2 * e]!]!;
    if (box >= 0 && box === boxOf[edges[2 * e + 1]!]) own[box]!.push(e);
  }
  return nodes.map((list, box) => {
    const place = new Map(list.map((node, i) => [node, i]));
    const inside = own[box]!.flatMap((e) => [place.get(edges[2 * e]!)!, place.get(edges[2 * e + 1]!)!]);
    const inner = layoutOf({
      widths: Float32Array.from(list, (node) => widths[node]!),
      height,
      edges: Int32Array.from(inside),
    });
    return { nodes: list, inner, edges: new Map(own[box]!.map((e, i) => [e, i])) };
  });
}

/** Boxes (their numbers) and nodes outside of them (n and their places), so that all edges lead to later ones; null if some are in a circle. */
function itemsOf(n: number, edges: Int32Array, boxOf: Int32Array): number[] | null {
  const later = new Map<number, Set<number>>();
  const open = new Map<number, number>();
  const item = (node: number) => (boxOf[node]! < 0 ? n + node : boxOf[node]!);
  for (let i = 0; i < n; i++) if (!later.has(item(i))) later.set(item(i), new Set());
  for (let e = 0; e < edges.length; e += 2) {
    const [from, to] = [item(edges[e]!), item(edges[e + 1]!)];
    if (from === to || later.get(from)!.has(to)) continue;
    later.get(from)!.add(to);
    open.set(to, (open.get(to) ?? 0) + 1);
  }
  const order = [...later.keys()].filter((one) => !open.get(one));
  for (const one of order)
    for (const next of later.get(one)!) {
      open.set(next, open.get(next)! - 1);
      if (!open.get(next)) order.push(next);
    }
  return order.length === later.size ? order : null;
}

interface Outer {
  layout: Layout;
  /** the place in it of the box of a node, or of the node */
  of: (node: number) => number;
  /** the places of its edges, by those of their ends */
  pairs: ReadonlyMap<string, number>;
}

/** The middles of nodes, and left, top, width and height of boxes. */
function placed(boxOf: Int32Array, boxes: readonly Box[], { layout, of }: Outer) {
  const [x, y] = [new Float32Array(boxOf.length), new Float32Array(boxOf.length)];
  const frames = new Float32Array(4 * boxes.length);
  for (let i = 0; i < boxOf.length; i++) if (boxOf[i]! < 0) [x[i], y[i]] = [layout.x[of(i)]!, layout.y[of(i)]!];
  boxes.forEach(({ nodes, inner }, box) => {
    const [width, height] = [inner.width + 2 * PAD, inner.height + PAD + TOP];
    const left = layout.x[of(nodes[0]!)]! - width / 2;
    const top = layout.y[of(nodes[0]!)]! - height / 2;
    frames.set([left, top, width, height], 4 * box);
    nodes.forEach((node, i) => {
      x[node] = left + PAD + inner.x[i]!;
      y[node] = top + TOP + inner.y[i]!;
    });
  });
  return { x, y, frames };
}

function joined({ edges, height }: LayoutRequest, boxOf: Int32Array, boxes: readonly Box[], outer: Outer): Layout {
  const { x, y, frames } = placed(boxOf, boxes, outer);
  const starts = new Int32Array(edges.length / 2 + 1);
  const long = new Uint8Array(edges.length / 2);
  const bends: number[] = [];
  for (let e = 0; e < long.length; e++) {
    const [from, to] = [edges[2 * e]!, edges[2 * e + 1]!];
    const [a, b] = [boxOf[from]!, boxOf[to]!];
    starts[e] = bends.length;
    const inside = a >= 0 && a === b;
    const within = inside ? boxes[a]!.inner : outer.layout;
    const k = inside ? boxes[a]!.edges.get(e)! : outer.pairs.get(`${outer.of(from)} ${outer.of(to)}`)!;
    long[e] = within.long[k]!;
    if (long[e]) continue;
    const [left, top] = inside ? [frames[4 * a]! + PAD, frames[4 * a + 1]! + TOP] : [0, 0];
    if (!inside && a >= 0) bends.push(x[from]!, frames[4 * a + 1]! + frames[4 * a + 3]!);
    for (let i = within.starts[k]!; i < within.starts[k + 1]!; i += 2)
      bends.push(left + within.bends[i]!, top + within.bends[i + 1]!);
    if (!inside && b >= 0) bends.push(x[to]!, frames[4 * b + 1]! - height / 4);
  }
  starts[long.length] = bends.length;
  const { width, height: tall } = outer.layout;
  const paths = { starts, bends: Float32Array.from(bends), long };
  return { x, y, rank: ranksOf(x.length, edges), ...paths, width, height: tall, boxes: frames };
}

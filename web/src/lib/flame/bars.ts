// Bars in rows: what a flame chart and a flame graph have in common. Columns of numbers, since there may be a million of them.
import type { View } from "./scale";

export interface Row {
  /** the bars of the row, from left to right; they do not overlap */
  items: Int32Array;
  /** a row of its own for a heading: no bars */
  heading?: string;
  /** of a heading: what a click on it collapses or expands */
  track?: number;
  folded?: boolean;
}

export interface Bars {
  rows: readonly Row[];
  from: Float64Array;
  to: Float64Array;
  row: Int32Array;
  /** a color of the page: p0 … p7, then those of the statuses */
  color: Uint8Array;
  /** 1: drawn as open at its end, 2: an instant */
  look: Uint8Array;
  label: (item: number) => string;
  /** shown after the label if both fit; "" for none */
  note?: (item: number) => string;
}

/** The first bar of the row that ends after `at`. */
export function firstBehind(bars: Bars, items: Int32Array, at: number, low = 0): number {
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars.to[items[middle]!]! > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The bar of a row at a place, or the nearest one within `near`; -1 for none. */
export function barAt(bars: Bars, row: number, at: number, near: number): number {
  const items = bars.rows[row]?.items;
  if (!items?.length) return -1;
  const k = firstBehind(bars, items, at);
  let best = -1;
  let away = near;
  for (const place of [k - 1, k]) {
    const item = items[place];
    if (item === undefined) continue;
    const distance = Math.max(0, bars.from[item]! - at, at - bars.to[item]!);
    if (distance <= away && (best < 0 || distance < away)) [best, away] = [item, distance];
  }
  return best;
}

/**
 * The bars of a row that are to be drawn, each with its place on the screen. Bars narrower than a point share one: so a row
 * costs as much as it has points, however many bars it holds.
 */
export function eachVisible(
  bars: Bars,
  row: number,
  view: View,
  width: number,
  put: (item: number, x: number, w: number, more: boolean) => void,
): void {
  const items = bars.rows[row]!.items;
  const scale = width / (view.to - view.from);
  let k = firstBehind(bars, items, view.from);
  // An instant ends where it begins, perhaps exactly at the edge.
  while (k > 0 && bars.to[items[k - 1]!]! >= view.from) k--;
  while (k < items.length) {
    const item = items[k]!;
    const from = bars.from[item]!;
    if (from > view.to) return;
    const x = (from - view.from) * scale;
    const w = (bars.to[item]! - from) * scale;
    if (w >= 1) {
      put(item, x, w, false);
      k++;
      continue;
    }
    // All that end within this point.
    const next = Math.max(k + 1, firstBehind(bars, items, view.from + (Math.floor(x) + 1) / scale, k + 1));
    put(item, x, w, next > k + 1);
    k = next;
  }
}

/** Puts bars into rows by depth. `order` has them from left to right. */
export function rowsOf(depths: Int32Array, order: Int32Array, first: number, count: number): Row[] {
  const sizes = new Int32Array(count);
  for (const item of order) sizes[depths[item]! - first]!++;
  const rows: Row[] = Array.from(sizes, (size) => ({ items: new Int32Array(size) }));
  sizes.fill(0);
  for (const item of order) {
    const row = depths[item]! - first;
    rows[row]!.items[sizes[row]!++] = item;
  }
  return rows;
}

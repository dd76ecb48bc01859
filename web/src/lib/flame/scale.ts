// What part of the whole is in view, and how it changes: the arithmetic of zooming and panning, without a page.
export interface View {
  from: number;
  to: number;
}

/** As narrow as this, and no narrower. */
const NARROWEST = 10;

/** The view within the whole: it stops at the edges, and is no wider. */
export function clampView(view: View, whole: View): View {
  const most = Math.max(whole.to - whole.from, NARROWEST);
  const span = Math.min(most, Math.max(NARROWEST, view.to - view.from));
  if (!Number.isFinite(span) || !Number.isFinite(view.from)) return { from: whole.from, to: whole.from + most };
  const from = Math.min(Math.max(view.from, whole.from), whole.from + most - span);
  return { from, to: from + span };
}

/** A `factor` below 1 zooms in; the position `at` keeps its place on the screen. */
export function zoom(view: View, factor: number, at: number, whole: View): View {
  const span = Math.max(NARROWEST, (view.to - view.from) * factor);
  const share = (at - view.from) / Math.max(view.to - view.from, 1e-9);
  return clampView({ from: at - span * share, to: at - span * share + span }, whole);
}

export function pan(view: View, by: number, whole: View): View {
  return clampView({ from: view.from + by, to: view.to + by }, whole);
}

/** A view in which the item fills most of the width. */
export function fit(from: number, to: number, whole: View): View {
  const room = Math.max((to - from) * 0.1, 1);
  return clampView({ from: from - room, to: to + room }, whole);
}

/** Places of marks on an axis: 1, 2 or 5 times a power of ten, at least `least` apart on the screen. */
export function ticks(view: View, width: number, least = 90): number[] {
  const span = view.to - view.from;
  if (!(span > 0) || !(width > 0)) return [];
  const rough = (span * least) / width;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power;
  const out = [];
  for (let at = Math.ceil(view.from / step) * step; at <= view.to && out.length < 200; at += step) out.push(at);
  return out;
}

/** "1200-3400" as a view, for addresses. */
export function parseView(text: string | undefined): View | null {
  const found = /^(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?)$/.exec(text ?? "");
  if (!found) return null;
  const [from, to] = [Number(found[1]), Number(found[2])];
  return to > from ? { from, to } : null;
}

export const formatView = (view: View): string => `${Math.floor(view.from)}-${Math.ceil(view.to)}`;

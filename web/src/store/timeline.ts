// Queries of a timeline: search, totals of a part, and steps from span to span.
import { rowsOf, type Bars, type Row } from "../lib/flame/bars";
import type { View } from "../lib/flame/scale";
import { plural, words } from "../lib/text";
import { parseKey } from "./compile-name";
import { phaseOf, type Phases } from "./phases";
import { COMPILE, INSTANT, NO_END, type Timeline, type TimelineTotal } from "./timeline-data";

/** The tracks that have spans, by their places. */
export const tracksOf = (timeline: Pick<Timeline, "lanes">): number[] =>
  timeline.lanes.flatMap((lane, i) => (lane.end > lane.first ? [i] : []));

/** With more tracks than this, all of them begin collapsed. */
const OPEN_TRACKS = 8;

/** The collapsed tracks that an address names, and back. */
export function parseFold(text: string | undefined, tracks: readonly number[]): ReadonlySet<number> {
  if (text === "all" || (!text && tracks.length > OPEN_TRACKS)) return new Set(tracks);
  const named = new Set((text ?? "").split(",").map((word) => (/^\d+$/.test(word) ? Number(word) : -1)));
  return new Set(tracks.filter((track) => named.has(track)));
}

export function formatFold(fold: ReadonlySet<number>, tracks: readonly number[]): string | null {
  const many = tracks.length > OPEN_TRACKS;
  if (fold.size === tracks.length) return many ? null : "all";
  if (!fold.size) return many ? "none" : null;
  return [...fold].sort((a, b) => a - b).join(",");
}

/** A heading for each track, then a row for each depth; a collapsed track has one row with its outermost spans. */
export function timelineBars(report: Phases, timeline: Timeline, fold: ReadonlySet<number> = new Set()): Bars {
  const rows: Row[] = [];
  const row = new Int32Array(timeline.count);
  const look = new Uint8Array(timeline.count);
  const colors = [...timeline.phases, undefined].map((phase) => phaseOf(report, phase).color);
  const color = new Uint8Array(timeline.count);
  for (const track of tracksOf(timeline)) {
    const lane = timeline.lanes[track]!;
    const folded = fold.has(track);
    const order = [];
    for (let i = lane.first; i < lane.end; i++) {
      const depth = folded ? 0 : timeline.depth[i]!;
      if (depth === timeline.depth[i]) order.push(i);
      row[i] = rows.length + 1 + depth;
      look[i] = timeline.flags[i]! & INSTANT ? 2 : timeline.flags[i]! & NO_END ? 1 : 0;
      color[i] = colors[timeline.phase[i]! < 0 ? timeline.phases.length : timeline.phase[i]!]!;
    }
    const first = rows.length + 1;
    rows.push({ items: new Int32Array(0), heading: lane.title, track, folded });
    rows.push(...rowsOf(row, Int32Array.from(order), first, folded ? 1 : lane.depth));
  }
  return {
    rows,
    from: timeline.from,
    to: timeline.to,
    row,
    color,
    look,
    label: (i) => spanLabel(timeline, i),
    note: (i) => (timeline.flags[i]! & COMPILE || timeline.id[i]! < 0 ? "" : `[${idText(timeline, i)}]`),
  };
}

const idText = (timeline: Timeline, span: number): string => timeline.ids[timeline.id[span]!]!.replace("#", " #");

/** "[0/0] forward" for the whole compile of a frame, else the name of the span. */
export function spanLabel(timeline: Timeline, span: number): string {
  const name = timeline.names[timeline.name[span]!]!;
  if (!(timeline.flags[span]! & COMPILE)) return name;
  const of = timeline.functions[timeline.lanes[timeline.lane[span]!]!.source]!.get(timeline.id[span]!) ?? name;
  return `[${idText(timeline, span)}] ${of}${timeline.phases[timeline.phase[span]!] === "backward" && of !== name ? " (backward)" : ""}`;
}

export interface Found {
  mask: Uint8Array;
  /** from left to right in each lane */
  list: Int32Array;
}

/** Spans whose name and compile id hold all words; `=name` is that name exactly, and a word that is a compile id, or a key, is that exactly. */
export function findSpans(timeline: Timeline, query: string | undefined, phases: Phases["phases"] = []): Found | null {
  const [, phase, rest] = /^phase:(\w+)\s*(.*)$/.exec((query ?? "").trim()) ?? [];
  const text = rest ?? (query ?? "").trim();
  if (!text && !phase) return null;
  const keys: readonly string[] = phases
    .filter(({ key, sum }) => key === phase || sum === phase)
    .flatMap(({ of }) => of);
  const exact = text.startsWith("=") ? text.slice(1) : null;
  const wanted = words(text);
  const named = new Map(timeline.ids.map((key) => [key, [key, parseKey(key).id]]));
  const isId = new Set([...named.values()].flat());
  const lower = timeline.names.map((name) => name.toLowerCase());
  const known = new Map<number, boolean>();
  const asks = (i: number): boolean => {
    if (phase && !keys.includes(timeline.phases[timeline.phase[i]!] ?? "")) return false;
    const [name, id] = [timeline.name[i]!, timeline.id[i]!];
    if (exact !== null) return timeline.names[name] === exact;
    const key = name * (timeline.ids.length + 1) + id + 1;
    let answer = known.get(key);
    if (answer === undefined) {
      const ofId = id < 0 ? "" : timeline.ids[id]!;
      answer = wanted.every((word) =>
        isId.has(word) ? (named.get(ofId) ?? []).includes(word) : lower[name]!.includes(word) || ofId.includes(word),
      );
      known.set(key, answer);
    }
    return answer;
  };
  const mask = new Uint8Array(timeline.count);
  let n = 0;
  for (let i = 0; i < timeline.count; i++) n += mask[i] = asks(i) ? 1 : 0;
  const list = new Int32Array(n);
  n = 0;
  for (let i = 0; i < timeline.count; i++) if (mask[i]) list[n++] = i;
  return { mask, list };
}

/** Totals by name of what was found, clipped to a range. */
export function sumByName(timeline: Timeline, range: View | null, mask: Uint8Array | null): TimelineTotal[] {
  const sums = timeline.names.map((name) => ({ name, count: 0, total_us: 0, self_us: 0, max_us: 0 }));
  const clip = (i: number) =>
    Math.max(
      0,
      range
        ? Math.min(timeline.to[i]!, range.to) - Math.max(timeline.from[i]!, range.from)
        : timeline.to[i]! - timeline.from[i]!,
    );
  for (let i = 0; i < timeline.count; i++) {
    const within = range === null || (timeline.from[i]! <= range.to && timeline.to[i]! >= range.from);
    if (!within) continue;
    const us = clip(i);
    const sum = sums[timeline.name[i]!]!;
    const parent = timeline.parent[i]!;
    // Where a span is clipped, its self time is what its children leave.
    if (range && parent >= 0 && (!mask || mask[parent])) sums[timeline.name[parent]!]!.self_us -= us;
    if (mask && !mask[i]) continue;
    sum.count++;
    sum.self_us += range ? us : timeline.self[i]!;
    sum.max_us = Math.max(sum.max_us, us);
    if (timeline.outer[i]) sum.total_us += us;
  }
  return sums
    .filter((sum) => sum.count > 0)
    .map((sum) => ({ ...sum, self_us: Math.max(0, sum.self_us) }))
    .sort((a, b) => b.self_us - a.self_us || b.count - a.count);
}

export type Step = "parent" | "child" | "next" | "previous";

/** "117 spans and 2 instants": an event without a duration is no span. */
export function eventsText(spans: number, instants: number): string {
  const texts = [spans || !instants ? plural(spans, "span") : "", instants ? plural(instants, "instant") : ""];
  return texts.filter(Boolean).join(" and ");
}

/** How many of the timeline's are instants. */
export function countInstants(timeline: Pick<Timeline, "flags">): number {
  return timeline.flags.reduce((n, flags) => n + (flags & INSTANT ? 1 : 0), 0);
}

/** Up to the parent, down to the first child, left and right to neighbors of the same depth; the same span if there is none. */
export function step(timeline: Timeline, span: number, to: Step): number {
  if (span < 0 || span >= timeline.count) return timeline.count ? 0 : -1;
  const lane = timeline.lanes[timeline.lane[span]!]!;
  const depth = timeline.depth[span]!;
  if (to === "parent") return timeline.parent[span]! >= 0 ? timeline.parent[span]! : span;
  if (to === "child") return span + 1 < lane.end && timeline.parent[span + 1] === span ? span + 1 : span;
  const way = to === "next" ? 1 : -1;
  for (let i = span + way; i >= lane.first && i < lane.end; i += way) if (timeline.depth[i] === depth) return i;
  // Behind the last of a lane comes the next lane.
  const other = timeline.lanes[timeline.lane[span]! + way];
  return other && other.end > other.first ? other.first : span;
}

/** The spans right within one, longest first. */
export function childrenOf(timeline: Timeline, span: number): number[] {
  const out: number[] = [];
  const { end } = timeline.lanes[timeline.lane[span]!]!;
  for (let i = span + 1; i < end && timeline.depth[i]! > timeline.depth[span]!; i++)
    if (timeline.parent[i] === span) out.push(i);
  return out.sort((a, b) => timeline.to[b]! - timeline.from[b]! - (timeline.to[a]! - timeline.from[a]!) || a - b);
}

/** The spans around one, outermost first. */
export function around(timeline: Timeline, span: number): number[] {
  const out: number[] = [];
  for (let at = timeline.parent[span]!; at >= 0; at = timeline.parent[at]!) out.unshift(at);
  return out;
}

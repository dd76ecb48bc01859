// Questions to a timeline: what is found, sums over a part of it, the way from one span to the next.
import { rowsOf, type Bars, type Row } from "../lib/flame/bars";
import type { View } from "../lib/flame/scale";
import { words } from "../lib/filter";
import { plural } from "../lib/format";
import { parseKey } from "./compile-name";
import { INSTANT, NO_END, type Timeline, type TimelineTotal } from "./timeline-data";

const COLOURS: readonly (readonly [RegExp, number])[] = [
  [/triton|autotun/i, 6],
  [/codegen|compile_file|codecache|code_gen|async_compile|load_by_key|cpp_/i, 5],
  [/pass(es)?$|pass_|_passes|pre_grad|post_grad|joint_graph_passes/i, 3],
  [/backward|bwd/i, 7],
  [/aot|functional|partition|joint|autograd/i, 2],
  [/inductor|graphlowering|scheduler|compile_fx|fx_graph|fxgraph|lowering/i, 4],
  [/dynamo|bytecode|compile_inner|entire_frame|compile_attempt|guard|variable|runtime_asserts/i, 1],
];

/** The colour of the phase to which a name belongs, as far as it tells. */
export const colourOf = (name: string): number =>
  COLOURS.find(([pattern]) => pattern.test(name.slice(0, 300)))?.[1] ?? 0;

/** A heading for each lane, and beneath it a row for each depth. */
export function timelineBars(timeline: Timeline): Bars {
  const rows: Row[] = [];
  const row = new Int32Array(timeline.count);
  const look = new Uint8Array(timeline.count);
  const colours = timeline.names.map(colourOf);
  const colour = new Uint8Array(timeline.count);
  for (const lane of timeline.lanes) {
    if (lane.end <= lane.first) continue;
    const order = new Int32Array(lane.end - lane.first);
    for (let i = lane.first; i < lane.end; i++) {
      order[i - lane.first] = i;
      row[i] = rows.length + 1 + timeline.depth[i]!;
      look[i] = timeline.flags[i]! & INSTANT ? 2 : timeline.flags[i]! & NO_END ? 1 : 0;
      colour[i] = colours[timeline.name[i]!]!;
    }
    const first = rows.length + 1;
    rows.push({ items: new Int32Array(0), heading: lane.title });
    rows.push(...rowsOf(row, order, first, lane.depth));
  }
  return {
    rows,
    from: timeline.from,
    to: timeline.to,
    row,
    colour,
    look,
    label: (i) => timeline.names[timeline.name[i]!]!,
  };
}

export interface Found {
  mask: Uint8Array;
  /** from left to right in each lane */
  list: Int32Array;
}

/** Spans whose name and compile id hold all words; `=name` is that name exactly, and a word that is a compile id, or a key, is that exactly. */
export function findSpans(timeline: Timeline, query: string | undefined): Found | null {
  const text = (query ?? "").trim();
  if (!text) return null;
  const exact = text.startsWith("=") ? text.slice(1) : null;
  const wanted = words(text);
  const named = new Map(timeline.ids.map((key) => [key, [key, parseKey(key).id]]));
  const isId = new Set([...named.values()].flat());
  const lower = timeline.names.map((name) => name.toLowerCase());
  const known = new Map<number, boolean>();
  const asks = (i: number): boolean => {
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

/** Sums by name over what lies in a range, as far as it lies in it, and over what was found. */
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
    // Where it is cut, the own time is what the spans within leave of it.
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

/** Up and down to what lies around and within, left and right to neighbours of the same depth; the same span where there is none. */
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

// The spans of the chromium events: loaded from the parts that C wrote, and put into rows.
import { part } from "../lib/parts";
import type { TimelineHead as Head, TimelineLane, TimelineSummary, TimelineTotal } from "./generated/report";
export type { TimelineLane, TimelineSummary, TimelineTotal };

export interface Source {
  /** the folder of the report, "" for this one */
  dir: string;
  title: string | null;
  /** the run that it is of, where there are several: each begins at its own zero, as they may be days apart */
  run?: { dir: string; name: string };
}

/** One report's head and the numbers of its chunks. */
export interface Raw {
  source: Source;
  head: Head;
  chunks: number[][];
}

export const NUMBERS = 8;
export const INSTANT = 1;
export const NO_END = 2;
/** the whole compile of a frame or of a backward graph */
export const COMPILE = 4;

/** Spans in the order of their lanes, and in each by start; those around others first. Their number is a place in these columns. */
export interface Timeline {
  count: number;
  /** microseconds since the first event of all, or of its run */
  from: Float64Array;
  to: Float64Array;
  self: Float64Array;
  lane: Int32Array;
  name: Int32Array;
  /** place in ids, -1 for none */
  id: Int32Array;
  flags: Uint8Array;
  /** place in phases, -1 for none */
  phase: Int32Array;
  /** the span around it, -1 for none */
  parent: Int32Array;
  depth: Int32Array;
  /** 1 where no span around it has its name */
  outer: Uint8Array;
  /** where its arguments are: source, and place among the source's spans */
  origin: Int32Array;
  names: string[];
  ids: string[];
  phases: string[];
  /** of each source: the compiled functions, by place in ids */
  functions: Map<number, string>[];
  lanes: { title: string; source: number; depth: number; first: number; end: number; busy: number; spans: number }[];
  sources: Source[];
  /** of each source: the place at which each chunk begins */
  starts: number[][];
  /** of the longest run, where there are several */
  duration: number;
  /** what is to be said of them, of all sources together */
  notes: { no_end: number; bad_times: number; left_out: number };
  /** what is 0 for the spans of each source, in microseconds since the epoch; null: it has no events */
  zeros: (number | null)[];
  /** the runs, with the same; none where there are not several */
  runs: { name: string; start: number }[];
}

export async function loadTimeline(sources: readonly Source[]): Promise<Timeline> {
  const raws = await Promise.all(
    sources.map(async (source): Promise<Raw> => {
      const base = source.dir ? `${source.dir}/` : "";
      const head = parse<Head>(await part("timeline", "timeline.js", base));
      const chunks = await Promise.all(
        Array.from({ length: head.chunks }, (_, k) =>
          part(`timeline/${k}`, `timeline.${k}.js`, base).then(parse<number[]>),
        ),
      );
      return { source, head, chunks };
    }),
  );
  return buildTimeline(raws);
}

/** The arguments of a span; long values are cut. */
export async function loadArguments(timeline: Timeline, span: number): Promise<Record<string, unknown>> {
  const { source } = timeline.lanes[timeline.lane[span]!]!;
  const base = timeline.sources[source]!.dir ? `${timeline.sources[source]!.dir}/` : "";
  const starts = timeline.starts[source]!;
  const place = timeline.origin[span]!;
  let k = 0;
  while (k + 1 < starts.length && starts[k + 1]! <= place) k++;
  const key = `${base}${k}`;
  let loading = argumentParts.get(key);
  if (!loading) {
    if (argumentParts.size > 40) argumentParts.clear();
    loading = part(`timeline_args/${k}`, `timeline_args.${k}.js`, base).then(
      parse<Record<string, Record<string, unknown>>>,
    );
    argumentParts.set(key, loading);
    loading.catch(() => argumentParts.delete(key));
  }
  return (await loading)[place - starts[k]!] ?? {};
}

const argumentParts = new Map<string, Promise<Record<string, Record<string, unknown>>>>();

function parse<T>(bytes: Uint8Array<ArrayBuffer>): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

export function buildTimeline(raws: readonly Raw[]): Timeline {
  const known = raws.filter((raw) => raw.head.start_us !== null);
  const zeroOf = new Map<string, number>();
  for (const { source, head } of known)
    zeroOf.set(
      source.run?.dir ?? "",
      Math.min(head.start_us! + head.first_us, zeroOf.get(source.run?.dir ?? "") ?? Infinity),
    );
  const zeros = raws.map(({ source, head }) => (head.start_us === null ? null : zeroOf.get(source.run?.dir ?? "")!));
  const runs = [
    ...new Map(
      known.flatMap(({ source: { run } }) =>
        run ? [[run.dir, { name: run.name, start: zeroOf.get(run.dir)! }] as const] : [],
      ),
    ).values(),
  ];
  const count = raws.reduce(
    (n, raw) => n + raw.chunks.reduce((m, chunk) => m + Math.floor(chunk.length / NUMBERS), 0),
    0,
  );
  const names = new Names();
  const ids = new Names();
  const phases = new Names();
  const functions: Timeline["functions"] = [];
  const lanes: Timeline["lanes"] = [];
  const raw = {
    from: new Float64Array(count),
    to: new Float64Array(count),
    self: new Float64Array(count),
    lane: new Int32Array(count),
    name: new Int32Array(count),
    id: new Int32Array(count),
    flags: new Uint8Array(count),
    phase: new Int32Array(count),
    origin: new Int32Array(count),
  };
  const starts: number[][] = [];
  let n = 0;
  raws.forEach(({ source, head, chunks }, s) => {
    const shift = (head.start_us ?? 0) - (zeros[s] ?? 0);
    const nameAt = head.names.map((name) => names.of(name));
    const idAt = head.ids.map((id) => ids.of(id));
    const phaseAt = head.phases.map((phase) => phases.of(phase));
    functions.push(new Map(head.functions.flatMap((name, i) => (name === null ? [] : [[idAt[i]!, name]]))));
    const firstLane = lanes.length;
    for (const lane of head.summary.lanes)
      lanes.push({
        title: laneTitle(lane, source.title, head.summary.lanes.length),
        source: s,
        depth: 0,
        first: 0,
        end: 0,
        busy: lane.busy_us,
        spans: lane.spans,
      });
    const begins: number[] = [];
    let place = 0;
    for (const chunk of chunks) {
      begins.push(place);
      for (let i = 0; i + NUMBERS <= chunk.length; i += NUMBERS) {
        raw.from[n] = chunk[i]! + shift;
        raw.to[n] = raw.from[n]! + chunk[i + 1]!;
        raw.self[n] = chunk[i + 2]!;
        raw.lane[n] = firstLane + chunk[i + 3]!;
        raw.name[n] = nameAt[chunk[i + 4]!] ?? names.of("?");
        raw.id[n] = chunk[i + 5]! < 0 ? -1 : (idAt[chunk[i + 5]!] ?? -1);
        raw.flags[n] = chunk[i + 6]!;
        raw.phase[n] = phaseAt[chunk[i + 7]!] ?? -1;
        raw.origin[n] = place++;
        n++;
      }
    }
    starts.push(begins);
  });
  const duration = Math.max(
    0,
    ...raws.map(({ head }, s) => (zeros[s] === null ? 0 : head.start_us! + head.last_us - zeros[s]!)),
  );
  return arrange({
    ...raw,
    count,
    names: names.list,
    ids: ids.list,
    phases: phases.list,
    functions,
    lanes,
    sources: raws.map((r) => r.source),
    starts,
    duration,
    zeros,
    runs,
    notes: { no_end: sum(raws, "no_end"), bad_times: sum(raws, "bad_times"), left_out: sum(raws, "left_out") },
  });
}

const sum = (raws: readonly Raw[], what: "no_end" | "bad_times" | "left_out"): number =>
  raws.reduce((n, raw) => n + (raw.head.summary[what] ?? 0), 0);

/** Sorts the columns, and finds parents and depths. */
function arrange(raw: Omit<Timeline, "parent" | "depth" | "outer">): Timeline {
  const { count } = raw;
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  order.sort((a, b) => raw.lane[a]! - raw.lane[b]! || raw.from[a]! - raw.from[b]! || raw.to[b]! - raw.to[a]! || b - a);
  const pick = <T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T => {
    for (let i = 0; i < count; i++) to[i] = from[order[i]!]!;
    return to;
  };
  const timeline: Timeline = {
    ...raw,
    from: pick(raw.from, new Float64Array(count)),
    to: pick(raw.to, new Float64Array(count)),
    self: pick(raw.self, new Float64Array(count)),
    lane: pick(raw.lane, new Int32Array(count)),
    name: pick(raw.name, new Int32Array(count)),
    id: pick(raw.id, new Int32Array(count)),
    flags: pick(raw.flags, new Uint8Array(count)),
    phase: pick(raw.phase, new Int32Array(count)),
    origin: pick(raw.origin, new Int32Array(count)),
    parent: new Int32Array(count),
    depth: new Int32Array(count),
    outer: new Uint8Array(count),
  };
  const stack: number[] = [];
  let lane = -1;
  for (let i = 0; i < count; i++) {
    if (timeline.lane[i] !== lane) {
      if (lane >= 0) raw.lanes[lane]!.end = i;
      lane = timeline.lane[i]!;
      raw.lanes[lane]!.first = i;
      raw.lanes[lane]!.end = i + 1;
      stack.length = 0;
    }
    while (stack.length && timeline.to[stack.at(-1)!]! <= timeline.from[i]!) stack.pop();
    timeline.parent[i] = stack.at(-1) ?? -1;
    timeline.depth[i] = stack.length;
    timeline.outer[i] = stack.some((at) => timeline.name[at] === timeline.name[i]) ? 0 : 1;
    raw.lanes[lane]!.depth = Math.max(raw.lanes[lane]!.depth, stack.length + 1);
    raw.lanes[lane]!.end = i + 1;
    stack.push(i);
  }
  return timeline;
}

function laneTitle(lane: TimelineLane, source: string | null, lanes: number): string {
  const thread = lane.thread ?? (lane.tid === null ? null : `thread ${lane.tid}`);
  const process = lane.process ?? (lane.pid === null ? null : `process ${lane.pid}`);
  if (source && lanes === 1 && !lane.process && !lane.thread) return source;
  return [source, process, thread].filter(Boolean).join(" · ") || "events";
}

class Names {
  readonly list: string[] = [];
  #places = new Map<string, number>();

  of(name: string): number {
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.list.push(name) - 1;
      this.#places.set(name, place);
    }
    return place;
  }
}

import { describe, expect, it } from "vitest";
import { barAt, eachVisible, rowsOf, type Bars } from "../src/lib/flame/bars";
import type { ShownPhase } from "../src/store/generated/report";
import { clampView, fit, pan, parseView, ticks, zoom } from "../src/lib/flame/scale";
import {
  around,
  childrenOf,
  formatFold,
  parseFold,
  spanLabel,
  tracksOf,
  countInstants,
  eventsText,
  findSpans,
  step,
  sumByName,
  timelineBars,
} from "../src/store/timeline";
import { buildTimeline, type Raw, type TimelineSummary } from "../src/store/timeline-data";

const PHASES = {
  phases: (["dynamo", "aot", "backward", "other"] as const).map((key): ShownPhase => ({
    key,
    title: key,
    description: "",
    of: key === "other" ? [] : [key],
  })),
};
const whole = { from: 0, to: 1000 };

describe("what is in view", () => {
  it("stays within the whole", () => {
    expect(pan({ from: 100, to: 200 }, -500, whole)).toEqual({ from: 0, to: 100 });
    expect(pan({ from: 100, to: 200 }, 5000, whole)).toEqual({ from: 900, to: 1000 });
    expect(clampView({ from: -100, to: 5000 }, whole)).toEqual(whole);
    expect(clampView({ from: Number.NaN, to: 1 }, whole)).toEqual(whole);
  });
  it("comes nearer around a place, and not for ever", () => {
    expect(zoom({ from: 0, to: 1000 }, 0.5, 250, whole)).toEqual({ from: 125, to: 625 });
    let view = { from: 0, to: 1000 };
    for (let i = 0; i < 100; i++) view = zoom(view, 0.5, 300, whole);
    expect(view.to - view.from).toBe(10);
    expect(view.from).toBeLessThanOrEqual(300);
    expect(fit(500, 510, whole)).toEqual({ from: 499, to: 511 });
  });
  it("has marks at round places, not too many", () => {
    expect(ticks({ from: 0, to: 1000 }, 500)).toEqual([0, 200, 400, 600, 800, 1000]);
    expect(ticks({ from: 0, to: 0 }, 500)).toEqual([]);
    expect(ticks({ from: 0, to: 1e15 }, 1e6).length).toBeLessThanOrEqual(200);
  });
  it("is read from an address, or not", () => {
    expect(parseView("-5-20")).toEqual({ from: -5, to: 20 });
    expect(parseView("20-5")).toBeNull();
    expect(parseView("1e9-x")).toBeNull();
  });
});

/** A row of n bars of width 1 with a gap of 1. */
function fence(n: number): Bars {
  const from = Float64Array.from({ length: n }, (_, i) => 2 * i);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  return {
    rows: rowsOf(new Int32Array(n), order, 0, 1),
    from,
    to: from.map((x) => x + 1),
    row: new Int32Array(n),
    color: new Uint8Array(n),
    look: new Uint8Array(n),
    label: String,
  };
}

describe("bars", () => {
  it("draws no more than there are points, and none out of view", () => {
    const drawn: number[] = [];
    eachVisible(fence(200_000), 0, { from: 0, to: 400_000 }, 1000, (item) => drawn.push(item));
    expect(drawn.length).toBeGreaterThan(500);
    expect(drawn.length).toBeLessThanOrEqual(1001);
    drawn.length = 0;
    eachVisible(fence(200_000), 0, { from: 1000, to: 1010 }, 1000, (item) => drawn.push(item));
    expect(drawn).toEqual([500, 501, 502, 503, 504, 505]);
  });
  it("finds the bar at a place, and the nearest of thin ones", () => {
    const bars = fence(10);
    expect(barAt(bars, 0, 4.5, 0)).toBe(2);
    expect(barAt(bars, 0, 5.8, 0.1)).toBe(-1);
    expect(barAt(bars, 0, 5.8, 0.5)).toBe(3);
    expect(barAt(bars, 7, 1, 1)).toBe(-1);
  });
});

const lane = (more = {}) => ({ pid: 0, tid: 0, process: null, thread: null, spans: 1, busy_us: 1, ...more });

function raw(
  spans: number[][],
  names: string[],
  more: { dir?: string; start?: number; lanes?: object[]; ids?: string[]; functions?: (string | null)[] } = {},
): Raw {
  return {
    source: { dir: more.dir ?? "", title: more.dir ? more.dir : null },
    head: {
      start_us: more.start ?? 1000,
      first_us: Math.min(...spans.map((s) => s[0]!)),
      last_us: Math.max(...spans.map((s) => s[0]! + s[1]!)),
      chunks: 1,
      spans: spans.length,
      names,
      ids: more.ids ?? ["0/0", "10/0"],
      functions: more.functions ?? [null, null],
      phases: ["dynamo", "aot", "backward"],
      summary: { lanes: more.lanes ?? [lane()] } as unknown as TimelineSummary,
    },
    chunks: [spans.flatMap((span) => (span.length < 8 ? [...span, -1] : span))],
  };
}

// in the order in which they ended: start, duration, self, lane, name, id, flags, and a phase if it has one
const SPANS = [
  [10, 30, 30, 0, 1, 0, 0],
  [50, 0, 0, 0, 2, 0, 1],
  [60, 20, 20, 0, 1, 1, 0],
  [0, 100, 50, 0, 0, 0, 0],
  [100, 50, 50, 0, 0, 1, 2],
];

describe("the timeline", () => {
  const timeline = buildTimeline([raw(SPANS, ["outer", "inner", "mark"])]);
  it("finds what lies within what", () => {
    expect([...timeline.from]).toEqual([0, 10, 50, 60, 100]);
    expect([...timeline.depth]).toEqual([0, 1, 1, 1, 0]);
    expect([...timeline.parent]).toEqual([-1, 0, 0, 0, -1]);
    expect(childrenOf(timeline, 0)).toEqual([1, 3, 2]);
    expect(around(timeline, 3)).toEqual([0]);
    expect([...timeline.origin]).toEqual([3, 0, 1, 2, 4]);
  });
  it("walks by arrow keys", () => {
    expect(step(timeline, 0, "child")).toBe(1);
    expect(step(timeline, 1, "next")).toBe(2);
    expect(step(timeline, 3, "parent")).toBe(0);
    expect(step(timeline, 0, "next")).toBe(4);
    expect(step(timeline, 4, "child")).toBe(4);
    expect(step(timeline, 0, "previous")).toBe(0);
    expect(step(timeline, -1, "next")).toBe(0);
  });
  it("finds names and exact compile ids", () => {
    expect([...findSpans(timeline, "inn")!.list]).toEqual([1, 3]);
    expect([...findSpans(timeline, "0/0")!.list]).toEqual([0, 1, 2]);
    expect([...findSpans(timeline, "10/0 INNER")!.list]).toEqual([3]);
    expect([...findSpans(timeline, "=outer")!.list]).toEqual([0, 4]);
    expect(findSpans(timeline, " ")).toBeNull();
  });
  it("finds the spans of a phase, as the legend of phases asks", () => {
    const spans = SPANS.map((span, i) => [...span, i % 2]); // dynamo and aot in turn
    const phased = buildTimeline([raw(spans, ["outer", "inner", "mark"])]);
    const list = (query: string) => [...findSpans(phased, query, PHASES.phases)!.list];
    const dynamo = [...phased.from.keys()].filter((i) => phased.origin[i]! % 2 === 0);
    expect(list("phase:dynamo")).toEqual(dynamo);
    expect(list("phase:dynamo 0/0")).toEqual(dynamo.filter((i) => phased.ids[phased.id[i]!] === "0/0"));
    expect(list("phase:no_such")).toEqual([]);
  });
  it("sums up all, a range, and what was found", () => {
    const by = (range: { from: number; to: number } | null, mask: Uint8Array | null = null) =>
      Object.fromEntries(
        sumByName(timeline, range, mask).map((sum) => [sum.name, [sum.count, sum.total_us, sum.self_us]]),
      );
    expect(by(null)).toEqual({ outer: [2, 150, 100], inner: [2, 50, 50], mark: [1, 0, 0] });
    expect(by({ from: 20, to: 70 })).toEqual({ outer: [1, 50, 20], inner: [2, 30, 30], mark: [1, 0, 0] });
    expect(by(null, findSpans(timeline, "inner")!.mask)).toEqual({ inner: [2, 50, 50] });
  });
  it("counts a span within one of its name once", () => {
    const twice = buildTimeline([
      raw(
        [
          [10, 10, 10, 0, 0, 0, 0],
          [0, 100, 90, 0, 0, 0, 0],
        ],
        ["f"],
      ),
    ]);
    expect(sumByName(twice, null, null)[0]).toMatchObject({ count: 2, total_us: 100, self_us: 100 });
  });
  it("never puts two bars of a row over one another, whatever the events say", () => {
    const mess = Array.from({ length: 3000 }, (_, i) => [(i * 7919) % 1000, (i * 104729) % 300, 0, i % 2, 0, -1, 0]);
    const bars = timelineBars(PHASES, buildTimeline([raw(mess, ["f"], { lanes: [lane(), lane({ tid: 1 })] })]));
    let seen = 0;
    for (const row of bars.rows) {
      row.items.forEach((item, k) => k && expect(bars.from[item]).toBeGreaterThanOrEqual(bars.to[row.items[k - 1]!]!));
      seen += row.items.length;
    }
    expect(seen).toBe(3000);
  });
  it("puts ranks beneath one another on one clock", () => {
    const both = buildTimeline([
      raw(SPANS, ["outer", "inner", "mark"], { dir: "rank_0", start: 5000 }),
      raw([[0, 10, 10, 0, 0, 0, 0]], ["inner"], { dir: "rank_1", start: 4990 }),
    ]);
    expect(both.lanes.map((l) => l.title)).toEqual(["rank_0", "rank_1"]);
    expect(both.zeros).toEqual([4990, 4990]);
    expect(both.runs).toEqual([]);
    expect(both.from[5]).toBe(0);
    expect(both.from[0]).toBe(10);
    expect(both.duration).toBe(160);
    expect(both.names).toEqual(["outer", "inner", "mark"]);
    expect(step(both, 4, "next")).toBe(5);
    expect(timelineBars(PHASES, both).rows.filter((row) => row.heading).length).toBe(2);
  });
  it("begins each run at its own zero, and a job's ranks on one clock", () => {
    const day = 86_400_000_000;
    const of = (dir: string, run: string, start: number): Raw => {
      const made = raw(SPANS, ["outer", "inner", "mark"], { dir, start });
      return { ...made, source: { ...made.source, run: { dir: run, name: `${run}!` } } };
    };
    const runs = buildTimeline([
      of("run_1/rank_0", "run_1", 5000),
      of("run_1/rank_1", "run_1", 5020),
      of("run_2", "run_2", 5000 + 3 * day),
    ]);
    expect(runs.zeros).toEqual([5000, 5000, 5000 + 3 * day]);
    expect(runs.runs).toEqual([
      { name: "run_1!", start: 5000 },
      { name: "run_2!", start: 5000 + 3 * day },
    ]);
    expect([0, 5, 10].map((i) => runs.from[i])).toEqual([0, 20, 0]);
    expect(runs.duration).toBe(170);
  });
  it("is empty where there is nothing", () => {
    expect(buildTimeline([]).count).toBe(0);
    expect(step(buildTimeline([]), -1, "next")).toBe(-1);
  });
  const compiles = [
    raw(
      [
        [0, 9, 9, 0, 0, 0, 4, 0],
        [2, 5, 5, 0, 1, 0, 0, 1],
        [10, 9, 9, 0, 0, 0, 4, 2],
        [20, 9, 9, 0, 0, 1, 4, 0],
        [30, 9, 9, 0, 1, 0, 0, -1],
      ],
      ["dynamo", "backend_compile"],
      { dir: "rank_0", ids: ["0/0", "1/0#2"], functions: ["wrapper", null] },
    ),
    raw([[0, 9, 9, 0, 0, 0, 4, 0]], ["dynamo"], { dir: "rank_1", ids: ["0/0"], functions: ["other"] }),
  ];
  it("gives a bar the color of its phase", () => {
    const bars = timelineBars(PHASES, buildTimeline(compiles));
    expect([...bars.color]).toEqual([1, 2, 7, 1, 0, 1]);
  });
  it("names a compile by its id and the function of its rank", () => {
    const timeline = buildTimeline(compiles);
    expect([0, 1, 2, 3, 4, 5].map((i) => spanLabel(timeline, i))).toEqual([
      "[0/0] wrapper",
      "backend_compile",
      "[0/0] wrapper (backward)",
      "[1/0 #2] dynamo",
      "backend_compile",
      "[0/0] other",
    ]);
    const { note } = timelineBars(PHASES, timeline);
    expect([0, 1].map((i) => note!(i))).toEqual(["", "[0/0]"]);
  });
  it("shows the outermost spans of a collapsed track", () => {
    const timeline = buildTimeline(compiles);
    const bars = timelineBars(PHASES, timeline, new Set([0]));
    expect(bars.rows.map((row) => row.heading ?? [...row.items])).toEqual(["rank_0", [0, 2, 3, 4], "rank_1", [5]]);
    expect(bars.rows.map((row) => row.track)).toEqual([0, undefined, 1, undefined]);
    expect([...bars.row]).toEqual([1, 1, 1, 1, 1, 3]);
    expect(timelineBars(PHASES, timeline).rows.length).toBe(5);
    expect(tracksOf(timeline)).toEqual([0, 1]);
  });
  it("keeps the collapsed tracks in the address", () => {
    const few = [0, 2, 3];
    const many = Array.from({ length: 9 }, (_, i) => i);
    for (const [tracks, fold, text] of [
      [few, [], null],
      [few, [3, 0], "0,3"],
      [few, few, "all"],
      [many, many, null],
      [many, [], "none"],
      [many, [8], "8"],
    ] as const) {
      expect(formatFold(new Set(fold), tracks)).toBe(text);
      expect([...parseFold(text ?? undefined, tracks)].sort()).toEqual([...fold].sort());
    }
    expect([...parseFold("1,x,7", few)]).toEqual([]);
  });
});

it("an instant is no span", () => {
  const timeline = buildTimeline([
    raw(
      [
        [0, 10, 10, 0, 0, -1, 0],
        [2, 0, 0, 0, 1, -1, 1],
        [4, 0, 0, 0, 0, -1, 0],
      ],
      ["f", "mark"],
    ),
  ]);
  expect(countInstants(timeline)).toBe(1);
  expect([eventsText(2, 1), eventsText(1, 0), eventsText(0, 3), eventsText(0, 0), eventsText(1500, 2)]).toEqual([
    "2 spans and 1 instant",
    "1 span",
    "3 instants",
    "0 spans",
    "1,500 spans and 2 instants",
  ]);
});

import { expect, test } from "vitest";
import {
  compileTimes,
  eventsOf,
  functionRuns,
  graphTime,
  kernelsOfLines,
  kernelTimes,
  neverRan,
  noLines,
  partsOf,
  profileOf,
  restOf,
  unaligned,
  withLine,
  withoutEvents,
  type GraphRun,
  type Profile,
} from "./profile";
import type { Report } from "./report";

const run = (calls: number, total_us: number) => ({ calls, total_us });
const spread = (us: number) => ({ min_us: us, q1_us: us, median_us: us, q3_us: us, max_us: us, by_step_us: [] });
const graph = (compile: string | null, direction: string | null, total_us: number, more: Partial<GraphRun> = {}) => ({
  compile,
  direction,
  key: null,
  ...run(4, total_us),
  ...spread(total_us / 4),
  kernel_us: total_us,
  kernel_events: true,
  aligned_calls: 4,
  unaligned_calls: 0,
  unaligned_us: 0,
  replays: 0,
  ...more,
});
const compiled = (compile: string, calls: number, total_us: number, guard_calls = calls) => ({
  compile,
  ...run(calls, total_us),
  ...spread(total_us / calls),
  guard_calls,
  guard_us: 10 * guard_calls,
  ordered_calls: guard_calls,
  tried_before: 1.5 * guard_calls,
  overhead_us: 1,
  nested_us: 0,
  compiling_us: 0,
  eager_us: 0,
  unmatched_us: 0,
});
const place = (line: number) => ({ file: "/a/train.py", line });
const kernel = (index: number, total_us: number, lines: number[]) => ({
  name: `k${index}`,
  compile: "0/0",
  graph: "0_forward",
  index,
  ...run(4, total_us),
  ...spread(total_us / 4),
  places: lines.map(place),
});
const BASE: Profile = {
  files: [{ name: "p.json", bytes: 1, events: 1, refused: null }],
  steps: 0,
  start_us: 0,
  step_us: null,
  window_us: 1000,
  regions: run(8, 300),
  graph_calls: run(8, 400),
  guards: { ...run(8, 80), ...spread(10), unmatched: 0 },
  overhead_us: 20.5,
  overhead_by_step_us: [],
  compiling_us: 0,
  kernel_us: 300,
  without_line_us: 50,
  unknown_regions: 0,
  unknown_graphs: 0,
  compiles: [compiled("0/0", 4, 150), compiled("0/1", 4, 150, 0)],
  graphs: [graph("0/0", "forward", 100), graph("0/0", "backward", 220), graph("1/0", "backward", 80)],
  kernels: [kernel(3, 200, [1, 2]), kernel(1, 100, [2])],
  lines: [
    { ...place(2), code: "b", total_us: 150 },
    { ...place(1), code: null, total_us: 90 },
  ],
  never_ran: ["2/0", "2/1"],
  eager: { total_us: 0, by_step_us: [], gaps: [], operators: [] },
};
const device = (profile: Profile): Profile => ({
  ...profile,
  graph_calls: { ...profile.graph_calls, device_us: 5000 },
  devices: {
    count: 1,
    busy_us: 6000,
    idle_us: 4000,
    waiting_us: 3000,
    waiting_in_graphs_us: 2000,
    waiting_in_frames_us: 500,
    compiling_us: 0,
    kernel_us: 10 * profile.kernel_us,
    without_line_us: 10 * profile.without_line_us,
  },
  graphs: profile.graphs.map((one) => ({ ...one, device_us: 10 * one.total_us, kernel_events: false })),
  kernels: profile.kernels.map((one) => ({ ...one, device_us: 10 * one.total_us })),
  lines: profile.lines.map((one) => ({ ...one, device_us: 10 * one.total_us })),
});

test("the run time of a compile has its backward graphs, which are not in its calls", () => {
  const times = compileTimes(BASE);
  expect(times.get("0/0")).toEqual({
    calls: 4,
    total_us: 370,
    device_us: null,
    backward_us: 220,
    nested_us: 0,
    guard_us: 10,
    tried: 1.5,
  });
  expect(times.get("0/1")).toEqual({
    calls: 4,
    total_us: 150,
    device_us: null,
    backward_us: 0,
    nested_us: 0,
    guard_us: null,
    tried: null,
  });
  expect(times.get("1/0")).toMatchObject({ calls: 0, total_us: 80, backward_us: 80 });
  expect(times.get("2/0")).toMatchObject({ calls: 0, total_us: 0 });
  expect(times.has("3/0")).toBe(false);
  const aot = { ...BASE, graphs: [...BASE.graphs, graph("-/-", null, 90)] };
  expect(compileTimes(aot).get("-/-")).toMatchObject({ calls: 4, total_us: 90, backward_us: 0 });
  expect(compileTimes(device(BASE)).get("1/0")!.device_us).toBe(800);
  expect(kernelTimes(BASE).get(3)!.total_us).toBe(200);
});

test("a report whose traces are all refused has no profile", () => {
  const refused = { ...BASE, files: [{ ...BASE.files[0]!, refused: "is of another run" }] };
  expect(profileOf({ profile: refused })).toBeNull();
  expect(profileOf({ profile: { ...BASE, files: [...refused.files, ...BASE.files] } })).not.toBeNull();
  expect(profileOf({})).toBeNull();
});

test("the parts of the bar are those that take time", () => {
  expect(partsOf(BASE).map(({ key, us }) => [key, us])).toEqual([
    ["graphs", 400],
    ["guards", 80],
    ["overhead", 20.5],
  ]);
});

test("calls that are not aligned have their share of the time of their graph", () => {
  expect(unaligned(BASE)).toEqual({ calls: 0, us: 0 });
  const graphs = [graph("0/0", "forward", 100, { aligned_calls: 3, unaligned_calls: 1, unaligned_us: 25 })];
  expect(unaligned({ ...BASE, graphs })).toEqual({ calls: 1, us: 25 });
});

test("lines and what no line has are the time of all graph calls", () => {
  expect(graphTime(BASE)).toBe(400);
  expect(withLine(BASE)).toEqual({ us: 250, of: 300 });
  expect(restOf(BASE).map(({ us }) => us)).toEqual([10, 50, 100]);
  const sum = [...BASE.lines.map((line) => line.total_us), ...restOf(BASE).map(({ us }) => us)];
  expect(sum.reduce((a, b) => a + b)).toBe(400);
  expect(restOf({ ...BASE, without_line_us: 60 }).map(({ us }) => us)).toEqual([60, 100]);
});

test("with a device, shares are of device time", () => {
  expect(graphTime(device(BASE))).toBe(5000);
  expect(withLine(device(BASE))).toEqual({ us: 2500, of: 3000 });
  expect(restOf(device(BASE)).map(({ title, us }) => [title, us])).toEqual([
    ["other lines", 100],
    ["kernels without a line", 500],
    ["other device work", 2000],
  ]);
  expect(withoutEvents(device(BASE))).toBe(0);
});

test("a line has the kernels that compute its operations, also those of several lines", () => {
  const lines = kernelsOfLines(BASE);
  expect(lines.get("/a/train.py:2")!.map(({ index }) => index)).toEqual([3, 1]);
  expect(lines.get("/a/train.py:1")!.map(({ index }) => index)).toEqual([3]);
});

test("says why there are no lines, and what to set if that helps", () => {
  const none = { ...BASE, lines: [] };
  expect(noLines(none)).toMatchObject({ set: { option: "INDUCTOR_PROVENANCE=1" } });
  expect(noLines({ ...none, kernels: [] }).why).toMatch(/aligned/);
  expect(noLines({ ...none, kernel_us: 0 }).set!.option).toMatch(/enable_kernel_profile = True$/);
  expect(noLines({ ...none, unknown_graphs: 8 }).why).toMatch(/not in the log/);
  expect(noLines({ ...none, graph_calls: run(0, 0) }).why).toMatch(/PyTorch 2.9/);
  expect(noLines({ ...none, graph_calls: run(0, 0), regions: run(0, 0) }).why).toMatch(/No call/);
});

test("compiles that never ran come by their compile time, the unknown last", () => {
  const report = {
    profile: { ...BASE, never_ran: ["2/0", "2/1", "2/2"] },
    compiles: [
      { key: "0/0", time_us: 9 },
      { key: "2/0", time_us: null },
      { key: "2/1", time_us: 5 },
      { key: "2/2", time_us: 7 },
    ],
  } as unknown as Report;
  expect(neverRan(report)).toEqual([
    { key: "2/2", us: 7 },
    { key: "2/1", us: 5 },
    { key: "2/0", us: null },
  ]);
});

test("a function has the compile time and the run time of all its versions", () => {
  const frame = (name: string) => ({ function: name, file: "/a/train.py", line: 3 });
  const compiles = [
    { key: "0/0", time_us: 9, frame: frame("f") },
    { key: "0/1", time_us: 5, frame: frame("f") },
    { key: "1/0", time_us: null, frame: frame("g") },
    { key: "2/0", time_us: 7, frame: frame("f") },
    { key: "3/0", time_us: 7, frame: frame("h") },
    { key: "2/1", time_us: 7, frame: null },
  ] as unknown as Report["compiles"];
  expect(functionRuns({ profile: BASE, compiles })).toMatchObject([
    { keys: ["0/0", "0/1", "2/0"], unused: 1, calls: 8, total_us: 520, device_us: null, compile_us: 21 },
    { keys: ["1/0"], unused: 0, calls: 0, total_us: 80, compile_us: null },
  ]);
  expect(functionRuns({ compiles })).toEqual([]);
});

test("graphs whose generated kernels have no events: only if they take time", () => {
  const quiet = { kernel_events: false };
  const graphs = [
    graph("0/0", "forward", 100, quiet),
    graph("0/0", "backward", 100, { ...quiet, kernel_us: 50 }),
    graph("1/0", "inference", 100, { ...quiet, kernel_us: 0 }),
    graph("2/0", "inference", 100),
    graph("3/0", "inference", 100, { kernel_events: null, kernel_us: 50 }), // only library calls
    graph("4/0", "inference", 100, { kernel_events: null, kernel_us: 50, aligned_calls: 0, unaligned_calls: 4 }),
  ];
  expect(withoutEvents({ ...BASE, graphs })).toBe(2);
  expect(graphs.map(eventsOf)).toEqual(["library calls", "library calls", "none", "generated", "generated", "unknown"]);
});

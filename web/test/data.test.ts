import { expect, test } from "vitest";
import { groupArtifacts } from "../src/store/artifact";
import { clipLines } from "../src/lib/clip";
import { unzstd } from "../src/lib/zstd";
import { Lru } from "../src/lib/lru";
import { groupMetrics, groupOf, metric } from "../src/store/metrics";
import type { ShownPhase, ShownTimes } from "../src/store/generated/report";
import { phaseOf, phasesOf, sumTimes } from "../src/store/phases";
import { chunksOf } from "../src/store/store";
import { tidy } from "../src/store/tidy";
import type { Artifact, Compile, Report } from "../src/store/report";

const THOUSAND_ABC = "KLUv/QBIVQAAGGFiYwEAstN3Qw==";

test("a part is unpacked, or an error", () => {
  // What zstd makes of "abc" a thousand times, and of nothing.
  expect(new TextDecoder().decode(unzstd(THOUSAND_ABC))).toBe("abc".repeat(1000));
  expect(unzstd("KLUv/SAAAQAA")).toHaveLength(0);
  expect(() => unzstd("AAAA")).toThrow();
  expect(() => unzstd(THOUSAND_ABC.slice(0, -4))).toThrow();
});

test("an artifact is cut out of the chunks it spans", () => {
  const starts = [0, 100, 200, 250];
  expect(chunksOf(starts, 10, 20)).toEqual([{ chunk: 0, from: 10, to: 30 }]);
  expect(chunksOf(starts, 90, 130)).toEqual([
    { chunk: 0, from: 90, to: 100 },
    { chunk: 1, from: 0, to: 100 },
    { chunk: 2, from: 0, to: 20 },
  ]);
  expect(chunksOf(starts, 100, 100)).toEqual([{ chunk: 1, from: 0, to: 100 }]);
  expect(chunksOf(starts, 250, 0)).toEqual([]);
});

test("the cache forgets what was used longest ago", () => {
  const cache = new Lru<string>(10);
  cache.set("a", "A", 4);
  cache.set("b", "B", 4);
  expect(cache.get("a")).toBe("A");
  cache.set("c", "C", 4);
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")).toBe("A");
  cache.set("big", "X", 100);
  expect(cache.get("big")).toBe("X");
  expect(cache.get("a")).toBeUndefined();
  expect(cache.size).toBe(100);
  cache.set("big", "Y", 3);
  expect(cache.size).toBe(3);
});

test("lines of megabytes are cut, the number of lines stays", () => {
  const text = `a\n${"x".repeat(50)}\nb\n${"y".repeat(10)}`;
  const clipped = clipLines(text, 10);
  expect(clipped.cut).toBe(1);
  expect(clipped.text.split("\n")).toHaveLength(4);
  expect(clipped.text.split("\n")[1]).toBe(`${"x".repeat(10)} … ⟨40 more characters⟩`);
  expect(clipLines("", 10)).toEqual({ text: "", cut: 0 });
  expect(clipLines("x\n\n", 1)).toEqual({ text: "x\n\n", cut: 0 });
});

const phase = (key: ShownPhase["key"], of: ShownPhase["of"], sum?: "aot" | "other"): ShownPhase => ({
  key,
  title: key,
  description: "",
  of,
  ...(sum && { sum }),
});
const named = {
  phases: [
    phase("dynamo", ["dynamo"]),
    phase("aot", ["aot"]),
    phase("backend", [], "aot"),
    phase("passes", ["pre_grad", "joint", "post_grad"]),
    phase("other", []),
    phase("not_logged", [], "other"),
  ],
};

test("phases that took time are shown in the order of the report", () => {
  const phases = phasesOf(named, { passes: 3, dynamo: 1 });
  expect(phases.map(({ key, us }) => [key, us])).toEqual([
    ["dynamo", 1],
    ["passes", 3],
  ]);
  expect(phasesOf(named, {})).toEqual([]);
});

test("a span's phase is the one that sums it", () => {
  expect(phaseOf(named, "joint").key).toBe("passes");
  expect(phaseOf(named, "aot").key).toBe("aot");
  expect(phaseOf(named, "unheard of").key).toBe("other");
  expect(phaseOf(named, undefined).key).toBe("other");
  expect(phaseOf({ ...named, totals: { by_phase_us: { backend: 3 } } }, "aot").key).toBe("backend");
  expect(phaseOf({ ...named, totals: { by_phase_us: { aot: 3 } } }, "aot").key).toBe("aot");
});

test("in a sum, the time of a backend counts as AOTAutograd's if some compile used it", () => {
  const sum = (...times: ShownTimes[]) =>
    sumTimes(
      named,
      times.map((by_phase_us) => ({ by_phase_us })),
    );
  expect(sum({ dynamo: 1, aot: 2 }, { dynamo: 3, backend: 4 })).toEqual({ dynamo: 4, aot: 6 });
  expect(sum({ backend: 4 }, { backend: 1, dynamo: 1 })).toEqual({ backend: 5, dynamo: 1 });
  expect(sum({ other: 4, dynamo: 1 }, { not_logged: 1 })).toEqual({ dynamo: 1, other: 5 });
  expect(sum({ not_logged: 4 }, { not_logged: 1 }, {})).toEqual({ not_logged: 5 });
});

test("metrics get units from their names, and unset ones are named only", () => {
  const { groups, unset } = groupMetrics(
    {
      duration_us: 1500,
      gc_time_us: 0,
      guard_count: 1122,
      param_bytes: 2000,
      fail_type: null,
      restart_reasons: [],
      cuda_version: "",
      feature_usage: { fx_cache: true },
      triton_version: null,
    },
    { duration_us: 2500, gc_time_us: 30, pytorch_version: "2.15" },
  );
  expect(unset).toEqual([
    { key: "fail_type", text: "null" },
    { key: "restart_reasons", text: "[]" },
    { key: "cuda_version", text: '""' },
    { key: "triton_version", text: "null" },
  ]);
  const texts = (title: string) =>
    groups
      .find((group) => group.title === title)
      ?.rows.map((row) =>
        `${row.key} ${row.forward?.text ?? "–"} ${row.backward?.text ?? "–"}`.replace(/\u00a0/g, " "),
      );
  expect(texts("Time")).toEqual(["duration_us 1.50 ms 2.50 ms", "gc_time_us 0 30.0 µs"]);
  expect(texts("Guards and shapes")).toEqual(["guard_count 1,122 –"]);
  expect(texts("Parameters")).toEqual(["param_bytes 2.00 kB –"]);
  expect(texts("Versions")).toEqual(["pytorch_version – 2.15"]);
  expect(groupOf("structured_logging_overhead_s")).toBe("Time");
  expect(groupOf("inductor_fx_remote_cache_backend_type")).toBe("Caches");
  expect(groupOf("new_field")).toBe("Other");
  expect(metric("entire_frame_compile_time_s", 33.003).text).toBe("33.0\u00a0s");
  expect(metric("start_time_us", 1_000_000_500_000).text).toBe("1970-01-12 13:46:40.500 UTC");
  expect(metric("graph_node_shapes", '{"a":[1]}').block).toBe(true);
  expect(metric("x", "{no json").text).toBe("{no json");
  expect(metric("start_time", []).text).toBe("[]");
});

test("artifacts are grouped by attempt and subgraph only where there are several", () => {
  const make = (name: string, attempt: number | null, subgraph: string | null = null) =>
    ({ name, attempt, subgraph, number: null }) as Artifact;
  expect(groupArtifacts([make("a", 0), make("b", 0)]).map((g) => g.title)).toEqual([""]);
  const groups = groupArtifacts([make("a", 0), make("b", 1, "x"), make("c", 0)]);
  expect(groups.map((g) => g.title)).toEqual(["attempt 0", "attempt 1 · subgraph x"]);
  expect(groups[0]!.items.map((item) => item.n)).toEqual([0, 2]);
});

test("what the log left out gets one form", () => {
  const compile = (id: string, frame: unknown) => ({ id, key: id, frame_id: 2, frame }) as Compile;
  const report = tidy({
    compiles: [
      compile("2/0", { function: "f", file: null }),
      compile("2/1", null),
      compile("3/0", { function: null, file: null }),
    ],
    recompiles: [{ frame: { function: "f", file: "a.py", line: 1 }, chain: ["2/0", "2/1", "9/9"] }],
    graph_breaks: [{ place: { file: null } }],
    failures: [],
    stacks: [],
    findings: [],
  } as unknown as Report);
  expect(report.compiles.map((c) => c.frame?.function)).toEqual(["f", "f", undefined]);
  expect(report.compiles[0]!.cache).toEqual([]);
  expect(report.graph_breaks[0]!.place).toBeNull();
  expect(report.caches).toEqual({});
});

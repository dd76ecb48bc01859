import { expect, test } from "vitest";
import { recordPicture, recordTables } from "../src/data/record-tables";
import { artifactAt, cacheCounts, noticeTitle, profileAction, recordsOf, runs, runtimeParts, type Notice, type PgoRecord } from "../src/data/records";
import type { Artifact, Compile, Report } from "../src/data/types";

test("estimates are read with commas in their first cell", () => {
  const text = "# World size: 2\nNode,Benchmarked Est(us),Flops\nmm f32(64, 64) f32(64, 64),0.5000,524288\nadd,1.0,x";
  expect(recordTables("fx_compute_nodes_runtime_estimation", text)).toEqual({
    facts: [["World size", "2"]],
    tables: [{ columns: ["Node", "Benchmarked Est(us)", "Flops"], rows: [["mm f32(64, 64) f32(64, 64)", "0.5000", "524288"], ["add", "1.0", "x"]], numbers: [false, true, false], more: 0 }],
  });
  expect(recordTables("fx_collectives_estimations_after_overlap_bucketing", "a,b\n1,2")?.tables[0]?.rows).toEqual([["1", "2"]]);
  expect(recordTables("fx_compute_nodes_runtime_estimation", "no table")).toBeNull();
  expect(recordTables("fx_graph_runnable", text)).toBeNull();
});

test("what activation checkpointing chose", () => {
  const info = (name: string, saved: boolean) => ({ name, target: "aten.mm.default", shape: "torch.Size([4, 4])", is_recomputable_candidate: true, recomputable_candidate_info: { memory: 64, runtime: 128, is_saved: saved, is_recomputed: !saved } });
  const text = JSON.stringify({ "Joint Graph Size": 30, "Memory Budget": 0.5, "Joint Graph Node Information": { mm: info("mm", true), mm_1: info("mm_1", false), sin: { name: "sin" } }, "Min Cut Solution Saved Values": ["mm", "missing"] });
  const found = recordTables("min_cut_information", text)!;
  expect(found.facts).toEqual([["Joint Graph Size", "30"], ["Memory Budget", "0.5"]]);
  expect(found.tables[0]!.rows).toEqual([["mm", "aten.mm.default", "torch.Size([4, 4])", "64", "128", "saved"], ["mm_1", "aten.mm.default", "torch.Size([4, 4])", "64", "128", "recomputed"]]);
  expect(found.tables[1]!.rows).toEqual([["mm", "aten.mm.default", "torch.Size([4, 4])"]]);
  for (const odd of ["", "[]", "3", "{", '{"Joint Graph Node Information": [1, null]}']) expect(() => recordTables("min_cut_information", odd)).not.toThrow();
});

test("edges, buckets and sizes of collectives", () => {
  expect(recordTables("min_cut_failed_edge_list", "source mm_in {'capacity': inf, 'reason': 'cannot be recomputed'}\nmm_in mm_out {'capacity': 3.5}\nodd")?.tables[0]?.rows).toEqual([["source", "mm_in", "inf", "cannot be recomputed"], ["mm_in", "mm_out", "3.5", ""]]);
  const buckets = recordTables("fx_bucketing_passes_all_gather_buckets", "[[ag, ag_1], [ag_2]]")!;
  expect(buckets.facts).toEqual([["collectives", "3"], ["buckets", "2"]]);
  expect(buckets.tables[0]!.rows).toEqual([["0", "2", "ag, ag_1"], ["1", "1", "ag_2"]]);
  expect(recordTables("fx_bucketing_passes_all_gather_buckets", "[]")).toBeNull();
  const fsdp = recordTables("pre_bucketing_fsdp_collectives", "fsdp_groups=['0'], group_size=2, bucket_cap_mb=10.4, all_gather 2->1, all_reduce 0->0")!;
  expect(fsdp.facts).toEqual([["fsdp_groups", "['0']"], ["group_size", "2"], ["bucket_cap_mb", "10.4"]]);
  expect(fsdp.tables[0]!.rows).toEqual([["all_gather", "2", "1"], ["all_reduce", "0", "0"]]);
  expect(recordTables("pre_bucketing_collective_sizes_after", '[{"type": "AG", "size_mb": 0.5, "name": "ag"}]')?.tables[0]).toEqual({ columns: ["type", "size_mb", "name"], rows: [["AG", "0.5", "ag"]], numbers: [false, true, false], more: 0 });
  expect(recordTables("pge_profile_vs_analytical", '{"collective_count": 1, "op_entries": [{"op": "mm", "profile_ms": 1}], "diagnostics": [{"node": "mm", "pge_ms": 0.25}]}')?.tables.map((one) => one.title)).toEqual(["Estimates of nodes", "Profiled operations"]);
});

test("tables are bounded", () => {
  const rows = Array.from({ length: 2500 }, (_, i) => `${i},${"x".repeat(1000)}`).join("\n");
  const table = recordTables("fx_compute_nodes_runtime_estimation", `a,b\n${rows}`)!.tables[0]!;
  expect([table.rows.length, table.more, table.rows[0]![1]!.length]).toEqual([2000, 500, 501]);
});

test("an SVG is a picture, and never markup of the page", () => {
  const picture = recordPicture("min_cut_failed_svg", '<svg onload="alert(1)"><script>alert(2)</script>\ud800</svg>')!;
  expect(picture.startsWith("data:image/svg+xml;charset=utf-8,")).toBe(true);
  expect(picture).not.toMatch(/[<>"\s]/);
  expect(recordPicture("min_cut_failed_svg", "no picture")).toBeNull();
  expect(recordPicture("fx_graph_runnable", "<svg></svg>")).toBeNull();
});

test("records of a compile are found by its key", () => {
  const notice = { kind: "fx_interpreter_error", compile: "0/0#2", message: "m", detail: null, subject: null, place: null, line: 7, count: 1 };
  const report = { notices: { list: [notice, { ...notice, compile: "0/0" }], more: 0 } } as unknown as Report;
  expect(recordsOf(report, { id: "0/0", key: "0/0#2" } as unknown as Compile).notices).toEqual([notice]);
  expect(recordsOf({} as Report, { id: "0/0" } as Compile)).toEqual({ notices: [], allChanges: true, profiles: [], jobs: [], buckets: [] });
  expect(noticeTitle(notice as Notice)).toBe("Error while the graph was interpreted");
  expect(noticeTitle({ ...notice, kind: "new", subject: "f" } as Notice)).toBe("new: f");
  expect(profileAction({ action: "write", store: "remote" } as PgoRecord)).toBe("written to the remote cache");
});

test("run time is told by what it was spent on", () => {
  expect(runtimeParts({ id: "0/0", runtime_parts_us: { cudagraphs: 5, autotune: 3 } } as unknown as Compile)).toEqual([["Autotuning of Triton kernels", 3], ["Recording of CUDA graphs", 5]]);
  expect(runtimeParts({ id: "-/-", runtime_parts_us: { compile: 7 } } as unknown as Compile)).toEqual([["Compiling outside of a frame", 7]]);
  expect(runtimeParts({ id: "0/0" } as Compile)).toEqual([]);
});

test("records that come by the hundred are one row, at the first of them", () => {
  const items = ["a", "native_dsl_compile", "b", "native_dsl_compile", "a"].map((name, n) => ({ artifact: { name, line: n * 10 } as Artifact, n }));
  expect(runs(items).map(({ artifact, n, more }) => [artifact.name, n, more.length])).toEqual([["a", 0, 0], ["native_dsl_compile", 1, 1], ["b", 2, 0], ["a", 4, 0]]);
  expect(artifactAt(items.map((item) => item.artifact), 30)).toBe(3);
  expect(artifactAt([], 30)).toBe(-1);
});

test("counts of a cache name what there is", () => {
  expect(cacheCounts({ hit: 2, miss: 0, bypass: 1, pickle_failure: 3 })).toBe("2 hits · 1 bypass · 3 not saved");
  expect(cacheCounts({ entries: 2, bypass: 0, exception: 0 })).toBe("2 entries");
  expect(cacheCounts({ hit: 0, miss: 0, bypass: 0 })).toBe("");
});

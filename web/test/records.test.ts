import { expect, test } from "vitest";
import { cellText, numberColumns, recordPicture } from "../src/store/record-tables";
import {
  artifactAt,
  cacheCounts,
  noticeTitle,
  profileAction,
  recordsOf,
  runs,
  runtimeParts,
} from "../src/store/records";
import type { Artifact, Compile, Notice, PgoRecord, Report } from "../src/store/report";

test("cells are texts and numbers as the log has them", () => {
  const table = {
    title: null,
    columns: ["node", "ms", "capacity"],
    rows: [
      ["mm f32(64, 64)", 0.123456789, 3],
      ["add", null, "inf"],
    ],
    more: 0,
  };
  expect(numberColumns(table)).toEqual([false, true, true]);
  expect(numberColumns({ ...table, rows: [] })).toEqual([false, false, false]);
  expect(numberColumns({ ...table, rows: [["a", "x", null]] })).toEqual([false, false, false]);
  expect(table.rows.map((row) => row.map(cellText))).toEqual([
    ["mm f32(64, 64)", "0.123457", "3"],
    ["add", "", "inf"],
  ]);
});

test("an SVG is a picture, and never markup of the page", () => {
  const picture = recordPicture("min_cut_failed_svg", '<svg onload="alert(1)"><script>alert(2)</script>\ud800</svg>')!;
  expect(picture.startsWith("data:image/svg+xml;charset=utf-8,")).toBe(true);
  expect(picture).not.toMatch(/[<>"\s]/);
  expect(recordPicture("min_cut_failed_svg", "no picture")).toBeNull();
  expect(recordPicture("fx_graph_runnable", "<svg></svg>")).toBeNull();
});

test("records of a compile are found by its key", () => {
  const notice = {
    kind: "fx_interpreter_error",
    compile: "0/0#2",
    message: "m",
    detail: null,
    subject: null,
    place: null,
    line: 7,
    count: 1,
  };
  const report = { notices: { list: [notice, { ...notice, compile: "0/0" }], more: 0 } } as unknown as Report;
  expect(recordsOf(report, { id: "0/0", key: "0/0#2" } as unknown as Compile).notices).toEqual([notice]);
  expect(recordsOf({} as Report, { id: "0/0" } as Compile)).toEqual({
    notices: [],
    allChanges: true,
    profiles: [],
    jobs: [],
    buckets: [],
  });
  expect(noticeTitle(notice as Notice)).toBe("Error while the graph was interpreted");
  expect(noticeTitle({ ...notice, kind: "new", subject: "f" } as unknown as Notice)).toBe("new: f");
  expect(profileAction({ action: "write", store: "remote" } as PgoRecord)).toBe("written to the remote cache");
});

test("run time is told by what it was spent on", () => {
  expect(runtimeParts({ id: "0/0", runtime_parts_us: { cudagraphs: 5, autotune: 3 } } as unknown as Compile)).toEqual([
    ["Autotuning of Triton kernels", 3],
    ["Preparing and recording CUDA graphs", 5],
  ]);
  expect(runtimeParts({ id: "-/-", runtime_parts_us: { compile: 7 } } as unknown as Compile)).toEqual([
    ["Compiling outside of a frame", 7],
  ]);
  expect(runtimeParts({ id: "0/0" } as Compile)).toEqual([]);
});

test("records that come by the hundred are one row, at the first of them", () => {
  const items = ["a", "native_dsl_compile", "b", "native_dsl_compile", "a"].map((name, n) => ({
    artifact: { name, line: n * 10 } as Artifact,
    n,
  }));
  expect(runs(items).map(({ artifact, n, more }) => [artifact.name, n, more.length])).toEqual([
    ["a", 0, 0],
    ["native_dsl_compile", 1, 1],
    ["b", 2, 0],
    ["a", 4, 0],
  ]);
  expect(
    artifactAt(
      items.map((item) => item.artifact),
      30,
    ),
  ).toBe(3);
  expect(artifactAt([], 30)).toBe(-1);
});

test("counts of a cache name what there is", () => {
  expect(cacheCounts({ hit: 2, miss: 0, bypass: 1, pickle_failure: 3 })).toBe("2 hits · 1 bypass · 3 not saved");
  expect(cacheCounts({ entries: 2, bypass: 0, exception: 0 })).toBe("2 entries");
  expect(cacheCounts({ hit: 0, miss: 0, bypass: 0 })).toBe("");
});

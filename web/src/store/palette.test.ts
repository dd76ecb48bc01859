import { describe, expect, it } from "vitest";
import { baseEntries, find, kernelEntries, settingEntries, type Entry } from "./palette";
import { Store } from "./store";
import type { Compile, Config, Report } from "./report";
import type { Kernel } from "./kernels";

const compile = (id: string, more: Partial<Compile> = {}): Compile =>
  ({
    key: id,
    id,
    generation: 1,
    process: 1,
    is_compile: true,
    frame: { file: "/home/user/model.py", line: 10, function: "forward" },
    stack: null,
    ...more,
  }) as unknown as Compile;

const report = (more: Partial<Report>): Report =>
  ({ kind: "run", compiles: [], findings: [], graph_breaks: [], stacks: [], ...more }) as unknown as Report;

const PAGES = [
  { title: "Overview", href: "#/", letter: "o" },
  { title: "Graph breaks", href: "#/breaks", letter: "b" },
  { title: "Recompiles", href: "#/recompiles", letter: "r" },
  { title: "Log", href: "#/log" },
];
const index = (more: Partial<Report>): Entry[] => baseEntries(new Store(report(more)), PAGES);
const titles = (entries: readonly Entry[], query: string): string[] =>
  find(entries, query).entries.map((item) => `${item.kind} ${item.title}`);

describe("the palette", () => {
  const compiles = ["0/0", "0/1", "1/0", "10/0", "10/1"].map((id) => compile(id));
  it("puts an exact compile id first, however it is written", () => {
    const all = index({ compiles });
    for (const query of ["0/1", "[0/1]", "[0/1_0]", "0/1_2", " 0/1 "])
      expect(titles(all, query)[0]).toBe("compile 0/1");
    expect(titles(all, "10").slice(0, 3)).toEqual(["compile 10/0", "compile 10/1", "line model.py:10"]);
  });
  it("finds a generation of an id", () => {
    const both = [compile("0/0", { generation: 1 }), compile("0/0#2", { id: "0/0", generation: 2 })];
    expect(find(index({ compiles: both }), "0/0 #2").entries[0]!.href()).toBe("#/c/0%2F0%232");
  });
  it("puts an exact page before compiles that contain the word", () => {
    const frame = { file: "/a/log.py", line: 3, function: "log_softmax" };
    expect(titles(index({ compiles: [compile("0/0", { frame })] }), "log")).toEqual([
      "page Log",
      "compile 0/0",
      "line log.py:3",
    ]);
  });
  it("finds letters with gaps only if nothing else matches", () => {
    const all = index({ compiles });
    expect(titles(all, "grbr")).toEqual(["page Graph breaks"]);
    expect(titles(all, "rec")).toEqual(["page Recompiles"]);
    expect(find(all, "qqqq")).toEqual({ entries: [], count: 0 });
  });
  it("finds graph breaks, stacks and frames by file:line", () => {
    const node = { parent: -1, function: "main", file: "/home/user/train.py", line: 7, code: "model(x)", compiles: [] };
    const library = { ...node, file: "/usr/lib/torch/x.py", line: 9, library: true };
    const all = index({
      stacks: [node, library] as unknown as Report["stacks"],
      graph_breaks: [
        { place: { file: "/home/user/model.py", line: 12, function: "f" }, stack: [{ code: "print(x)" }] },
        { place: null, stack: [] },
      ] as unknown as Report["graph_breaks"],
    });
    expect(find(all, "train.py:7").entries).toMatchObject([{ kind: "line", about: "main  model(x)" }]);
    expect(find(all, "/home/user/model.py:12").entries.map((item) => item.href())).toEqual(["#/breaks?n=0"]);
    expect(find(all, "print(x)").entries).toMatchObject([{ title: "model.py:12" }]);
    expect(find(all, "x.py:9").count).toBe(0);
  });
  it("finds lines of source by a part of their file, and by their code", () => {
    const line = { function: null, library: false, text: "y = x.sin()" };
    const lines = [
      { ...line, file: "/home/user/model.py", line: 12 },
      { ...line, file: "/home/user/model.py", line: 120 },
      { ...line, file: "/home/user/data.py", line: 12, text: null, function: "load" },
    ] as unknown as NonNullable<Report["lines"]>;
    const all = index({ lines });
    for (const query of ["model.py:12", "/home/user/model.py:12", "mod:12", "MODEL:12"])
      expect(find(all, query).entries[0]).toMatchObject({ kind: "code", title: "model.py:12", about: "y = x.sin()" });
    expect(find(all, "mod:12").count).toBe(1);
    expect(find(all, "mod:12").entries[0]!.href()).toBe("#/code/line?file=%2Fhome%2Fuser%2Fmodel.py&line=12");
    expect(titles(all, "x.sin()")).toEqual(["code model.py:12", "code model.py:120"]);
    expect(find(all, "load").entries[0]).toMatchObject({ title: "data.py:12", about: "begin of load" });
    expect(find(all, "mod:13").count).toBe(0);
  });
  it("finds ops, their lines and kernels, and settings", () => {
    const kernel = (name: string, ops: string[]) =>
      ({ name, ops, sources: [{ file: "/a/model.py", line: 5, function: "f", code: "x @ w" }] }) as unknown as Kernel;
    const all = [
      ...kernelEntries([kernel("triton_mm_0", ["aten.mm"]), kernel("triton_add_1", ["aten.add", "aten.mm"])]),
      ...settingEntries([
        { kind: "dynamo", values: { suppress_errors: false } },
        { kind: "dynamo", values: { suppress_errors: true } },
        { kind: "inductor", values: null },
      ] as unknown as Config[]),
    ];
    for (const query of ["aten.mm", "mm", "aten::mm"])
      expect(find(all, query).entries[0]).toMatchObject({ kind: "op", title: "aten.mm", about: "2 kernels" });
    expect(find(all, "model.py:5").entries[0]).toMatchObject({ about: "2 kernels  f  x @ w" });
    expect(find(all, "suppress_errors").entries).toMatchObject([
      { title: "dynamo.suppress_errors", about: "false | true" },
    ]);
    expect(find(all, "suppress_errors").entries[0]!.href()).toBe("#/config?q=dynamo+suppress_errors");
  });
  it("bounds its results, and one kind does not crowd out the others", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => compile(`${i}/0`));
    const all = index({ compiles: many });
    expect(find(all, "forward").count).toBe(10_001);
    expect(titles(all, "forward").length).toBe(9);
    expect(titles(all, "forward").at(-1)).toBe("line model.py:10");
    expect(titles(all, "9999/0")).toEqual(["compile 9999/0"]);
    expect(find(all, "99").entries.length).toBe(50);
  });
  it("lists the pages before anything is typed", () => {
    expect(titles(index({ compiles }), "  ").length).toBe(PAGES.length);
  });
});

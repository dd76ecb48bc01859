import { describe, expect, it } from "vitest";
import { findBars, stackFlame, stepBar } from "../src/store/stackflame";
import { sharesOf } from "../src/store/logsizes";
import { treemap } from "../src/lib/treemap";
import type { Report, StackNode } from "../src/store/report";

const node = (
  parent: number,
  name: string,
  time_us: number | null,
  compiles: string[] = [],
  file = "/home/user/a.py",
): StackNode => ({ parent, function: name, file, line: 1, code: null, library: false, dump: null, compiles, time_us });

const NODES = [
  node(-1, "main", 100),
  node(0, "step", 100),
  node(1, "forward", 70, ["0/0"]),
  node(2, "inner", 30, ["1/0"]),
  node(1, "library", 30, [], "/usr/lib/python3/site-packages/x.py"),
  node(4, "loss", 30, ["2/0"]),
];
const TIMES: Record<string, number> = { "0/0": 40, "1/0": 30, "2/0": 30 };
const options = (framework: boolean) => ({
  shown: (n: StackNode) => framework || !n.file.includes("site-packages"),
  time: (id: string) => TIMES[id] ?? null,
  status: (id: string) => (id === "2/0" ? ("error" as const) : ("ok" as const)),
  name: (id: string) => id,
  sign: (status: string) => (status === "ok" ? "✓" : "✕"),
  framework: (file: string) => file.includes("site-packages"),
});

describe("the flame graph of stacks", () => {
  const flame = stackFlame(NODES, options(false));
  const at = (label: string): number =>
    Array.from({ length: flame.count }, (_, i) => i).find((i) => flame.bars.label(i) === label)!;
  const range = (label: string) => [flame.bars.from[at(label)], flame.bars.to[at(label)], flame.bars.row[at(label)]];
  it("is as wide as the compile time, callers around what they called", () => {
    expect(range("all compiles")).toEqual([0, 100, 0]);
    expect(range("step (+1 caller)")).toEqual([0, 100, 1]);
    expect(range("forward")).toEqual([0, 70, 2]);
    expect(range("✓ 0/0")).toEqual([0, 40, 3]);
    expect(range("inner")).toEqual([40, 70, 3]);
    expect(range("✓ 1/0")).toEqual([40, 70, 4]);
    expect(range("loss")).toEqual([70, 100, 2]);
    expect(range("✕ 2/0")).toEqual([70, 100, 3]);
    expect(flame.bars.color[at("✕ 2/0")]).toBe(10);
  });
  it("shows frames of libraries when asked", () => {
    const all = stackFlame(NODES, options(true));
    expect(Array.from({ length: all.count }, (_, i) => all.bars.label(i))).toContain("loss (+1 caller)");
  });
  it("finds by words, also in folded frames", () => {
    const hits = (q: string) =>
      Array.from({ length: flame.count }, (_, i) => i)
        .filter((i) => findBars(flame, NODES, [q])![i])
        .map((i) => flame.bars.label(i));
    expect(hits("main")).toEqual(["step (+1 caller)"]);
    expect(hits("2/0")).toContain("✕ 2/0");
    expect(findBars(flame, NODES, [])).toBeNull();
  });
  it("walks by arrow keys", () => {
    expect(stepBar(flame, at("forward"), "next")).toBe(at("loss"));
    expect(stepBar(flame, at("loss"), "previous")).toBe(at("forward"));
    expect(stepBar(flame, at("loss"), "parent")).toBe(at("step (+1 caller)"));
    expect(stepBar(flame, at("forward"), "child")).toBe(at("✓ 0/0"));
    expect(stepBar(flame, 0, "parent")).toBe(0);
  });
  it("counts compiles where no time is known, and those that have none", () => {
    const none = stackFlame([node(-1, "f", null, ["0/0", "0/1"])], { ...options(false), time: () => null });
    expect([none.counted, none.total, none.unknown]).toEqual([true, 2, 0]);
    const some = stackFlame([node(-1, "f", 40, ["0/0", "9/9"])], options(false));
    expect([some.counted, some.total, some.unknown]).toEqual([false, 40, 1]);
  });
  it("takes stacks that are thousands deep, and none at all", () => {
    const deep = Array.from({ length: 20_000 }, (_, i) =>
      node(i - 1, `f${i}`, 10, i === 19_999 ? ["0/0"] : i % 2 ? [`${i}/7`] : []),
    );
    expect(stackFlame(deep, options(false)).count).toBeGreaterThan(9000);
    expect(stackFlame([], options(false)).total).toBe(0);
  });
});

describe("a treemap", () => {
  it("fills its room with areas as large as the values", () => {
    const values = [60, 25, 10, 4, 1];
    const rects = treemap(values, { x: 10, y: 20, w: 200, h: 100 });
    rects.forEach((rect, i) => {
      expect(rect.w * rect.h).toBeCloseTo(values[i]! * 200, 5);
      expect(rect.x).toBeGreaterThanOrEqual(10 - 1e-9);
      expect(rect.x + rect.w).toBeLessThanOrEqual(210 + 1e-6);
      expect(rect.y + rect.h).toBeLessThanOrEqual(120 + 1e-6);
      for (const other of rects.slice(i + 1))
        expect(
          rect.x + rect.w <= other.x + 1e-6 ||
            other.x + other.w <= rect.x + 1e-6 ||
            rect.y + rect.h <= other.y + 1e-6 ||
            other.y + other.h <= rect.y + 1e-6,
        ).toBe(true);
    });
  });
  it("is empty for nothing", () => {
    expect(treemap([], { x: 0, y: 0, w: 1, h: 1 })).toEqual([]);
    expect(treemap([0], { x: 0, y: 0, w: 1, h: 1 })).toEqual([]);
  });
});

describe("who makes the log big", () => {
  const log = {
    bytes: 1000,
    records: 6,
    unknown_keys: ["new_thing"],
    kinds: [
      { key: "artifact", name: "big", records: 1, bytes: 700 },
      { key: "new_thing", name: null, records: 4, bytes: 150 },
      { key: "chromium_event", name: null, records: 1, bytes: 50 },
    ],
    by_compile: [
      { id: "0/1", records: 2, bytes: 800 },
      { id: "-/-", records: 4, bytes: 90 },
    ],
    by_compile_rest: { compiles: 3, records: 0, bytes: 10 },
  } as unknown as Report["log"];
  it("by kind: largest first, unknown ones marked, with what belongs to no kind", () => {
    const shares = sharesOf(log, "kind", "bytes", null);
    expect(shares.map((s) => [s.label, s.value, s.unknown])).toEqual([
      ["big", 700, false],
      ["new_thing", 150, true],
      ["file names and other text", 100, false],
      ["chromium_event", 50, false],
    ]);
    expect(shares[0]!.href).toBe("#/files?q=big");
    expect(shares[3]!.href).toBe("#/timeline");
    expect(sharesOf(log, "kind", "records", null).map((s) => s.value)).toEqual([4, 1, 1]);
  });
  it("by compile id, with the rest", () => {
    expect(sharesOf(log, "compile", "bytes", null).map((s) => [s.label, s.value, s.href])).toEqual([
      ["0/1", 800, "#/c/0%2F1"],
      ["file names and other text", 100, null],
      ["no compile id", 90, "#/c/-%2F-"],
      ["3 others", 10, null],
    ]);
  });
  it("by kind within compile ids", () => {
    const shares = sharesOf(log, "both", "records", [
      [
        [0, 1, 700],
        [1, 1, 100],
      ],
      [
        [1, 3, 50],
        [2, 1, 40],
      ],
    ]);
    expect(shares.map((s) => [s.label, s.inner?.map((i) => [i.label, i.value])])).toEqual([
      [
        "no compile id",
        [
          ["new_thing", 3],
          ["chromium_event", 1],
        ],
      ],
      [
        "0/1",
        [
          ["big", 1],
          ["new_thing", 1],
        ],
      ],
    ]);
  });
});

import { expect, test } from "vitest";
import { lineCompiles } from "./line-compiles";
import type { Report } from "./report";

const line = (line: number, compiles: string[], compile_count: number | null) => ({
  file: "/m.py",
  line,
  compiles,
  compile_count,
});
const report = {
  lines: [line(10, ["0/0", "2/0"], 2), line(11, ["2/0"], 700), line(12, ["0/0"], null)],
  compiles: ["0/0", "1/0", "2/0"].map((key, i) => ({ key, frame: { file: "/m.py", line: 10 + i, function: "f" } })),
} as unknown as Report;

test("a line is part of the compiles with an operation or a kernel from it, and of those that begin there", () => {
  expect(lineCompiles(report, { file: "/m.py", line: 10 })).toEqual({
    parts: ["0/0", "2/0"],
    keys: ["0/0", "2/0"],
    more: 0,
  });
  expect(lineCompiles(report, { file: "/m.py", line: 11 })).toEqual({
    parts: ["2/0"],
    keys: ["2/0", "1/0"],
    more: 699,
  });
  expect(lineCompiles(report, { file: "/m.py", line: 12 }).more).toBeNull();
});

test("no compile has a line that the report lacks", () => {
  expect(lineCompiles(report, { file: "/n.py", line: 10 })).toEqual({ parts: [], keys: [], more: 0 });
  expect(lineCompiles({ compiles: [] }, { file: "/m.py", line: 10 }).keys).toEqual([]);
});

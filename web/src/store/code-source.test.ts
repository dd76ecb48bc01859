import { expect, test } from "vitest";
import { lineCost } from "../../test/line-cost";
import { costsOf, heatOf, hotSpots, sourceRows } from "./code-source";
import type { LineCost } from "./lines";
import type { Report } from "./report";

const cost = (line: number, more: Partial<LineCost> = {}): LineCost =>
  lineCost("/m.py", line, { text: `line ${line}`, ...more });
const report = (lines: LineCost[], more: object = {}) =>
  ({ lines, stacks: [], graph_breaks: [], ...more }) as unknown as Report;

test("lines are in order, gaps say how many are missing, other records fill in texts", () => {
  const made = report([cost(7), cost(3, { text: null, function: "f" }), cost(4), { ...cost(5), file: "/other.py" }], {
    stacks: [
      { file: "/m.py", line: 3, code: "def f(x):\n    return x" },
      { file: "/m.py", line: 9, code: "f(x)" },
      { file: "/m.py", line: 4, code: "not this one" },
    ],
    graph_breaks: [{ stack: [{ file: "/m.py", line: 8, code: "print(x)" }] }],
  });
  expect(sourceRows(made, "/m.py").map(({ line, text, gap }) => [line, text, gap])).toEqual([
    [1, "", 2],
    [3, "def f(x):", 0],
    [4, "line 4", 0],
    [5, "", 2],
    [7, "line 7", 0],
    [8, "print(x)", 0],
    [9, "f(x)", 0],
  ]);
  expect(sourceRows(made, "/none.py")).toEqual([]);
});

test("a whole file has all lines, as it spells them, and no gaps", () => {
  const made = report([cost(2), cost(9, { ops: 3 })], { stacks: [{ file: "/m.py", line: 3, code: "y" }] });
  const rows = sourceRows(made, "/m.py", "import x\r\n  line 2\n\n" + "z".repeat(2000) + "\n");
  expect(rows.map(({ line, text, gap, cost }) => [line, text.slice(0, 9), gap, cost?.line])).toEqual([
    [1, "import x", 0, undefined],
    [2, "  line 2", 0, 2],
    [3, "", 0, undefined],
    [4, "zzzzzzzzz", 0, undefined],
  ]);
  expect(rows[3]?.text.length).toBe(1000);
  expect(sourceRows(made, "/m.py", "")).toEqual([]);
});

test("columns are those with a value; hot is run time, else compile time, else ops", () => {
  const rows = (...lines: LineCost[]) => sourceRows(report(lines), "/m.py");
  expect(costsOf(rows(cost(1, { ops: 2 }), cost(2, { guards: 1 })))).toEqual(["guards", "ops"]);
  expect(heatOf(rows(cost(1, { ops: 2, compile_us: 5, run_us: 7 })))).toBe("run_us");
  expect(heatOf(rows(cost(1, { ops: 2, compile_us: 5 })))).toBe("compile_us");
  expect(heatOf(rows(cost(1, { ops: 2, guards: 9 })))).toBe("ops");
  expect(heatOf(rows(cost(1)))).toBe(null);
});

test("a stretch of the minimap stands for its most expensive line", () => {
  const rows = sourceRows(
    report([cost(1, { ops: 1 }), cost(2, { ops: 4 }), cost(60, { guards: 3 }), cost(100, { ops: 8 })]),
    "/m.py",
  );
  expect(hotSpots(rows, "ops", 10)).toEqual([
    { at: 0, share: 0.5, line: 2, value: 4 },
    { at: 0.9, share: 1, line: 100, value: 8 },
  ]);
});

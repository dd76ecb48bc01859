import { expect, test } from "vitest";
import { matches, words } from "../src/lib/text";
import { faultCount, noBreaks, noFailures, type Report, type StackFrame } from "../src/store/report";
import { sortRows, type Column } from "../src/ui/Grid";
import { placeOf } from "../src/features/compile/ShapeStacks";
import { guardText } from "../src/store/why";

interface Row {
  id: string;
  time: number | null;
}
const columns: Column<Row>[] = [
  { key: "id", title: "Id", width: "1fr", cell: () => null, value: (row) => row.id },
  { key: "time", title: "Time", width: "1fr", numeric: true, cell: () => null, value: (row) => row.time },
  { key: "why", title: "Why", width: "1fr", cell: () => null },
];
const rows: Row[] = [
  { id: "10/0", time: null },
  { id: "9/0", time: 5 },
  { id: "2/0", time: 7 },
  { id: "2/1", time: 5 },
];
const ids = (sort: string) => sortRows(rows, columns, sort).map((row) => row.id);

test("ids are sorted as numbers, what is not known stands last", () => {
  expect(ids("id")).toEqual(["2/0", "2/1", "9/0", "10/0"]);
  expect(ids("-time")).toEqual(["2/0", "9/0", "2/1", "10/0"]);
  expect(ids("time")).toEqual(["9/0", "2/1", "2/0", "10/0"]);
});

test("a sort order of an old or wrong address changes nothing", () => {
  for (const sort of ["", "why", "nonsense", "-"]) expect(ids(sort)).toEqual(rows.map((row) => row.id));
});

test("all words of a filter must occur", () => {
  expect(matches("by_shape recompiles.py:8", words("  SHAPE py:8 "))).toBe(true);
  expect(matches("by_shape recompiles.py:8", words("shape py:9"))).toBe(false);
  expect(matches("anything", words(""))).toBe(true);
});

test("a reason without the id before it and the place behind it", () => {
  expect(guardText("0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3")).toBe(
    "tensor 'x' size mismatch at index 0. expected 2, actual 3",
  );
  expect(guardText("2/1: L['n'] == 3                 # return x * n  # a.py:18 in f")).toBe("L['n'] == 3");
  expect(guardText("no id")).toBe("no id");
});

test("an empty list is no success where the log has nothing that it could be of", () => {
  const report = (...compiles: object[]) => ({ compiles }) as unknown as Report;
  const frame = { file: "a.py", line: 1, function: "f" };
  expect(noBreaks(report({ is_compile: true, frame }))[0]).toBe("✓ No graph breaks");
  for (const without of [
    report(),
    report({ is_compile: true, frame: null }),
    report({ is_compile: false, frame }),
    report({ is_compile: true, frame, status: "error" }),
    report({ is_compile: true, frame, interrupted: true }),
  ]) {
    expect(noBreaks(without)[0]).not.toContain("✓");
    expect(noBreaks(without)[1]).not.toContain("Each compiled frame");
  }
  const totals = (compiles: number, interrupted = 0, missing = 0) =>
    ({ totals: { compiles, interrupted, statuses: { missing } } }) as unknown as Report;
  expect(noFailures(totals(1))).toBe("✓ No compile failed");
  expect(noFailures(totals(1, 1))).toBe("No failures, 1 interrupted compile");
  expect(noFailures(totals(3, 2, 1))).toBe("No failures, 2 interrupted compiles");
  expect(noFailures(totals(0))).toBe("No compiles in this log");
  expect(noFailures(totals(1, 0, 1))).toBe("No failures in this log; it does not say how 1 compile ended");
});

test("the place of a symbol is never the line of the logger", () => {
  const own = { file: "a.py", line: 3, function: "f", code: null, library: false } as unknown as StackFrame;
  const logger = { ...own, file: "torch/_logging/_internal.py", line: 1559, library: true };
  expect(placeOf([], [own, logger])).toBe(own);
  expect(placeOf([own], [logger])).toBe(own);
  expect(placeOf([], [logger])).toBeUndefined();
});

test("warnings are lines, those beyond the list too", () => {
  const log = (more?: number) =>
    ({
      faults: [
        { line: 1, what: "unrecognized line", count: 3 },
        { line: 9, what: "payload MD5 mismatch", count: 1 },
      ],
      more_faults: more,
    }) as unknown as Report["log"];
  expect(faultCount(log())).toBe(4);
  expect(faultCount(log(10))).toBe(14);
  expect(faultCount(log(10), 1)).toBe(11);
  expect(faultCount(log(), 500)).toBe(0);
});

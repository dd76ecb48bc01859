import { expect, test } from "vitest";
import { lineCost as line } from "../../test/line-cost";
import { fileCosts, userFirst } from "./lines";

test("a file costs what its lines do; those of libraries come last", () => {
  const lines = [
    line("/lib/a.py", 1, { library: true, compile_us: 900 }),
    line("/b.py", 3, { ops: 2 }),
    line("/b.py", 4, { ops: 3, breaks: 1 }),
    line("/c.py", 1, { compile_us: 5, run_us: 7 }),
  ];
  const files = fileCosts(lines);
  expect(files.map(({ file }) => file)).toEqual(["/c.py", "/b.py", "/lib/a.py"]);
  expect(files[1]).toMatchObject({ lines: 2, ops: 5, breaks: 1, compile_us: 0, run_us: null });
  expect(userFirst(lines).map(({ file, line }) => `${file}:${line}`)).toEqual([
    "/c.py:1",
    "/b.py:4",
    "/b.py:3",
    "/lib/a.py:1",
  ]);
});

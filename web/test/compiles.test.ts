import { expect, it } from "vitest";
import { grouped, lineOf, separated, sum } from "../src/rooms/compiles-table";
import type { Compile } from "../src/data/types";

const compile = (id: string, time_us: number | null, status = "ok") => ({ id, frame_id: id === "-/-" ? null : Number(id.split("/")[0]), status, frame: null, subgraph: null, failure: null, recompile_reasons: [], time_us }) as unknown as Compile;
const lines = [compile("0/0", 5), compile("1/0", null), compile("0/1", 7), compile("-/-", null)].map((compile) => lineOf(compile));
const keep = <T,>(some: T): T => some;

it("groups by frame with sums, and a frame with one compile has no head", () => {
  const shown = grouped(lines, "frame", () => false, keep);
  expect(shown.map((line) => line.key)).toEqual(["group 0", "0/0", "0/1", "1/0", "-/-"]);
  expect(sum(shown[0]!, (c) => c.time_us)).toBe(12);
  expect(sum(shown[3]!, (c) => c.time_us)).toBeNull();
  expect(grouped(lines, "frame", (key) => key === "0", keep).map((line) => line.key)).toEqual(["group 0", "1/0", "-/-"]);
  expect(grouped(lines, "none", () => true, keep)).toBe(lines);
  expect(grouped(lines, "status", () => true, keep).map((line) => line.key)).toEqual(["group ok", "group outside"]);
});

it("makes rows for a spreadsheet that hold no formula", () => {
  expect(separated(["a", "b"], [["=1+1", null], ['say "x", y', 3]], ",")).toBe('a,b\n\'=1+1,\n"say ""x"", y",3\n');
  expect(separated(["a"], [["x\ty\nz"]], "\t")).toBe("a\nx y z\n");
});

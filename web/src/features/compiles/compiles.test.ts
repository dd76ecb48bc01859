import { expect, it } from "vitest";
import { cacheText, framesOf, grouped, lineOf, membersText, separated, sum } from "./compiles-table";
import type { Compile, Report } from "../../store/report";

const compile = (id: string, time_us: number | null, status = "ok") =>
  ({
    id,
    key: id,
    is_compile: id !== "-/-",
    status,
    frame: null,
    subgraph: null,
    failure: null,
    recompile_reasons: [],
    time_us,
  }) as unknown as Compile;
const lines = [compile("0/0", 5), compile("1/0", null), compile("0/1", 7), compile("-/-", null)].map((compile) =>
  lineOf(compile, "", framesOf({ recompiles: [{ chain: ["0/0", "0/1"] }] } as Report).get(compile.key)),
);
const keep = <T>(some: T): T => some;

it("groups by frame with sums, and a frame with one compile has no head", () => {
  const shown = grouped(lines, "frame", () => false, keep);
  expect(shown.map((line) => line.key)).toEqual(["group 0", "0/0", "0/1", "1/0", "-/-"]);
  expect(sum(shown[0]!, (c) => c.time_us)).toBe(12);
  expect(sum(shown[3]!, (c) => c.time_us)).toBeNull();
  expect(grouped(lines, "frame", (key) => key === "0", keep).map((line) => line.key)).toEqual([
    "group 0",
    "1/0",
    "-/-",
  ]);
  expect(grouped(lines, "none", () => true, keep)).toBe(lines);
  expect(grouped(lines, "status", () => true, keep).map((line) => line.key)).toEqual(["group ok", "group outside"]);
});

it("a frame is that between two resets: the frame that is called 0 after one may be another function", () => {
  const frames = framesOf({
    recompiles: [{ chain: ["0/0", "0/1"] }, { chain: ["0/0#2", "0/1#2"] }, { chain: ["4711:!0/2/0", "4711:!0/2/1"] }],
  } as Report);
  expect(Object.fromEntries(frames)).toEqual({
    "0/0": "0",
    "0/1": "0",
    "0/0#2": "0#2",
    "0/1#2": "0#2",
    "4711:!0/2/0": "4711:!0/2",
    "4711:!0/2/1": "4711:!0/2",
  });
  const all = [compile("0/0", 1), { ...compile("0/0", 2), key: "0/0#2", generation: 2 }].map((one) =>
    lineOf(one, "", frames.get(one.key)),
  );
  expect(grouped(all, "frame", () => false, keep).map((line) => line.key)).toEqual(["0/0", "0/0#2"]);
});

it("makes rows for a spreadsheet that hold no formula", () => {
  expect(
    separated(
      ["a", "b"],
      [
        ["=1+1", null],
        ['say "x", y', 3],
      ],
      ",",
    ),
  ).toBe('a,b\n\'=1+1,\n"say ""x"", y",3\n');
  expect(separated(["a"], [["x\ty\nz"]], "\t")).toBe("a\nx y z\n");
});

it("a group's head does not call an id outside of compiles a compile", () => {
  const of = (...ids: string[]) => membersText(ids.map((id) => compile(id, null)));
  expect(of("0/0")).toBe("1 compile");
  expect(of("-/-", "-/-")).toBe("2 other ids");
  expect(of("0/0", "0/1", "-/-")).toBe("2 compiles, 1 other id");
});

it("says of a group how many of its compiles had a result", () => {
  const met = (...results: string[]) =>
    ({ cache: results.map((result) => ({ cache: "fx_graph", result, reason: null })) }) as unknown as Compile;
  const line = (group: boolean, ...members: Compile[]) =>
    ({ group, members }) as unknown as Parameters<typeof cacheText>[0];
  expect(cacheText(line(false, met("bypass", "miss", "miss")))).toBe("bypass, miss");
  expect(cacheText(line(true, met("miss", "miss"), met("miss"), met("hit")))).toBe("miss (2), hit (1)");
});

import { expect, test } from "vitest";
import { type GraphMemory, savedBy, versionsOf } from "./memory";

const place = (line: number) => ({ file: "/m.py", line, function: "forward" });
const tensor = (bytes: number, line: number, module: string | null) => ({
  name: `t${bytes}`,
  shape: "(2,)",
  dtype: "torch.float32",
  bytes,
  place: place(line),
  code: "x",
  result: false,
  module: module === null ? null : { root: "L['self']", name: module, exact: module !== "" },
});
const graph = (compile: string, more: Partial<GraphMemory> = {}): GraphMemory =>
  ({ compile, artifact: 1, direction: "forward", derived: true, before: null, saved: [], ...more }) as GraphMemory;

test("what is saved is summed up by line, or by module", () => {
  const saved = [tensor(5, 7, "a"), tensor(4, 7, "b"), tensor(8, 9, "b"), tensor(1, 3, null)];
  const of = graph("0/0", { saved });
  expect(savedBy(of, "line").map(({ bytes, tensors }) => [bytes, tensors.length])).toEqual([
    [9, 2],
    [8, 1],
    [1, 1],
  ]);
  expect(savedBy(of, "module").map(({ bytes, module }) => [bytes, module?.name])).toEqual([
    [12, "b"],
    [5, "a"],
    [1, undefined],
  ]);
});

test("versions of a graph are linked by the one before", () => {
  const before = (compile: string) =>
    ({ compile, artifact: 1, net_change: 1, peak_change: 1, saved_change: null, whole_peak_change: null }) as const;
  const list = [
    graph("0/0"),
    graph("0/1", { before: before("0/0") }),
    graph("1/0"),
    graph("0/2", { before: before("0/1") }),
  ];
  expect(versionsOf(list, list[1]!).map(({ compile }) => compile)).toEqual(["0/0", "0/1", "0/2"]);
  expect(versionsOf(list, list[2]!).map(({ compile }) => compile)).toEqual(["1/0"]);
});

import { expect, test } from "vitest";
import { contradicted, isIdle, sortEffects, splitDifferences } from "./config";
import type { Compile, ConfigDifference, Report, SettingInEffect } from "./report";

const compile = (key: string, exported = false, framed = true) =>
  ({ key, exported, is_compile: true, frame_id: framed ? 0 : null }) as unknown as Compile;
const difference = (setting: string, values: [unknown, string[]][], kind = "dynamo") =>
  ({
    kind,
    setting,
    values: values.map(([value, compiles]) => ({ set: true, value, compiles })),
  }) as ConfigDifference;
const split = (compiles: Compile[], list: ConfigDifference[], found = false) => {
  const report = { compiles, config_differences: list, export: { found } } as unknown as Report;
  const { others, exports, exporters } = splitDifferences(report);
  return [others.map((item) => item.setting), exports.map((item) => item.setting), exporters];
};

const two = difference("specialize_int", [
  [true, ["0/0"]],
  [false, ["1/0", "1/1"]],
]);

test("settings of an export are a group of their own", () => {
  const compiles = [compile("0/0", true), compile("1/0"), compile("1/1")];
  expect(split(compiles, [two])).toEqual([[], ["specialize_int"], ["torch._dynamo.export"]]);
  expect(split(compiles.slice(1), [two])).toEqual([["specialize_int"], [], []]);
});

test("a setting that differs among other compiles, or that no export sets, is not", () => {
  const compiles = [compile("0/0", true), compile("1/0"), compile("1/1")];
  const list = [
    difference("specialize_float", [
      [true, ["0/0", "1/0"]],
      [false, ["1/1"]],
    ]),
    difference("capture_scalar_outputs", [
      [true, ["0/0"]],
      [false, ["1/0"]],
      [null, ["1/1"]],
    ]),
    { ...two, setting: "recompile_limit" },
    { ...two, kind: "inductor" } as ConfigDifference,
  ];
  expect(split(compiles, list)[1]).toEqual([]);
});

test("torch.export traces outside of frames", () => {
  const compiles = [compile("0/0", false, false), compile("1/0"), compile("1/1")];
  expect(split(compiles, [two], true)).toEqual([[], ["specialize_int"], ["torch.export"]]);
  expect(split(compiles, [two])[1]).toEqual([]);
});

const effect = (setting: string, configured?: unknown) =>
  ({
    kind: "inductor",
    setting,
    values: [{ value: 1, compiles: ["0/0"], ...(configured === undefined ? {} : { configured }) }],
  }) as unknown as SettingInEffect;

test("settings that contradict the configuration come first", () => {
  const list = [effect("a"), effect("b", null), effect("c", 2)];
  expect(sortEffects(list).map((item) => item.setting)).toEqual(["b", "c", "a"]);
  const found = contradicted({ settings_in_effect: list } as unknown as Report);
  expect([...found.keys()]).toEqual(["inductor b", "inductor c"]);
});

test("Compiled Autograd is idle if it is on and has no compile", () => {
  const report = (ids: string[]) => ({ compiles: ids.map((id) => ({ id })) }) as unknown as Report;
  expect(isIdle(report(["0/0"]), "dynamo", "compiled_autograd", "true")).toBe(true);
  expect(isIdle(report(["0/0", "!0/1/0"]), "dynamo", "compiled_autograd", "true")).toBe(false);
  expect(isIdle(report(["0/0"]), "dynamo", "compiled_autograd", "false")).toBe(false);
  expect(isIdle(report(["0/0"]), "dynamo", "compiled_autograd_kwargs_override", "true")).toBe(false);
});

import { expect, it } from "vitest";
import { CompileNames, parseKey } from "../src/store/compile-name";
import { counterpart } from "../src/store/diff-pairs";
import { isNamed } from "../src/store/search-report";
import { Store } from "../src/store/store";
import { findSpans } from "../src/store/timeline";
import type { Timeline } from "../src/store/timeline-data";
import type { Compile, Report } from "../src/store/report";

const compile = (key: string, more: Partial<Compile> = {}): Compile => {
  const { process, id, generation } = parseKey(key);
  const [number, nth] = (process ?? "7").split(".").map(Number);
  return {
    key,
    id,
    generation,
    process: number,
    ...(nth && { process_nth: nth }),
    is_compile: true,
    frame: null,
    recompile_reasons: [],
    ...more,
  } as unknown as Compile;
};
const store = (...compiles: Compile[]): Store => new Store({ compiles } as unknown as Report);
const plain = (text: string): string => text.replace(/\u00a0/g, " ");

it("a key has a process, an id and a generation", () => {
  expect(parseKey("0/1")).toEqual({ process: null, id: "0/1", generation: 1 });
  expect(parseKey("!0/2/0#3")).toEqual({ process: null, id: "!0/2/0", generation: 3 });
  expect(parseKey("4711:-/-#2")).toEqual({ process: "4711", id: "-/-", generation: 2 });
  expect(parseKey("7.2:0/0#3")).toEqual({ process: "7.2", id: "0/0", generation: 3 });
  expect(parseKey("unknown")).toEqual({ process: null, id: "unknown", generation: 1 });
  expect(parseKey("")).toEqual({ process: null, id: "", generation: 1 });
});

it("processes with the same ID are told apart by number and file", () => {
  const names = new CompileNames([
    compile("7:0/0", { process_file: "a.log" }),
    compile("7.2:0/0", { process_file: "b/x.log" }),
    compile("7.2:0/0#2", { process_file: "b/x.log" }),
  ]);
  expect(plain(names.of("7:0/0"))).toBe("7:0/0");
  expect(names.explain("7:0/0")).toBe("In process 7 of a.log.");
  expect(plain(names.of("7.2:0/0"))).toBe("7.2:0/0 #1");
  expect(names.explain("7.2:0/0#2")).toBe(
    "In process 7.2 of b/x.log. torch._dynamo.reset() resets the ids: this is the 2nd of 2 compiles called 0/0.",
  );
  const both = store(compile("7:0/0"), compile("7.2:0/0"));
  expect(both.indexOf("7.2:0/0")).toBe(1);
  expect(both.indexOf("7:0/0")).toBe(0);
});

it("the generation is shown where there is more than one, on the first too", () => {
  const names = new CompileNames([
    compile("0/0"),
    compile("1/0"),
    compile("0/0#2"),
    compile("-/-", { is_compile: false }),
  ]);
  expect(["0/0", "1/0", "0/0#2", "-/-", "9/9"].map((key) => plain(names.of(key)))).toEqual([
    "0/0 #1",
    "1/0",
    "0/0 #2",
    "-/-",
    "9/9",
  ]);
  expect(names.explain("0/0#2")).toBe(
    "torch._dynamo.reset() resets the ids: this is the 2nd of 2 compiles called 0/0.",
  );
  expect(names.explain("1/0")).toBe("");
});

it("the process is shown where there are several; generations are counted in each", () => {
  const names = new CompileNames([compile("1:0/0"), compile("1:0/0#2"), compile("2:0/0")]);
  expect(["1:0/0", "1:0/0#2", "2:0/0"].map((key) => plain(names.of(key)))).toEqual(["1:0/0 #1", "1:0/0 #2", "2:0/0"]);
  expect(names.explain("2:0/0")).toBe("In process 2.");
  expect(names.explain("1:0/0")).toMatch(/^In process 1\. torch\._dynamo\.reset\(\)/);
});

it("records behind the last compile without an id are no further compile", () => {
  const names = new CompileNames([compile("-/-"), compile("-/-#2", { is_compile: false })]);
  expect(["-/-", "-/-#2"].map((key) => plain(names.of(key)))).toEqual(["-/-", "-/-"]);
  expect(new CompileNames([compile("-/-"), compile("-/-#2")]).explain("-/-#2")).toBe(
    "The 2nd of 2 compiles without a compile id.",
  );
});

it("an address opens what it names; an old one the first generation, and the first process", () => {
  const one = store(compile("0/0"), compile("0/0#2"));
  expect([one.indexOf("0/0"), one.indexOf("0/0#2"), one.indexOf("0/0#3"), one.indexOf("1/0")]).toEqual([
    0,
    1,
    undefined,
    undefined,
  ]);
  const several = store(compile("1:0/0"), compile("2:0/0"), compile("2:0/0#2"));
  expect([several.indexOf("0/0"), several.indexOf("2:0/0"), several.indexOf("0/0#2")]).toEqual([0, 1, 2]);
  expect(one.indexOf("7:0/0#2")).toBe(1); // a page that was written when several processes were known of
});

it("a search for an id finds all its generations, for a key that one", () => {
  const all = [compile("2/1"), compile("2/1#2"), compile("2/0"), compile("20/0"), compile("9:2/1")];
  const found = (wanted: string) => all.filter((one) => isNamed(one, wanted)).map((one) => one.key);
  expect(found("2/1")).toEqual(["2/1", "2/1#2", "9:2/1"]);
  expect(found("2/1#2")).toEqual(["2/1#2"]);
  expect(found("2/1 #2")).toEqual(["2/1#2"]);
  expect(found("2")).toEqual(["2/1", "2/1#2", "2/0", "9:2/1"]);
});

it("the timeline finds the spans of an id in all generations, and those of a key", () => {
  const ids = ["0/0", "0/0#2", "10/0"];
  const timeline = {
    count: 3,
    names: ["dynamo"],
    ids,
    name: new Int32Array(3),
    id: Int32Array.from([0, 1, 2]),
  } as unknown as Timeline;
  expect([...findSpans(timeline, "0/0")!.list]).toEqual([0, 1]);
  expect([...findSpans(timeline, "0/0#2")!.list]).toEqual([1]);
  expect([...findSpans(timeline, "dynamo 10/0")!.list]).toEqual([2]);
});

it("compiles of two logs answer to each other generation by generation, whatever their processes", () => {
  const frame = { function: "f", file: "/a/m.py", line: 1 };
  const [a, b] = [
    [compile("1:0/0", { frame }), compile("1:0/0#2", { frame })],
    [compile("0/0", { frame }), compile("0/0#2", { frame })],
  ];
  expect(counterpart(a[1]!, a, b)?.key).toBe("0/0#2");
});

it("a recompile answers to that of the other rank for the same cause, not to that with its number", () => {
  const frame = { function: "f", file: "a.py", line: 1 };
  const version = (key: string, ...recompile_reasons: string[]) => compile(key, { frame, recompile_reasons });
  const [size, mode] = ["tensor 'x' size mismatch at index 0. expected 8, actual 6", "GLOBAL_STATE changed: grad_mode"];
  const a = [version("0/0"), version("0/1", `0/0: ${mode} `)];
  const b = [version("0/0"), version("0/1", `0/0: ${size}`), version("0/2", `0/1: ${size}`, `0/0: ${mode}  # a.py:1`)];
  expect(a.map((one) => counterpart(one, a, b)?.key)).toEqual(["0/0", "0/2"]);
  expect(b.map((one) => counterpart(one, b, a)?.key)).toEqual(["0/0", "0/1", "0/1"]); // by number: it has none
});

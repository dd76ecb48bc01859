import { describe, expect, test } from "vitest";
import { computes, excerpt, kernelText, kernelTitle } from "./kernels";

const CODE = [
  "head",
  "k0 = async_compile.triton('k0', '''",
  "import triton",
  "def k0(): pass",
  "''', device_str='cuda')",
  "",
  "k1 = x",
].join("\n");

test("copies between devices are named by them", () => {
  expect(kernelTitle({ name: "cpp_fused_0" })).toBe("cpp_fused_0");
  expect(kernelTitle({ name: "copy_", copy: { from: "cuda:0", to: "cpu", waits: true } })).toBe(
    "copy cuda:0 → cpu (waits for the GPU)",
  );
  expect(kernelTitle({ name: "copy_", copy: { from: "cuda:0", to: "cuda:1", waits: false } })).toBe(
    "copy cuda:0 → cuda:1",
  );
  expect(kernelTitle({ name: "copy_", copy: { from: null, to: null } })).toBe("copy to another device");
});

describe("the code of a kernel", () => {
  test("ends with the text that Inductor hands over", () => {
    expect(excerpt(CODE, 2, 60)).toEqual({
      text: "k0 = async_compile.triton('k0', '''\nimport triton\ndef k0(): pass\n''', device_str='cuda')",
      lines: 4,
      cut: false,
    });
  });
  test("ends with the function's brace in C++", () => {
    expect(excerpt('extern "C" void k(\n{\n  f();\n}\nvoid other() {', 1, 60).lines).toBe(4);
  });
  test("is cut where it is long, and empty behind the end", () => {
    expect(excerpt(CODE, 2, 2)).toEqual({
      text: "k0 = async_compile.triton('k0', '''\nimport triton",
      lines: 2,
      cut: true,
    });
    expect(excerpt(CODE, 99, 60).text).toBe("");
  });
});

test("kernels and calls of libraries in words", () => {
  expect([kernelText(2, 4), kernelText(1, 0), kernelText(0, 1), kernelText(0, 0)]).toEqual([
    "2 kernels and 4 library calls",
    "1 kernel",
    "1 library call",
    "0 kernels",
  ]);
  expect(computes({ ops: ["aten.mul", "prims.fma"], post_nodes: ["mul_1"], nodes: ["x"] })).toBe("mul, prims.fma");
  expect(computes({ ops: [], post_nodes: [], nodes: ["x"] })).toBe("x");
});

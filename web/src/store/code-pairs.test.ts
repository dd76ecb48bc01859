import { expect, test } from "vitest";
import { CodePairs } from "./code-pairs";
import type { Kernel } from "./kernels";

const dynamo = [
  "class GraphModule(torch.nn.Module):", // 1
  '    def forward(self, L_x_: "f32[4]"):',
  "        l_x_ = L_x_",
  "",
  "        # File: /a/m.py:10 in forward, code: y = x.sin()", // 5
  '        y: "f32[4]" = l_x_.sin();  l_x_ = None',
  "",
  "        # File: /a/m.py:11 in forward, code: return y + 1", // 8
  '        add: "f32[4]" = y + 1;  y = None',
  "        return (add,)",
].join("\n");
const post = [
  "class <lambda>(torch.nn.Module):", // 1
  '    def forward(self, arg0_1: "f32[4]"):',
  "        # File: /a/m.py:10 in forward, code: y = x.sin()", // 3
  '        sin: "f32[4]" = torch.ops.aten.sin.default(arg0_1);  arg0_1 = None',
  "",
  "        # File: /a/m.py:11 in forward, code: return y + 1", // 6
  '        add: "f32[4]" = torch.ops.aten.add.Tensor(sin, 1)',
  '        mm: "f32[4]" = torch.ops.aten.mm.default(add, add)',
  "",
  "        # No stacktrace found for following nodes", // 10
  '        clone: "f32[4]" = torch.ops.aten.clone.default(mm)',
].join("\n");
const code = [
  "# kernel path: /tmp/x.py", // 1
  "triton_fused_0 = async_compile.triton('triton_fused_0', '''",
  "def triton_fused_0(in_ptr0): # calls triton_fused_0(x)",
  "''', device_str='cuda')",
  "", // 5
  "def call(args):",
  "    # Topologically Sorted Source Nodes: [y, add], Original ATen: [aten.sin, aten.add]",
  "    triton_fused_0.run(arg0_1, buf0)",
  "    buf1 = buf0",
  "    # Topologically Sorted Source Nodes: [], Original ATen: [aten.mm]", // 10
  "    extern_kernels.mm(buf1, buf1, out=buf2)",
  "    triton_fused_0.run(buf2, buf3)",
  "    extern_kernels.mm(buf3, buf3, out=buf4)",
].join("\n");
const kernel = (more: Partial<Kernel>): Kernel =>
  ({ line: null, call_line: null, nodes: [], post_nodes: [], sources: [], ...more }) as unknown as Kernel;
const at = (line: number) => ({ file: "/a/m.py", line, function: "forward", code: "" });
const KERNELS = [
  kernel({ name: "triton_fused_0", line: 2, call_line: 8, post_nodes: ["sin", "add"], sources: [at(10), at(11)] }),
  kernel({ name: "extern_kernels.mm", call_line: 11, post_nodes: ["mm"] }),
  kernel({ name: "extern_kernels.mm", call_line: 13, post_nodes: ["clone"] }),
];
const pairs = new CodePairs({ dynamo, post, code }, KERNELS);

test("a line of source has its nodes, and the kernels that name it, wherever they are defined and called", () => {
  expect(pairs.ofPlace({ file: "/a/m.py", line: 10 }).lines).toEqual({
    dynamo: [5, 6],
    post: [3, 4],
    code: [1, 2, 3, 4, 7, 8, 12],
  });
  // The library call says no line: it has those of its nodes.
  expect(pairs.ofPlace({ file: "/a/m.py", line: 11 }).lines.code).toEqual([1, 2, 3, 4, 7, 8, 10, 11, 12]);
  expect(pairs.ofPlace({ file: "/a/m.py", line: 99 }).lines).toEqual({ dynamo: [], post: [], code: [] });
  expect(pairs.has({ file: "/a/m.py", line: 10 })).toBe(true);
  expect(pairs.has({ file: "/b/m.py", line: 10 })).toBe(false);
});

test("a kernel of several lines belongs to all of them, and to its own nodes", () => {
  for (const line of [1, 3, 8, 12]) {
    const { places, lines } = pairs.ofLine("code", line);
    expect(places.map((place) => place.line)).toEqual([10, 11]);
    expect(lines).toEqual({ dynamo: [5, 6, 8, 9], post: [4, 7], code: [1, 2, 3, 4, 7, 8, 12] });
  }
  expect(pairs.ofLine("code", 9)).toEqual({ places: [], lines: { dynamo: [], post: [], code: [9] } });
});

test("a node has its line of source, and the kernels of that very node", () => {
  const mm = pairs.ofLine("post", 8);
  expect(mm.places).toEqual([{ file: "/a/m.py", line: 11 }]);
  expect(mm.lines).toEqual({ dynamo: [8, 9], post: [6, 7, 8], code: [10, 11] });
  expect(pairs.ofLine("dynamo", 6).lines).toEqual(pairs.ofPlace({ file: "/a/m.py", line: 10 }).lines);
});

test("a node without a stack trace has its kernels all the same", () => {
  expect(pairs.ofLine("post", 11)).toEqual({ places: [], lines: { dynamo: [], post: [11], code: [13] } });
});

test("lines with a counterpart are nodes with a place, and lines of kernels", () => {
  expect(pairs.linesWith("dynamo")).toEqual([6, 9]);
  expect(pairs.linesWith("post")).toEqual([4, 7, 8]);
  expect(pairs.linesWith("code")).toEqual([1, 2, 3, 4, 7, 8, 10, 11, 12, 13]);
});

test("what the log lacks, and lines beyond the text, correspond to nothing", () => {
  const none = new CodePairs({ dynamo, post: null, code: null }, []);
  expect(none.ofPlace({ file: "/a/m.py", line: 10 }).lines).toEqual({ dynamo: [5, 6], post: [], code: [] });
  expect(none.ofLine("code", 3).lines.code).toEqual([3]);
  expect(pairs.ofLine("post", 1_000_000).places).toEqual([]);
  const beyond = [kernel({ name: "k", line: 10_000, call_line: 20_000, sources: [at(10)] })];
  expect(new CodePairs({ dynamo, post, code }, beyond).ofPlace(at(10)).lines.code).toEqual([]);
});

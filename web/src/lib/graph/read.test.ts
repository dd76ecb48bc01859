import { describe, expect, test } from "vitest";
import { valueAt, valueKey, valueOf, type Graph } from "./model";
import { readGraph } from "./read";

const COND = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4][1]cpu", L_y_: "f32[4][1]cpu"):
        l_x_ = L_x_

        # File: /home/user/src/higher_order.py:11 in branches, code: return torch.cond(x.sum() > 0, (x,))
        sum_1: "f32[][]cpu" = l_x_.sum()
        gt: "b8[][]cpu" = sum_1 > 0;  sum_1 = None
        cond_true_0 = self.cond_true_0
        cond = torch.ops.higher_order.cond(gt, cond_true_0, (l_x_,), dtype = gt);  gt = cond_true_0 = l_x_ = None
        return (cond,)

    class cond_true_0(torch.nn.Module):
        def forward(self, l_x_: "f32[4][1]cpu"):
            # File: /home/user/src/higher_order.py:12 in <lambda>, code: a.sin()
            sin: "f32[4][1]cpu" = l_x_.sin();  l_x_ = None
            return (sin,)
`;

const CODE = `cpp_fused = async_compile.cpp_pybinding(['float*'], r'''
buf0 = not_python("unclosed
''')
def call(args):
    primals_1, primals_2 = args
    args.clear()
    buf0 = empty_strided_cpu((8, 32), (32, 1), torch.float32)
    # Topologically Sorted Source Nodes: [linear], Original ATen: [aten.addmm]
    extern_kernels.addmm(primals_2, primals_1, alpha=1, out=buf0)
    del primals_1
    cpp_fused(buf0)
    return (buf0, )
`;

const value = (graph: Graph, key: string) => valueOf(graph, key)!;

describe("FX graphs", () => {
  const graph = readGraph(COND);
  test("a value has its definition, type, operator and uses; dropping it is no use", () => {
    const sum = value(graph, "sum_1");
    expect(COND.slice(sum.at, sum.at + 5)).toBe("sum_1");
    expect([sum.type, sum.op, sum.kind, sum.uses.length, sum.other.length]).toEqual([
      "f32[][]cpu",
      "l_x_.sum",
      "op",
      1,
      1,
    ]);
    expect(value(graph, "gt").reads).toEqual([sum]);
    expect(value(graph, "gt").uses).toHaveLength(2);
  });
  test("inputs are the parameters", () => {
    expect(graph.values.filter((v) => v.kind === "input").map((v) => [v.name, v.type])).toEqual([
      ["L_x_", "f32[4][1]cpu"],
      ["L_y_", "f32[4][1]cpu"],
      ["l_x_", "f32[4][1]cpu"],
    ]);
  });
  test("a subgraph has names of its own", () => {
    const inner = valueAt(graph, COND, COND.indexOf("l_x_.sin"))!;
    expect(inner.kind).toBe("input");
    expect(inner).not.toBe(valueAt(graph, COND, COND.indexOf("l_x_.sum")));
    expect(valueOf(graph, valueKey(inner))).toBe(inner);
  });
  test("comments and attributes hold no values", () => {
    expect(valueAt(graph, COND, COND.indexOf("torch.cond") + 7)).toBeNull();
    expect(valueAt(graph, COND, COND.indexOf("self.cond_true_0") + 6)).toBeNull();
  });
  test("nodes of a line of the program", () => {
    expect(graph.sources.map((s) => [s.file, s.line, s.func, s.values.map((v) => v.name)])).toEqual([
      ["/home/user/src/higher_order.py", 11, "branches", ["sum_1", "gt", "cond_true_0", "cond"]],
      ["/home/user/src/higher_order.py", 12, "<lambda>", ["sin"]],
    ]);
    expect(COND.slice(graph.sources[0]!.from, graph.sources[0]!.to)).toMatch(/# File.*return \(cond,\)$/s);
  });
});

test("output code: names in kernels are no values, arguments are uses", () => {
  const graph = readGraph(CODE);
  const buf0 = value(graph, "buf0");
  expect(buf0.uses.map((at) => CODE.slice(at, at + 4))).toEqual(["buf0", "buf0", "buf0"]);
  expect(buf0.at).toBe(CODE.indexOf("buf0 = empty"));
  expect(value(graph, "primals_1").other).toHaveLength(1);
  expect(value(graph, "cpp_fused").uses).toHaveLength(1);
  expect(valueOf(graph, "alpha")).toBeNull();
});

test("the form of Graph.__str__ and the table", () => {
  const text =
    "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %add : [num_users=1] = call_function[target=torch.ops.aten.add](args = (%x, 1), kwargs = {})\n    return add\n";
  const graph = readGraph(text);
  expect(graph.values.map((v) => [v.name, v.kind, v.uses.length])).toEqual([
    ["x", "input", 1],
    ["add", "op", 1],
  ]);
  expect(value(graph, "add").op).toBe("torch.ops.aten.add");
  const table = readGraph(
    "opcode         name    target    args      kwargs\n-----\nplaceholder    x       x         ()        {}\ncall_function  add     aten.add  (x, 1)    {}\noutput         output  output    ((add,),) {}\n",
  );
  expect(value(table, "add").reads.map((v) => v.name)).toEqual(["x"]);
  expect(value(table, "add").uses).toHaveLength(1);
});

test("any text is taken", () => {
  const pieces = [
    "class ",
    "def f(",
    "(",
    ")",
    "]",
    '"',
    "'''",
    "'",
    "\n",
    "    ",
    "# File: a:1",
    "# File: :",
    " = ",
    "x",
    "y",
    ";",
    "None",
    "del ",
    ":",
    "\\",
    "=",
    "%",
    "return ",
    "self.",
    "é",
    "\0",
    "\ud800",
    "constructor",
    "__proto__",
    "placeholder  ",
  ];
  let seed = 7;
  let seen = 0;
  const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: random(60) }, () => pieces[random(pieces.length)]).join("");
    const graph = readGraph(text);
    for (const v of graph.values) {
      seen++;
      if (v.kind !== "output") expect(text.slice(v.at, v.at + v.name.length)).toBe(v.name);
      for (const at of [...v.uses, ...v.other]) expect(text.slice(at, at + v.name.length)).toBe(v.name);
    }
    for (let at = 0; at <= text.length; at++) valueAt(graph, text, at);
  }
  expect(seen).toBeGreaterThan(1000);
});

// A reader that looked back over the text for each name would not end within the test's time.
test("a graph of 5 MB is read", () => {
  const lines = ['class G(torch.nn.Module):\n    def forward(self, v0: "f32[4]"):\n'];
  for (let i = 1, size = 0; size < 5_000_000; i++)
    size +=
      lines[
        lines.push(
          `        v${i}: "f32[4, 8][8, 1]cuda:0" = torch.ops.aten.add.Tensor(v${i - 1}, v${i >> 1});  v${i - 1} = None\n`,
        ) - 1
      ]!.length;
  expect(readGraph(lines.join("")).values.length).toBeGreaterThan(40_000);
}, 60_000);

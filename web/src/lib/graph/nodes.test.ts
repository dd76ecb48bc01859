import { describe, expect, test } from "vitest";
import { nodesOf, type GraphNode } from "./nodes";
import { CSV_COLUMNS, nodesCsv } from "./nodes-csv";
import { readType } from "./op-graph";
import { readGraph } from "./read";
import { stepsOf } from "./replay";

const read = (text: string): GraphNode[] => nodesOf(readGraph(text), text);
const graph = (body: string, parameters = 'L_x_: "f32[4][1]cpu", L_y_: "f32[4][1]cpu"') =>
  `class GraphModule(torch.nn.Module):\n    def forward(self, ${parameters}):\n${body.replace(/^/gm, "        ")}\n`;
const short = (nodes: readonly GraphNode[]) =>
  nodes
    .filter((node) => node.op !== "placeholder")
    .map(({ op, name, target, operands }) => `${op} ${name}=${target}(${operands.join(" ")})`);

describe("nodes", () => {
  test("functions, methods, modules, attributes, operators and the output", () => {
    const nodes = read(
      graph(`sin: "f32[4][1]cpu" = torch.sin(L_x_);  L_x_ = None
view = sin.view(2, dim = 2)
shape = sin.shape
fc = self.layers.fc(view, sin)
weight = self.fc.weight
zero: "f32[1]" = getattr(self.layers, "0").weight
add = sin + L_y_
neg = -add
item = add[0]
both = torch.cat([sin, sin, "sin"], dim = 0)
return (add, both)`),
    );
    expect(short(nodes)).toEqual([
      "call_function sin=torch.sin(L_x_)",
      "call_method view=view(sin)",
      "call_function shape=getattr(sin)",
      "call_module fc=layers.fc(view sin)",
      "get_attr weight=fc.weight()",
      'get_attr zero=getattr(self.layers, "0").weight()',
      "call_function add=operator.add(sin L_y_)",
      "call_function neg=operator.neg(add)",
      "call_function item=operator.getitem(add)",
      "call_function both=torch.cat(sin sin)",
      "output =output(add both)",
    ]);
    expect(nodes.filter((node) => node.op === "placeholder").map((node) => node.name)).toEqual(["L_x_", "L_y_"]);
  });

  test("another name for a value is no node; operands have the name of the node", () => {
    expect(short(read(graph("l_x_ = L_x_\nsin = torch.sin(l_x_);  l_x_ = None\nreturn (sin,)")))).toEqual([
      "call_function sin=torch.sin(L_x_)",
      "output =output(sin)",
    ]);
  });

  test("statements in place are nodes with the name of their second statement", () => {
    const nodes = read(
      graph(`x = L_x_ * 2
x += L_y_;  x_1: "f32[4][1]cpu" = x;  x = None
x_1[0] = L_y_;  setitem = x_1;  setitem = None
return (x_1,)`),
    );
    expect(short(nodes)).toEqual([
      "call_function x=operator.mul(L_x_)",
      "call_function x_1=operator.iadd(x L_y_)",
      "call_function setitem=operator.setitem(x_1 L_y_)",
      "output =output(x_1)",
    ]);
    expect(nodes.find((node) => node.name === "x_1")!.args).toBe("x += L_y_");
  });

  test("a joint graph has its inputs, and not the lists that it takes them from", () => {
    const nodes = read(
      graph(
        `primals_1: "f32[4][1]cpu"; tangents_1: "f32[4][1]cpu";
primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
sin = torch.ops.aten.sin.default(primals_1)
return pytree.tree_unflatten([sin, tangents_1], self._out_spec)`,
        "primals, tangents",
      ),
    );
    expect(nodes.filter((node) => node.op === "placeholder").map((node) => node.name)).toEqual([
      "primals_1",
      "tangents_1",
    ]);
  });

  test("nested graphs have their name; an output over several lines is on one; a graph may return nothing", () => {
    const nodes = read(
      `${graph("return [L_x_,\n    L_y_]")}
    class cond_true_0(torch.nn.Module):
        def forward(self, a):
            return ()
`,
    );
    expect(nodes.map((node) => [node.graph, node.op, node.args])).toEqual([
      ["", "placeholder", ""],
      ["", "placeholder", ""],
      ["", "output", "[L_x_, L_y_]"],
      ["cond_true_0", "placeholder", ""],
      ["cond_true_0", "output", "()"],
    ]);
  });

  test("parts of a type; of a symbol none", () => {
    expect(readType("f32[8, s0][s0, 1]cuda:0")).toEqual({
      dtype: "f32",
      shape: "8, s0",
      strides: "s0, 1",
      device: "cuda:0",
      tensor: true,
    });
    expect(readType("f32[]")).toMatchObject({ dtype: "f32", shape: "", strides: null, tensor: true });
    expect(readType("Sym(s0)")).toMatchObject({ dtype: "", tensor: false });
    expect(readType("f32[[")).toMatchObject({ tensor: false });
  });

  test("a hostile text of many statements on one line is read in a moment", () => {
    const text = graph(Array.from({ length: 100_000 }, (_, i) => `a${i} = L_x_`).join("; "));
    expect(read(text).length).toBeLessThan(10);
  });

  test("CSV quotes commas and quotes, and ends lines as RFC 4180 says", () => {
    const nodes = read(
      graph(`# File: /a/m.py:3 in f, code: y = torch.sum(x, "a")
sum_1: "f32[2, 2][2, 1]cpu" = torch.sum(L_x_, "a")
return (sum_1,)`),
    );
    const csv = nodesCsv(nodes, ({ name }) => (name === "sum_1" ? { text: "L['self'].fc", exact: false } : null));
    const lines = csv.split("\r\n");
    expect(lines[0]).toBe(CSV_COLUMNS);
    expect(lines[3]).toBe(
      `,sum_1,call_function,torch.sum,L_x_,"L_x_, ""a""",f32,"2, 2","2, 1",cpu,/a/m.py,3,f,"y = torch.sum(x, ""a"")",L['self'].fc,false`,
    );
    expect(lines.at(-1)).toBe("");
  });
});

describe("replay", () => {
  test("a line that comes again is a step of its own; nodes without a line belong to none", () => {
    const nodes = read(
      graph(`# File: /a/m.py:3 in f, code: x = x.sin()
sin = torch.sin(L_x_)
# File: /a/m.py:4 in f, code: x = x.cos() + 1
cos = torch.cos(sin)
add = cos + 1
# File: /a/m.py:3 in f, code: x = x.sin()
sin_1 = torch.sin(add)
# No stacktrace found for following nodes
plain = torch.relu(sin_1)
return (plain,)`),
    );
    expect(stepsOf(nodes).map(({ source, nodes: own }) => [source.line, own.map((node) => node.name)])).toEqual([
      [3, ["sin"]],
      [4, ["cos", "add"]],
      [3, ["sin_1"]],
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { around, drawable, drawingOf, matching, scopeName, subgraphOf, whole } from "../src/lib/graph/drawing";
import { familyOf, shortOp } from "../src/lib/graph/families";
import { layoutOf, ranksOf } from "../src/lib/graph/layout";
import { readGraph } from "../src/lib/graph/read";
import { tensorType, typeRows } from "../src/lib/graph/tensor-type";
import { nextNode } from "../src/lib/graph/walk";
import { facts, symbolAt, symbolFacts } from "../src/ui/viewer/hover";
import { roles } from "../src/ui/viewer/uses";

const COND = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4][1]cpu"):
        sum_1: "f32[][]cpu" = L_x_.sum()
        gt: "b8[][]cpu" = sum_1 > 0;  sum_1 = None
        cond_true_0 = self.cond_true_0
        cond = torch.ops.higher_order.cond(gt, cond_true_0, cond_true_0, (L_x_,));  gt = None
        linear = self.fc(L_x_)
        return (cond, linear)

    class cond_true_0(torch.nn.Module):
        def forward(self, l_x_: "f32[4][1]cpu"):
            sin: "f32[4][1]cpu" = l_x_.sin()
            return (sin,)
`;
const JOINT = `class inner_f(torch.nn.Module):
    def forward(
        self,
        primals,
        tangents,
    ):
        primals_1: "f32[2, 3][3, 1]cpu"  # PlainAOTInput(idx=0)
        primals_2: "f32[3][1]cpu"
        tangents_1: "f32[2, 3][3, 1]cpu"
        primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        add: "f32[2, 3][3, 1]cpu" = torch.ops.aten.add.Tensor(primals_1, primals_2);  primals_1 = primals_2 = None
        return pytree.tree_unflatten([add, tangents_1], self._out_spec)
`;

describe("the graph as it is drawn", () => {
  const graph = readGraph(COND);
  const scopes = drawable(graph);
  const main = drawingOf(graph, scopes[0]!);
  const at = (name: string) => main.nodes.findIndex((node) => node.value.name === name);

  it("has functions apart, and leads from an attribute to its subgraph", () => {
    expect(scopes.map(scopeName)).toEqual(["GraphModule", "cond_true_0"]);
    expect(subgraphOf(graph, main.nodes[at("cond_true_0")]!.value)).toBe(scopes[1]);
    expect(subgraphOf(graph, main.nodes[at("gt")]!.value)).toBe(null);
    expect(drawingOf(graph, scopes[1]!).nodes.map((node) => node.value.name)).toEqual(["l_x_", "sin", "return"]);
  });
  it("knows inputs, attributes, modules that are called, outputs", () => {
    expect(main.nodes.map((node) => [node.value.name, node.kind])).toEqual([
      ["L_x_", "input"],
      ["sum_1", "reduction"],
      ["gt", "pointwise"],
      ["cond_true_0", "attr"],
      ["cond", "subgraph"],
      ["linear", "other"],
      ["return", "output"],
    ]);
    expect(main.inputs[at("cond")]!.map((i) => main.nodes[i]!.value.name)).toEqual(["gt", "cond_true_0", "L_x_"]);
    expect(main.users[at("L_x_")]!.map((i) => main.nodes[i]!.value.name)).toEqual(["sum_1", "cond", "linear"]);
  });
  it("takes the inputs of a joint graph from its lists, with their types", () => {
    const joint = readGraph(JOINT);
    const drawing = drawingOf(joint, drawable(joint)[0]!);
    expect(drawing.nodes.map((node) => [node.value.name, node.kind, node.value.type])).toEqual([
      ["primals_1", "input", "f32[2, 3][3, 1]cpu"],
      ["primals_2", "input", "f32[3][1]cpu"],
      ["tangents_1", "input", "f32[2, 3][3, 1]cpu"],
      ["add", "pointwise", "f32[2, 3][3, 1]cpu"],
      ["return", "output", ""],
    ]);
  });
  it("draws what is near a node", () => {
    const names = (steps: number, most = 100) =>
      [...around(main, at("sum_1"), steps, most).nodes].map((i) => main.nodes[i]!.value.name);
    expect(names(1)).toEqual(["L_x_", "sum_1", "gt"]);
    expect(names(2)).toEqual(["L_x_", "sum_1", "gt", "cond", "linear"]);
    expect(around(main, at("sum_1"), 3, 2)).toMatchObject({ cut: true });
    expect(names(3, 2)).toHaveLength(2);
    const near = around(main, at("sum_1"), 1, 100);
    expect([...near.edges]).toEqual([0, 1, 1, 2]);
    expect(whole(main).edges).toHaveLength(2 * 8);
  });
  it("finds nodes by name, operator, type and kind", () => {
    const found = (text: string) =>
      [...matching(main, text)!].flatMap((hit, i) => (hit ? main.nodes[i]!.value.name : []));
    expect(found("B8")).toEqual(["gt"]);
    expect(found("higher_order cond")).toEqual(["cond"]);
    expect(found("no such")).toEqual([]);
    expect(matching(main, "  ")).toBe(null);
  });
});

describe("kinds of operators", () => {
  it.each([
    ["torch.ops.aten.mm.default", "matmul"],
    ["torch._C._nn.linear", "matmul"],
    ["a @ b", "matmul"],
    ["torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default", "matmul"],
    ["torch.ops.aten.view.default", "view"],
    ["cond[0]", "view"],
    ["l_x_", "view"],
    ["torch.ops.aten.add_.Tensor", "pointwise"],
    ["x + 1", "pointwise"],
    ["torch.ops.prims.convert_element_type.default", "pointwise"],
    ["torch.ops.aten.sum.dim_IntList", "reduction"],
    ["torch.ops._c10d_functional.all_reduce.default", "collective"],
    ["torch.ops.higher_order.cond", "subgraph"],
    ["torch.ops.mylib.mystery.default", "other"],
    ["self.fc", "other"],
  ])("%s: %s", (op, family) => expect(familyOf(op)).toBe(family));
  it("are written short", () => {
    expect(shortOp("torch.ops.aten.mm.default")).toBe("aten.mm");
    expect(shortOp("torch._C._nn.linear")).toBe("linear");
  });
});

describe("layout", () => {
  it("ranks follow the arrows, and weights stand above who uses them", () => {
    // 0 → 1 → 2 → 5; 3 → 4 → 5
    expect([...ranksOf(6, Int32Array.of(0, 1, 1, 2, 2, 5, 3, 4, 4, 5))]).toEqual([0, 1, 2, 1, 2, 3]);
  });
  it("every arrow leads downwards, boxes do not overlap, and an arrow over many ranks is long", () => {
    const n = 60;
    const edges: number[] = [];
    for (let i = 1; i < n; i++) edges.push(i - 1 - (i % 3 === 2 ? 1 : 0), i);
    edges.push(0, 58);
    const widths = new Float32Array(n).fill(100);
    const { x, y, long, starts, bends, width, height } = layoutOf({
      widths,
      height: 36,
      edges: Int32Array.from(edges),
    });
    for (let e = 0; e < edges.length; e += 2) expect(y[edges[e]!]! + 36).toBeLessThanOrEqual(y[edges[e + 1]!]!);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < i; j++) expect(Math.abs(x[i]! - x[j]!) >= 100 || Math.abs(y[i]! - y[j]!) >= 36).toBe(true);
    expect(long[edges.length / 2 - 1]).toBe(1);
    expect(starts[edges.length / 2]).toBe(bends.length);
    expect(Math.max(...x)).toBeLessThanOrEqual(width);
    expect(Math.max(...y)).toBeLessThanOrEqual(height);
  });
  it("takes an empty graph, a node alone, parts that do not hang together", () => {
    expect(layoutOf({ widths: new Float32Array(0), height: 36, edges: new Int32Array(0) }).x).toHaveLength(0);
    expect(layoutOf({ widths: Float32Array.of(50, 50), height: 36, edges: new Int32Array(0) }).x).toHaveLength(2);
  });
  it("arrow keys go to inputs and users, and back the way one came", () => {
    const shown = { edges: Int32Array.of(0, 2, 1, 2) };
    const layout = { x: Float32Array.of(0, 100, 20), rank: Int32Array.of(0, 0, 1) };
    expect(nextNode(shown, layout, 2, "up")).toBe(0);
    expect(nextNode(shown, layout, 2, "up", 1)).toBe(1);
    expect(nextNode(shown, layout, 0, "right")).toBe(1);
    expect(nextNode(shown, layout, 2, "down")).toBe(-1);
  });
});

describe("annotations", () => {
  it("are told apart", () => {
    expect(tensorType("f32[8, 10][10, 1]cuda:0")).toEqual({
      dtype: "float32",
      shape: "[8, 10]",
      stride: "[10, 1]",
      device: "cuda:0",
      symbols: [],
    });
    expect(tensorType("bf16[s77, 16]")).toEqual({
      dtype: "bfloat16",
      shape: "[s77, 16]",
      stride: "",
      device: "",
      symbols: ["s77"],
    });
    expect(tensorType("b8[][]cpu")).toMatchObject({ dtype: "bool", shape: "[]", stride: "[]", device: "cpu" });
    expect(tensorType("Sym(s77)")).toBe(null);
    expect(typeRows("Sym(s77)")).toEqual([["type", "symbolic integer s77"]]);
    expect(typeRows("Sym(u0 >= 5)")).toEqual([["type", "symbolic: u0 >= 5"]]);
    expect(typeRows("")).toEqual([["type", "not printed"]]);
  });
});

describe("marks and cards of the text", () => {
  const text = `class M(torch.nn.Module):
    def forward(self, s77: "Sym(s77)", x: "f32[s77, 16][16, 1]cpu"):
        y: "f32[s77, 16][16, 1]cpu" = x + 1
        z: "f32[s77, 16][16, 1]cpu" = x * y;  y = None
        x = None
        return (z,)
`;
  const graph = readGraph(text);
  const lineOf = (at: number) => text.slice(0, at).split("\n").length;
  const value = (name: string) => graph.values.find((v) => v.name === name)!;

  it("tell lines that make, read and drop a value", () => {
    expect(roles(value("x"), lineOf)).toEqual([
      [2, "definition"],
      [3, "use"],
      [4, "use"],
      [5, "drop"],
    ]);
    expect(roles(value("y"), lineOf)).toEqual([
      [3, "definition"],
      [4, "use"],
    ]);
  });
  it("say what a value is", () => {
    expect(facts(value("y"), graph, lineOf).slice(0, 5)).toEqual([
      ["dtype", "float32"],
      ["shape", "[s77, 16]"],
      ["stride", "[16, 1]"],
      ["device", "cpu"],
      ["symbols", "s77: sizes known at run time"],
    ]);
  });
  it("say what a symbol is", () => {
    const at = text.indexOf("s77, 16");
    expect([symbolAt(text, at), symbolAt(text, at + 3), symbolAt(text, at + 5)]).toEqual(["s77", "s77", ""]);
    expect(symbolFacts("s77", graph, lineOf).slice(1)).toEqual([
      ["input", "s77, line 2"],
      ["used in types of", "3 values"],
    ]);
  });
});

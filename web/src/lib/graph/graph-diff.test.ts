import { describe, expect, test } from "vitest";
import { graphDiff, type GraphDiff } from "./graph-diff";

const HEAD = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8, 4][4, 1]cpu", L_y_: "f32[8, 4][4, 1]cpu", L_w_: "f32[4, 4][4, 1]cpu"):
        l_x_ = L_x_
        l_y_ = L_y_
`;
const graph = (...lines: string[]): string => HEAD + lines.map((line) => `        ${line}\n`).join("");
const op = (name: string, value: string, shape = "8, 4"): string => `${name}: "f32[${shape}][4, 1]cpu" = ${value}`;
const X = "# File: /m.py:3 in f, code: y = g(x)";

function compared(left: string, right: string): GraphDiff {
  const found = graphDiff(left, right);
  if (!found) throw new Error("no graph");
  return found;
}

/** Each change with the values of both sides. */
const changes = (found: GraphDiff) =>
  found.edits.map(({ change, a, b }) => [change, a.map((node) => node.value), b.map((node) => node.value)]);

describe("a difference of graphs", () => {
  test("names do not matter", () => {
    const found = compared(
      graph(op("a", "torch.relu(l_x_)"), op("b", "a + l_y_"), "return (b,)"),
      graph(op("a_7", "torch.relu(l_x_)"), op("c", "a_7 + l_y_"), "return (c,)"),
    );
    expect(found).toMatchObject({ edits: [], same: 2, ops: [2, 2], sizes: [], types: [] });
  });

  test("an operation in place of another is one change, with its place and its line", () => {
    const found = compared(
      graph(X, op("a", "torch.relu(l_x_)"), "return (a,)"),
      graph(X, op("a", "torch.gelu(l_x_)"), "return (a,)"),
    );
    expect(changes(found)).toEqual([["changed", ["torch.relu(l_x_)"], ["torch.gelu(l_x_)"]]]);
    expect(found.edits[0]!.b[0]).toMatchObject({
      name: "a",
      type: "f32[8, 4]",
      line: 5,
      place: { file: "/m.py", line: 3, function: "f" },
      code: "y = g(x)",
    });
  });

  test("what is inserted is added, and its reader has another operand", () => {
    const found = compared(
      graph(op("a", "torch.relu(l_x_)"), op("b", "a + l_y_"), "return (b,)"),
      graph(op("a", "torch.relu(l_x_)"), op("n", "torch.neg(a)"), op("b", "n + l_y_"), "return (b,)"),
    );
    expect(changes(found)).toEqual([["added", [], ["torch.neg(a)"]]]);
    expect(found).toMatchObject({ rewired: 1, same: 1 });
  });

  test("operations that are fused are replaced", () => {
    const found = compared(
      graph(op("a", "torch.mm(l_x_, L_w_)"), op("b", "a + l_y_"), op("c", "torch.relu(b)"), "return (c,)"),
      graph(op("f", "torch.addmm(l_y_, l_x_, L_w_)"), op("c", "torch.relu(f)"), "return (c,)"),
    );
    expect(changes(found)).toEqual([
      ["replaced", ["torch.mm(l_x_, L_w_)", "a + l_y_"], ["torch.addmm(l_y_, l_x_, L_w_)"]],
    ]);
  });

  test("a size that differs everywhere is one difference", () => {
    const sized = (n: string) =>
      `class G(torch.nn.Module):\n    def forward(self, L_x_: "f32[${n}, 4][4, 1]cpu"):\n` +
      `        a: "f32[${n}, 4][4, 1]cpu" = L_x_.view(${n}, 4)\n        return (a,)\n`;
    const found = compared(sized("8"), sized("16"));
    expect(found).toMatchObject({ edits: [], resized: 1, sizes: [{ from: "8", to: "16", nodes: 2 }] });
  });

  test("a constant is a change", () => {
    const with8 = (n: number) => graph(op("a", `torch.add(l_x_, ${n})`), "return (a,)");
    expect(changes(compared(with8(8), with8(9)))).toEqual([
      ["changed", ["torch.add(l_x_, 8)"], ["torch.add(l_x_, 9)"]],
    ]);
  });

  test("what changes places is moved", () => {
    const [a, b, c] = [op("a", "torch.sin(l_x_)"), op("b", "torch.cos(l_y_)"), op("c", "torch.tan(l_y_)")];
    const found = compared(graph(a, b, c, "return (a, b, c)"), graph(b, c, a, "return (a, b, c)"));
    expect(changes(found)).toEqual([["moved", ["torch.sin(l_x_)"], ["torch.sin(l_x_)"]]]);
  });

  test("another dtype is a type", () => {
    const typed = (type: string) => graph(`m: "${type}" = l_x_.to(torch.x)`, "return (m,)");
    const found = compared(typed("f32[8, 4][4, 1]cpu"), typed("bf16[8, 4][4, 1]cpu"));
    expect(found.types).toEqual([{ from: "f32", to: "bf16", nodes: 1 }]);
    const cast = (name: string, type: string) =>
      graph(`m: "${type}[8, 4][4, 1]cpu" = l_x_.to(torch.${name})`, "return (m,)");
    const stated = compared(cast("float32", "f32"), cast("bfloat16", "bf16")); // by the change itself
    expect(stated).toMatchObject({ types: [], counts: { changed: 1 } });
  });

  test("graphs of a repr are read, too", () => {
    const repr = (target: string) => `graph():
    %x : [num_users=1] = placeholder[target=x]
    %y : [num_users=1] = call_function[target=${target}](args = (%x, 2), kwargs = {})
    return (y,)`;
    const found = compared(repr("torch.add"), repr("torch.sub"));
    expect(changes(found)).toEqual([
      ["changed", ["torch.add(args = (%x, 2), kwargs = {})"], ["torch.sub(args = (%x, 2), kwargs = {})"]],
    ]);
  });

  test("a text without a graph has no difference", () => {
    expect(graphDiff("", graph("return ()"))).toBeNull();
    expect(graphDiff(graph("return ()"), "x = 1\n".repeat(9))).toBeNull();
  });
});

/** Quadratic work takes minutes; a machine that runs other tests, too, takes some seconds. */
const MOST_MS = 60_000;

describe("work is bounded", { timeout: MOST_MS }, () => {
  test("more changes than are listed are counted", () => {
    const many = (name: string) =>
      graph(...Array.from({ length: 4000 }, (_, i) => op(`a${i}`, `torch.${name}${i}(l_x_)`)), "return ()");
    const found = compared(many("f"), many("g"));
    expect(found.edits.length + found.moreEdits).toBe(8000);
    expect(found.edits.length).toBe(5000);
  });

  test.each([
    ["outputs that do not end", "def forward(self):\n return (\n".repeat(20_000)],
    [
      "inputs that are unpacked again and again",
      `def forward(self${Array.from({ length: 20_000 }, (_, i) => `, a${i}: "f32"`).join("")}):\n${"x, = fx_pytree.tree_flatten_spec(z)\n".repeat(20_000)}`,
    ],
    [
      "sizes that everything reads",
      `def forward(self, x):\n s = torch.Size([${"1, ".repeat(20_000)}])\n${Array.from({ length: 20_000 }, (_, i) => ` y${i} = f(s)\n`).join("")}`,
    ],
  ])("%s are read once", (_, text) => {
    const from = performance.now();
    graphDiff(text, text);
    expect(performance.now() - from).toBeLessThan(MOST_MS / 2);
  });

  test("lines of megabytes, brackets and strings that never close", () => {
    for (const text of ["(".repeat(1e6), '"'.repeat(1e6), "x = ".repeat(3e5), "\n".repeat(1e6), "x; ".repeat(3e5)]) {
      const whole = `${HEAD}        ${text}\n        return ()`;
      expect(compared(whole, whole).edits).toEqual([]);
    }
  });
});

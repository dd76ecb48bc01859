import { describe, expect, test } from "vitest";
import { boxedLayout } from "./boxes";
import { boxesOf, drawable, drawingOf, whole } from "./drawing";
import { layoutOf } from "./layout";
import { readGraph } from "./read";

const request = (n: number, pairs: readonly (readonly [number, number])[], boxes: readonly number[]) => ({
  widths: new Float32Array(n).fill(100),
  height: 36,
  edges: Int32Array.from(pairs.flat()),
  boxes: Int32Array.from(boxes),
});

describe("boxes of a drawing", () => {
  const asked = request(6, [[0, 1], [1, 2], [2, 3], [3, 4], [1, 4], [4, 5]], [-1, 0, 0, 1, 1, -1]); // prettier-ignore
  const { x, y, boxes = new Float32Array(), starts, bends, width, height } = boxedLayout(asked);
  const box = (i: number) => ({ left: boxes[4 * i]!, top: boxes[4 * i + 1]!, right: boxes[4 * i]! + boxes[4 * i + 2]!, bottom: boxes[4 * i + 1]! + boxes[4 * i + 3]! }); // prettier-ignore

  test("hold their nodes and no others, within the drawing", () => {
    expect(boxes).toHaveLength(8);
    asked.boxes.forEach((of, i) => {
      for (const k of [0, 1]) {
        const { left, top, right, bottom } = box(k);
        const inside = x[i]! - 50 >= left && x[i]! + 50 <= right && y[i]! - 18 >= top && y[i]! + 18 <= bottom;
        const apart = x[i]! + 50 <= left || x[i]! - 50 >= right || y[i]! + 18 <= top || y[i]! - 18 >= bottom;
        expect(of === k ? inside : apart, `node ${i}, box ${k}`).toBe(true);
      }
    });
    for (const { left, top, right, bottom } of [box(0), box(1)])
      expect(left >= 0 && top >= 0 && right <= width && bottom <= height).toBe(true);
    expect(box(0).bottom).toBeLessThan(box(1).top);
  });
  test("edges between them leave and enter through their sides", () => {
    expect([...bends.slice(starts[2], starts[3])].slice(0, 2)).toEqual([x[2], box(0).bottom]);
    expect(starts.at(-1)).toBe(bends.length);
  });
  test("without boxes, or with a circle among them, the layout is the usual one", () => {
    expect(boxedLayout(request(2, [[0, 1]], [-1, -1]))).toEqual(layoutOf(request(2, [[0, 1]], [])));
    expect(boxedLayout(request(3, [[0, 1], [1, 2]], [0, -1, 0])).boxes).toBeUndefined(); // prettier-ignore
  });
});

test("nodes of a module in a row are in a box, with the inputs that only they read", () => {
  const graph = readGraph(`class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4]", L_w_: "f32[4]"):
        l_x_ = L_x_
        l_w_ = L_w_

        a: "f32[4]" = l_x_ + 1
        b: "f32[4]" = a * l_w_;  l_w_ = None
        c: "f32[4]" = torch.relu(b)
        d: "f32[4]" = c + l_x_
        e: "f32[4]" = torch.sin(d)
        return (e,)
`);
  const drawing = drawingOf(graph, drawable(graph)[0]!);
  const shown = whole(drawing);
  const names = [...shown.nodes].map((node) => drawing.nodes[node]!.value.name);
  const titles: Record<string, string> = { a: "one", b: "one", d: "one", c: "two" };
  const boxes = boxesOf(drawing, shown.nodes, ({ name }) => titles[name] ?? null)!;
  expect(boxes.titles).toEqual(["one", "two", "one"]);
  const of = (name: string) => boxes.of[names.indexOf(name)];
  expect(["a", "b", "c", "d", "e"].map(of)).toEqual([0, 0, 1, 2, -1]);
  expect([of("L_w_"), of("l_w_"), of("L_x_"), of("l_x_")]).toEqual([0, 0, -1, -1]); // two boxes read x
  expect(boxesOf(drawing, shown.nodes, () => null)).toBeNull();
});

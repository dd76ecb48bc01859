import { expect, test } from "vitest";
import { FxReader, readStatement, valueRange, type FxItem } from "./fx-items";
import { readSource } from "./fx-source";

function itemsOf(text: string): FxItem[] {
  const reader = new FxReader(text);
  const items: FxItem[] = [];
  for (let item = reader.next(); item; item = reader.next()) items.push(item);
  return items;
}

const short = (text: string) => itemsOf(text).map(({ kind, name, type, line }) => [kind, name, type, line]);

test("classes, parameters over several lines, statements and the output", () => {
  const text = `class G(Module):
    def forward(self, x: "f32[2]",  # PlainAOTInput(idx=0)
                y):
        # File: /m.py:1 in f, code: x
        a: "f32[2]" = x + y;  x = None
        x[0] = a
        return (a,)
  outside = 1`;
  expect(short(text)).toEqual([
    ["class", "G", null, 0],
    ["forward", "", null, 1],
    ["parameter", "x", "f32[2]", 1],
    ["parameter", "y", null, 2],
    ["comment", "", null, 3],
    ["statement", "a", "f32[2]", 4],
    ["statement", "", null, 5],
    ["return", "", null, 6],
  ]);
});

test("declared inputs before they are unpacked, several on a line", () => {
  const items = short(
    'def forward(self, z):\n  x: "f32[2]"; y: "i64[]"  # list\n  x, y, = fx_pytree.tree_flatten_spec(z)',
  );
  expect(items.slice(2)).toEqual([
    ["input", "x", "f32[2]", 1],
    ["input", "y", "i64[]", 1],
    ["statement", "", null, 2],
  ]);
});

test("values end before deletions and comments, but not within strings", () => {
  const value = (text: string) => text.slice(...valueRange(text));
  expect(value(" f(x);  x = None")).toBe("f(x)");
  expect(value("f('; #')  # note")).toBe("f('; #')");
  expect(readStatement("# x = 1")).toBeNull();
  expect(readStatement("x.y = 1")).toMatchObject({ name: "", right: " 1" });
});

test("comments say where nodes come from", () => {
  expect(readSource("# File: /a b.py:7 in f, code: return x")).toEqual({
    file: "/a b.py",
    line: 7,
    function: "f",
    code: "return x",
  });
  expect(readSource("# No stacktrace found for following nodes")).toMatchObject({ file: null });
  expect(readSource("# other")).toBeNull();
  expect(readSource(`# File: /a.py:1 in f, code: ${"é".repeat(400)}`)!.code).toBe("é".repeat(150));
});

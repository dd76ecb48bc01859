import { expect, test } from "vitest";
import { graphDiff } from "./graph-diff";

const HEAD = "def forward(self, x, y):\n # File: /m.py:3 in f, code: y = g(x)\n";

/** Layers, with what is added behind each. */
function compared(layers: number, added: (i: number) => string) {
  const relu = (i: number) => ` r_${i} = torch.relu(${i ? `r_${i - 1}` : "x"})\n`;
  const text = (more: (i: number) => string) =>
    HEAD + Array.from({ length: layers }, (_, i) => relu(i) + more(i)).join("") + " return (r_0,)";
  return graphDiff(
    text(() => ""),
    text((i) => ` ${added(i)}\n`),
  )!.edits.map(({ times }) => times);
}

test("changes of equal layers are equal", () => {
  expect(compared(3, (i) => `gelu${i ? `_${i}` : ""} = torch.gelu(r_${i})`)).toEqual([3, 0, 0]);
});

test("changes with other constants, operators or operands are not", () => {
  expect(compared(2, (i) => `m_${i} = r_${i} * ${i + 7}`)).toEqual([1, 1]);
  expect(compared(2, (i) => `m_${i} = torch.conv${i + 1}d(r_${i})`)).toEqual([1, 1]);
  expect(compared(2, (i) => `m_${i} = torch.mul(r_${i}, r_0)`)).toEqual([1, 1]);
});

import { expect, test, vi } from "vitest";
import { LineCompiles } from "./line-compiles";
import type { Store } from "./store";

const graph = (...lines: number[]) => lines.map((n) => `    # File: /m.py:${n} in f, code: x\n    x = y\n`).join("");

/** A report with the Dynamo graphs of compiles, and kernels. */
function store(texts: (string | null)[], kernels: object[] = [], size = 10): Store {
  const details = texts.map((text, i) => ({
    artifacts: text === null ? [] : [{ kind: "dynamo_output_graph", text: [i, size] }],
  }));
  return {
    report: {
      parts: { kernels: kernels.length ? 1 : 0 },
      compiles: texts.map((_, i) => ({ key: `${i}/0`, frame: { file: "/m.py", line: i + 1, function: "f" } })),
    },
    kernels: () => Promise.resolve(kernels),
    text: ({ text }: { text: [number, number] }) => Promise.resolve(texts[text[0]]),
    async *allDetails() {
      yield await Promise.resolve({ first: 0, details: details.slice(0, 1) });
      yield { first: 1, details: details.slice(1) };
    },
  } as unknown as Store;
}

async function filled(from: Store): Promise<LineCompiles> {
  const index = LineCompiles.of(from);
  await vi.waitUntil(() => index.complete);
  return index;
}

test("a line is part of the compiles with a node or a kernel from it; where frames begin is kept apart", async () => {
  const kernel = { compile: "2/0", sources: [{ file: "/m.py", line: 10 }] };
  const from = store([graph(10, 11), null, graph(11)], [kernel]);
  const index = await filled(from);
  expect(LineCompiles.of(from)).toBe(index);
  expect(index.of("/m.py", 10)).toEqual(["2/0", "0/0"]);
  expect(index.of("/m.py", 11)).toEqual(["0/0", "2/0"]);
  expect(index.of("/m.py", 1)).toEqual([]);
  expect(index.beginningAt("/m.py", 2)).toEqual(["1/0"]);
  expect(index.left).toBe(0);
});

test("graphs beyond the limit are counted, not read", async () => {
  const index = await filled(store([graph(10), graph(10), graph(10)], [], 30 << 20));
  expect(index.of("/m.py", 10)).toEqual(["0/0", "1/0"]);
  expect(index.left).toBe(1);
});

test("who follows is told of what is found, and that nothing more will be", async () => {
  const broken = { ...store([graph(10)]), text: () => Promise.reject(new Error("gone")) } as unknown as Store;
  const index = LineCompiles.of(broken);
  const told = vi.fn();
  index.follow(told);
  await vi.waitUntil(() => index.complete);
  await vi.waitUntil(() => told.mock.calls.length > 0);
  expect(index.beginningAt("/m.py", 1)).toEqual(["0/0"]);
});

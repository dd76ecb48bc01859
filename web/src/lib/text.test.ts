import { expect, test } from "vitest";
import { bytes, middle, moment, percent, plural, time } from "./text";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("times have a unit and three figures", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [0.001, "<0.01 µs"],
    [0.511, "0.51 µs"],
    [7, "7.00 µs"],
    [999, "999 µs"],
    [999.7, "1.00 ms"],
    [999_700, "1.00 s"],
    [1000, "1.00 ms"],
    [33_400, "33.4 ms"],
    [950_000, "950 ms"],
    [8_210_000, "8.21 s"],
    [119_900_000, "120 s"],
    [125_000_000, "2 min 5 s"],
    [3 * 3600e6, "3 h 0 min"],
  ];
  for (const [us, text] of cases) expect(plain(time(us))).toBe(text);
  expect(time(null)).toBe("–");
  expect(time(Number.NaN)).toBe("–");
});

test("sizes", () => {
  expect([0, 999, 1000, 1_048_576, 999_600, 2.5e9].map(bytes).map(plain)).toEqual([
    "0 B",
    "999 B",
    "1.00 kB",
    "1.05 MB",
    "1.00 MB",
    "2.50 GB",
  ]);
});

test("a long path loses its middle and keeps its end", () => {
  const cut = middle("/usr/lib/python3/site-packages/transformers/models/gpt2/modeling_gpt2.py", 40);
  expect(cut).toHaveLength(40);
  expect(cut.startsWith("/usr/")).toBe(true);
  expect(cut.endsWith("modeling_gpt2.py")).toBe(true);
  expect(middle("short", 40)).toBe("short");
});

test("words", () => {
  expect(plural(1, "compile")).toBe("1 compile");
  expect(plural(10_000, "compile")).toBe("10,000 compiles");
  expect(plain(percent(1, 1000))).toBe("<1 %");
  expect(percent(1, 0)).toBe("–");
  expect(plain(percent(999, 1000))).toBe(">99 %");
  expect(plain(percent(1000, 1000))).toBe("100 %");
  expect(moment("2026-11-21T00:05:12.345678Z")).toBe("Nov 21 2026, 00:05:12\u00a0UTC");
  expect(moment("2026-13-21T00:05:12Z")).toBe("2026-13-21T00:05:12Z");
});

// WCAG AA: text has a contrast of 4.5 to its background, in both themes.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const tokens = new Map(
  [...css.matchAll(/(--[\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map((m) => [
    m[1]!,
    [m[2]!, m[3]!] as const,
  ]),
);

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
  return (x! + 0.05) / (y! + 0.05);
}

const TEXT = [
  "--text",
  "--text-2",
  "--text-3",
  "--link",
  "--accent",
  "--ok",
  "--restart",
  "--error",
  "--empty",
  "--missing",
];
const CODE = ["--code-k", "--code-s", "--code-c", "--code-n", "--code-t", "--code-d"];
const pairs: [string, string][] = [
  ...TEXT.flatMap((text): [string, string][] => [
    [text, "--page"],
    [text, "--panel"],
  ]),
  ...["--text", "--text-2", "--link"].map((text): [string, string] => [text, "--select"]),
  ...["ok", "restart", "error", "empty", "missing"].map((status): [string, string] => [
    `--${status}`,
    `--${status}-soft`,
  ]),
  ...CODE.flatMap((text): [string, string][] => [
    [text, "--panel"],
    [text, "--accent-soft"],
  ]),
  ["--text", "--accent-soft"],
  ["--accent", "--accent-soft"],
  ["--text", "--found"],
  ["--text", "--restart-soft"],
];

test.each(pairs)("%s on %s", (text, behind) => {
  for (const theme of [0, 1] as const)
    expect(
      contrast(tokens.get(text)![theme], tokens.get(behind)![theme]),
      theme ? "dark" : "light",
    ).toBeGreaterThanOrEqual(4.5);
});

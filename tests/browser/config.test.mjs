// Config: what differs between compiles stands on top; the rest is found by typing.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { allOf, closeBrowser, eventually, room, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);

test("a setting that differs stands on top, with the compiles of each value", () => visit(sampleReport("errors"), async (page, { open }) => {
  await open("index.html#/config");
  await room(page, "Config");
  const first = page.locator(".panel").first();
  await eventually(async () => /What differs between compiles/.test(await first.innerText()), true);
  const row = first.locator("tr", { hasText: "suppress_errors" });
  assert.equal(await row.locator(".cfgvalue").count(), 2);
  assert.match(await row.locator(".cfgvalue", { hasText: "true" }).innerText(), /8\/0/);
}));

test("alike everywhere is said, and a setting is found by typing", () => visit(sampleReport("graph_breaks"), async (page, { open }) => {
  await open("index.html#/config");
  await page.getByText("all compiles whose configuration is in the log ran with the same settings").waitFor();
  await page.getByRole("searchbox").fill("max_autotune_gemm");
  await eventually(async () => {
    const found = await page.locator(".config td:first-child").allInnerTexts();
    return allOf(found, (name) => name.includes("max_autotune_gemm"));
  }, true);
}));

test("of a single compile nothing is said to be alike", () => visit(sampleReport("simple"), async (page, { open }) => {
  await open("index.html#/config");
  await page.locator("table.config").first().waitFor();
  assert.doesNotMatch(await page.locator("main").innerText(), /all compiles|differs between compiles/);
}));

test("a backward's metrics are no second compile", () => visit(sampleReport("gpt2"), async (page, { open }) => {
  await open("index.html#/config");
  await page.getByText("130 values, 2 compiles").first().waitFor();
  assert.doesNotMatch(await page.locator("main").innerText(), /metrics records|[3-9] compiles/);
}));

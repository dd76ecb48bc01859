// Config: what differs between compiles is on top; the rest is found by typing.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { allOf, closeBrowser, eventually, room, visit } from "./lib/browser.mjs";
import { record } from "./lib/log.mjs";
import { fileReport, reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);

test("a setting that differs is on top, with the compiles of each value", () =>
  visit(sampleReport("errors"), async (page, { open }) => {
    await open("index.html#/config");
    await room(page, "Config");
    const first = page.locator(".panel").first();
    await eventually(async () => /Differences between compiles/.test(await first.innerText()), true);
    const row = first.locator("tr", { hasText: "suppress_errors" });
    assert.equal(await row.locator(".cfgvalue").count(), 2);
    assert.match(await row.locator(".cfgvalue", { hasText: "true" }).innerText(), /8\/0/);
  }));

test("what an export sets is a group of its own", () =>
  visit(fileReport("../corpus/dynamo_export"), async (page, { open }) => {
    await open("index.html#/config");
    const first = page.locator(".panel").first();
    await first.getByText("Set by torch._dynamo.export").waitFor();
    const rows = await first.locator("tr").allInnerTexts();
    assert.equal(rows.length, 8);
    assert.match(rows[0], /^Set by/);
    await page.getByRole("searchbox").fill("suppress_errors");
    await eventually(() => page.getByText("Set by torch._dynamo.export").count(), 0);
  }));

test("alike everywhere is said, and a setting is found by typing", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/config");
    await page.getByText("All compiles whose configuration is in the log have the same settings").waitFor();
    await page.getByRole("searchbox").fill("max_autotune_gemm");
    await eventually(async () => {
      const found = await page.locator(".config td:first-child").allInnerTexts();
      return allOf(found, (name) => name.includes("max_autotune_gemm"));
    }, true);
  }));

test("an integer that JSON cannot hold is not shown with wrong digits", () =>
  visit(
    reportOf("big-int", () =>
      record({
        compilation_metrics: {
          co_name: "f",
          co_filename: "/a.py",
          co_firstlineno: 1,
          dynamo_config: '{"cache_size_limit": 9223372036854775807}',
        },
        frame_id: 0,
        frame_compile_id: 0,
        attempt: 0,
      }),
    ),
    async (page, { open }) => {
      await open("index.html#/config");
      await eventually(() => page.locator("table.config td").allInnerTexts(), ["cache_size_limit", "≈ 9.223e+18"]);
    },
  ));

test("of a single compile nothing is said to be alike", () =>
  visit(sampleReport("simple"), async (page, { open }) => {
    await open("index.html#/config");
    await page.locator("table.config").first().waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /All compiles|Differences between compiles/);
  }));

test("a backward's metrics are no second compile", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/config");
    await page.getByText("130 settings, 2 compiles").first().waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /metrics records|[3-9] compiles/);
  }));

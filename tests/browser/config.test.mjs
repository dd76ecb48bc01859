// Config: what differs between compiles is on top; the rest is found by typing.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
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

test("a mode of one function outranks the configuration, and is first", () =>
  visit(fileReport("../corpus/reduce_overhead"), async (page, { open }) => {
    await open("index.html#/config");
    const differences = page.locator(".panel", { hasText: "Differences between compiles" }).first();
    await differences.locator("tr", { hasText: "triton.cudagraphs" }).waitFor();
    const effect = page.locator(".panel", { hasText: "Settings in effect" }).first();
    const first = await effect.locator("tr").first().innerText();
    assert.match(first, /inductor\.epilogue_fusion\s+false\s+instead of true in the metrics\s+\S\s+2\/0/);
    await page.getByRole("searchbox").fill("triton.cudagraphs");
    const row = page.locator(".panel", { hasText: /^inductor/ }).locator("tr", { hasText: "triton.cudagraphs" });
    await eventually(
      async () => (await row.last().innerText()).replace(/\s+/g, " "),
      "triton.cudagraphs false but true in ✓ 1/0",
    );
  }));

test("Compiled Autograd that is on and captured nothing is not said to have run", () =>
  visit(fileReport("../corpus/hook_appends"), async (page, { open }) => {
    await open("index.html#/config?q=compiled_autograd");
    await page.getByText("No compile of Compiled Autograd is in this log.").waitFor();
    await open("index.html#/config?q=compiled_autograd_kwargs");
    await eventually(() => page.getByText("No compile of Compiled Autograd").count(), 0);
  }));

test("Compiled Autograd that ran has no such note", () =>
  visit(fileReport("../corpus/autograd_compiled"), async (page, { open }) => {
    await open("index.html#/config?q=compiled_autograd");
    await page.locator("table.config tr", { hasText: "compiled_autograd" }).first().waitFor();
    assert.equal(await page.getByText("No compile of Compiled Autograd").count(), 0);
  }));

test("the overview says that run times are not in the log", () =>
  visit(sampleReport("simple"), async (page, { open }) => {
    await open("index.html");
    await page.getByText("not in the log; measure it with torch.profiler").waitFor();
  }));

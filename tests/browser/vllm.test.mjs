// The vLLM view: the start of index.html, the usual report at tlparse_index.html, and a plain list without scripts.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("vllm_like");

test("index.html begins with vLLM: four ranges and sizes of three pieces", () =>
  visit(report, async (page, { open }) => {
    await open("index.html");
    await room(page, "vLLM compilation");
    assert.equal(await hash(page), "#/vllm");
    await page.locator(".vllm-group").first().waitFor(); /* allInnerTexts() does not wait */
    assert.deepEqual(await page.locator(".vllm-group h2 .mono").allInnerTexts(), [
      "range [1, 64]",
      "range [65, 2048]",
      "size 1",
      "size 4",
    ]);
    for (let i = 0; i < 4; i++)
      assert.deepEqual(await page.locator(".vllm-group").nth(i).locator(".piece b").allInnerTexts(), [
        "submod_0",
        "submod_2",
        "submod_4",
      ]);
    const config = await page.locator(".vllm-config").innerText();
    assert.match(config, /example\/tiny-llama <test>/);
    assert.match(config, /vllm::unified_attention/);
  }));

test("pieces lead to their graphs and code, Dynamo's artifacts and the split graph stand beside", () =>
  visit(report, async (page, { open }) => {
    await open("index.html");
    const piece = page.locator(".vllm-group").first().locator(".piece").first();
    assert.match(await piece.innerText(), /cache miss/);
    await piece.getByRole("button", { name: /artifacts/ }).click();
    assert.ok((await piece.locator(".refs li").count()) > 10);
    await page.locator("aside").getByRole("link", { name: "vllm_piecewise_split_graph" }).waitFor();
    await page.locator("aside").getByRole("link", { name: "dynamo_output_graph" }).waitFor();
    await piece.getByRole("link", { name: "graph", exact: true }).click();
    await page.locator(".artifact h2", { hasText: "vllm_submod_0" }).waitFor();
  }));

test("times of pieces are no more exact than stamps, and a page has no size", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/vllm");
    await room(page, "vLLM compilation");
    const times = await page.locator(".piece .num").allInnerTexts();
    assert.ok(times.includes("<\u00a01\u00a0ms") && times.includes("11\u00a0ms"), times.join("; "));
    assert.match(await page.locator("aside li", { hasText: "compilation_metrics" }).innerText(), /page$/);
  }));

test("the filter leaves the pieces that fit", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/vllm");
    await page.getByRole("searchbox").fill("size submod_2");
    await eventually(() => page.locator(".piece").count(), 2);
  }));

test("tlparse_index.html begins with the overview", () =>
  visit(report, async (page, { open }) => {
    await open("tlparse_index.html");
    await room(page, "Overview");
    await page.locator(".rooms").getByRole("link", { name: /^vLLM/ }).click();
    await room(page, "vLLM compilation");
  }));

test("without scripts the view is a plain text", () =>
  visit(report, { javaScriptEnabled: false }, async (page, { open }) => {
    await open("index.html");
    const text = await page.locator("body").innerText();
    for (const words of [
      "vLLM Compilation Summary",
      "Compilation Configuration",
      "Dynamo Compilation",
      "Piecewise Split Graph",
      "range [1, 64]",
      "size 4",
      "submod_2",
      "example/tiny-llama <test>",
    ])
      assert.ok(text.includes(words), words);
    await page
      .getByRole("link", { name: /^vllm_submod_0_/ })
      .first()
      .click();
    assert.match(await page.locator("body").innerText(), /class /);
  }));

const record = (fields, payload) =>
  `V1121 00:32:33.075000 2914 vllm/x.py:29] ${JSON.stringify({ ...fields, ...(payload ? { has_payload: "0".repeat(32) } : {}) })}\n${payload ? `\t${payload}\n` : ""}`;
const call = (frame, model) =>
  record(
    {
      artifact: { name: "vllm_compilation_config", encoding: "json" },
      frame_id: frame,
      frame_compile_id: 0,
      attempt: 0,
    },
    JSON.stringify({ model }),
  ) +
  record(
    {
      artifact: { name: "vllm_piecewise_compile_start", encoding: "json" },
      frame_id: frame,
      frame_compile_id: 0,
      attempt: 0,
    },
    JSON.stringify({
      piecewise_index: frame,
      compile_range_start: 8,
      compile_range_end: 8,
      is_single_size: true,
      is_cudagraph_capture_size: true,
    }),
  );

test("several compile calls in one log", () =>
  visit(reportOf("vllm_calls", call(0, "main") + call(1, "<b>drafter</b>")), async (page, { open }) => {
    await open("index.html");
    await room(page, "vLLM compilation");
    assert.match(await page.locator(".piece").innerText(), /subgraph_0/);
    await page.getByLabel("Compile call").selectOption("1");
    await eventually(() => page.locator(".piece b").innerText(), "subgraph_1");
    assert.match(await page.locator(".vllm-config").innerText(), /<b>drafter<\/b>/);
  }));

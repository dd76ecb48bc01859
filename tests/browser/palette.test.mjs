// The palette: Ctrl+K, or a click, goes to a compile, a source line, an op, a setting, a page, or the report of a rank.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { manyLog } from "./lib/log.mjs";
import { bigTest, folderReport, reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const palette = (page) => page.getByRole("dialog", { name: "Go to" });
const options = (page) => palette(page).getByRole("option");
const selected = (page) => palette(page).locator('[aria-selected="true"] .name');
const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());

async function overview(page, open) {
  await open("index.html");
  await room(page, "Overview");
}

async function type(page, text) {
  await page.keyboard.press("ControlOrMeta+k");
  await palette(page).waitFor();
  await page.keyboard.type(text);
}

/** Types, waits until the selected entry is `title`, and goes there. */
async function goTo(page, text, title) {
  await type(page, text);
  await eventually(() => selected(page).innerText(), title);
  await page.keyboard.press("Enter");
  await eventually(() => palette(page).count(), 0);
}

test("a compile by its id, as the log writes it or a part of it", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await overview(page, open);
    await goTo(page, "[2/1]", "2/1");
    await room(page, "2/1");
    await goTo(page, "8/", "8/0");
    await room(page, "8/0");
    await type(page, "by_scalar");
    await eventually(() => selected(page).innerText(), "2/0");
    assert.match(await options(page).first().innerText(), /by_scalar\s+recompiles\.py:\d+/);
  }));

test("a page by its name or some of its letters", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await overview(page, open);
    await goTo(page, "log", "Log");
    await room(page, "Log");
    await goTo(page, "grbr", "Graph breaks");
    await room(page, "Graph breaks");
  }));

test("a graph break by file:line, a caller by its code", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await overview(page, open);
    await goTo(page, "graph_breaks.py:17", "graph_breaks.py:17");
    await room(page, "Graph breaks");
    assert.match(await hash(page), /n=1/);
    await goTo(page, "prints(torch.ones(4))", "graph_breaks.py:77");
    await room(page, "Stacks");
    await page.locator(".tree-row", { hasText: "graph_breaks.py:77" }).first().waitFor();
  }));

test("an op, a setting and a finding", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await overview(page, open);
    await goTo(page, "aten.embedding", "aten.embedding");
    await room(page, "Kernels");
    assert.match(await hash(page), /q=aten\.embedding/);
    await page.locator(".grid-row", { hasText: "embedding" }).first().waitFor();
    await goTo(page, "suppress_errors", "dynamo.suppress_errors");
    await room(page, "Config");
    await eventually(() => page.locator("table.config td:first-child").allInnerTexts(), ["suppress_errors"]);
    await goTo(page, "recompiled once", "wrapper (GPT2LMHeadModel) recompiled once");
    await room(page, "Recompiles");
  }));

test("what has no name is searched for in the artifacts", () =>
  visit(sampleReport("simple"), async (page, { open }) => {
    await overview(page, open);
    await goTo(page, "torch.ops.aten", "Search all artifacts for “torch.ops.aten”");
    await room(page, "Search");
    await page.locator(".search-hit").first().waitFor();
  }));

test("by mouse; arrows move, Escape closes and returns the focus", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open("index.html#/c/2%2F1");
    await room(page, "2/1");
    const button = page.locator(".rooms .lists").getByRole("button", { name: "Go to…" });
    await button.click();
    await eventually(async () => (await options(page).count()) > 5, true);
    await page.keyboard.press("ArrowDown");
    await eventually(() => selected(page).innerText(), "Stacks");
    assert.equal(await page.getByRole("combobox").getAttribute("aria-activedescendant"), "palette-1");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await eventually(() => selected(page).innerText(), "Help");
    await page.keyboard.press("Escape");
    await eventually(() => palette(page).count(), 0);
    assert.match(await focused(page), /^Go to…/);
    assert.equal(await hash(page), "#/c/2%2F1", "Escape closes the palette, and only that");
    await button.click();
    await options(page).filter({ hasText: "Timeline" }).click();
    await room(page, "Timeline");
  }));

test("Ctrl+K works while one types, and closes what it opened", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open("index.html#/compiles");
    await room(page, "Compiles");
    await page.getByRole("searchbox").first().focus();
    await page.keyboard.press("ControlOrMeta+k");
    await palette(page).waitFor();
    await page.keyboard.type("?t");
    assert.equal(await page.getByRole("combobox").inputValue(), "?t");
    await page.keyboard.press("ControlOrMeta+k");
    await eventually(() => palette(page).count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.type), "search");
    assert.equal(await page.getByRole("dialog").count(), 0);
  }));

test("at the top of several ranks: pages and the reports of ranks", () =>
  visit(folderReport("ranks4_desync"), async (page, { open }) => {
    await open("index.html");
    await page.locator("main h1").first().waitFor();
    await goTo(page, "collec", "Collectives");
    await room(page, "Collectives");
    await goTo(page, "rank 2", "rank 2");
    await room(page, "Overview");
    assert.match(page.url(), /rank_2\/index\.html/);
  }));

for (const colorScheme of ["light", "dark"])
  test(`it is accessible, ${colorScheme}, and fits a phone`, () =>
    visit(sampleReport("gpt2"), { colorScheme, viewport: { width: 390, height: 844 } }, async (page, { open }) => {
      await overview(page, open);
      await page.getByRole("button", { name: "Go to…" }).click();
      await page.keyboard.type("add");
      await eventually(async () => (await options(page).count()) > 5, true);
      await eventually(() => palette(page).getByText("Loading").count(), 0);
      await page.evaluate(AXE);
      assert.deepEqual(
        await page.evaluate(async () =>
          (await globalThis.axe.run(document, { resultTypes: ["violations"], preload: false })).violations.map(
            (v) => `${v.id}: ${v.nodes[0].target} ${v.nodes[0].failureSummary}`,
          ),
        ),
        [],
      );
      const box = await palette(page).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 390, `${box.x} to ${box.x + box.width}`);
      assert.deepEqual(
        await palette(page)
          .locator("ul")
          .evaluate((list) => list.scrollWidth - list.clientWidth),
        0,
      );
      await page.keyboard.type("qqqq");
      await palette(page).getByText("No name matches").waitFor();
    }));

bigTest("10,000 compiles: the exact id is first, and the list is bounded", () =>
  visit(
    reportOf("many", () => manyLog(10_000)),
    async (page, { open }) => {
      await overview(page, open);
      await type(page, "1999/4");
      await eventually(() => selected(page).innerText(), "1999/4");
      await palette(page).getByRole("combobox").fill("fn");
      await palette(page)
        .getByText(/of \d\d,\d{3} matches/)
        .waitFor();
      assert.ok((await options(page).count()) <= 51);
    },
  ),
);

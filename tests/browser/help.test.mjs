// Help: what a page shows and what its terms mean, folded until asked for; the glossary; the keys.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("recompiles");
const help = (page) => page.locator(".roomhelp");
const ask = (page) => page.getByRole("button", { name: "About this page" });
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label"));

test("help is folded until it is asked for, opens at its top, and Escape closes it", () =>
  visit(report, async (page, { open, requests }) => {
    await open("index.html#/recompiles");
    await room(page, "Recompiles");
    assert.equal(await help(page).count(), 0);
    assert.equal(
      requests.filter((url) => url.endsWith("help.js")).length,
      0,
      "its texts are loaded when they are read",
    );
    await ask(page).click();
    await help(page)
      .getByText(/what changed since the nearest earlier version/)
      .waitFor();
    await help(page)
      .getByText(/A condition under which compiled code can be reused/)
      .waitFor();
    assert.equal(await help(page).evaluate((at) => at.scrollTop), 0);
    assert.equal(await focused(page), "Help");
    assert.equal(await ask(page).getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Escape");
    await eventually(() => help(page).count(), 0);
    assert.equal(await focused(page), "About this page");
    assert.equal(await hash(page), "#/recompiles");
  }));

test("help that was scrolled opens at its top again, and another page starts with it folded", () =>
  visit(report, { viewport: { width: 400, height: 500 } }, async (page, { open }) => {
    await open("index.html#/recompiles");
    await ask(page).click();
    await help(page)
      .getByText(/A condition under which/)
      .waitFor();
    const scrolled = () => help(page).evaluate((at) => at.scrollTop);
    await help(page).evaluate((at) => at.scrollTo(0, 200));
    await eventually(async () => (await scrolled()) > 100, true);
    await help(page).getByRole("button", { name: "Close" }).click();
    await eventually(() => help(page).count(), 0);
    await ask(page).click();
    await help(page)
      .getByText(/A condition under which/)
      .waitFor();
    assert.equal(await scrolled(), 0);
    await page.evaluate(() => {
      location.hash = "#/log";
    });
    await room(page, "Log");
    await eventually(() => help(page).count(), 0);
  }));

test("terms are found by search, and the search can be sent", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/help");
    await room(page, "Help");
    await page.getByRole("searchbox").fill("unbacked");
    await eventually(() => hash(page), "#/help?q=unbacked");
    await eventually(
      async () => (await page.locator(".glossary dt").first().innerText()).includes("Dynamic shape"),
      true,
    );
    await page.reload();
    await eventually(
      async () => (await page.locator(".glossary dt").first().innerText()).includes("Dynamic shape"),
      true,
    );
    await page.getByRole("searchbox").fill("zzzz");
    await page.getByText("No entry matches the filter").waitFor();
    await page.getByRole("searchbox").fill("fx_graph_runnable");
    await page.locator(".glossary a", { hasText: "fx_graph_runnable" }).click();
    await room(page, "Files");
    assert.equal(await hash(page), "#/files?q=fx_graph_runnable");
  }));

test("? shows the keys, Escape closes; artifacts say what they are on hover", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/c/0%2F1");
    await room(page, "0/1");
    await page.keyboard.press("?");
    assert.match(await page.locator("dialog").innerText(), /down and up in a list/);
    await page.keyboard.press("Escape");
    await eventually(() => page.locator("dialog").count(), 0);
    assert.match(
      await page.locator(".artifacts a", { hasText: "dynamo_output_graph" }).first().getAttribute("title"),
      /FX graph that Dynamo captured/,
    );
  }));

for (const height of [500, 900])
  test(`the keys open at their top, ${height} px high`, () =>
    visit(report, { viewport: { width: 400, height } }, async (page, { open }) => {
      await open("index.html");
      await room(page, "Overview");
      await page.keyboard.press("?");
      await page.getByRole("heading", { name: "Keys" }).waitFor();
      assert.equal(await page.locator("dialog.help").evaluate((at) => at.scrollTop), 0);
      await page.keyboard.press("Enter"); // the focus is on Close
      await eventually(() => page.locator("dialog.help").count(), 0);
    }));

test("code in the help is set as code", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/help?q=unbacked");
    await page.locator(".glossary code", { hasText: "x.item()" }).waitFor();
  }));

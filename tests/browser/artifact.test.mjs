// One compile and its artifacts: text, search, lines with an address, copying.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, soon, viewer, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("recompiles");

async function openGraph(page, open) {
  await open("index.html#/c/4%2F0");
  await page
    .locator(".artifacts")
    .getByRole("link", { name: /dynamo_output_graph/ })
    .first()
    .click();
  await viewer(page);
}

test("the summary of a compile", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/c/0%2F1");
    await room(page, "0/1");
    for (const part of [/by_shape/, /x\.size\(\)\[0\] 2→3 since 0\/0/, /2 of 3/])
      await soon(async () => assert.match(await page.locator("main").innerText(), part));
    await page
      .locator(".tabs")
      .getByRole("link", { name: /^Metrics/ })
      .click();
    await page.locator(".metric-table td", { hasText: "guard_count" }).first().waitFor();
    await page.getByRole("link", { name: /next compile of this frame/ }).click();
    await room(page, "0/2");
    await page.keyboard.press("[");
    await room(page, "0/1");
  }));

test("an artifact opens with line numbers and colors", () =>
  visit(report, async (page, { open }) => {
    await openGraph(page, open);
    assert.match(await page.locator(".cm-content").innerText(), /class GraphModule\(torch\.nn\.Module\)/);
    assert.ok((await page.locator(".cm-content .tok-k").count()) > 0, "keywords have a color");
    assert.match(await page.locator(".cm-lineNumbers").innerText(), /1\s+2\s+3/);
    assert.match(await page.title(), /dynamo_output_graph/);
  }));

test("search in the text", () =>
  visit(report, async (page, { open }) => {
    await openGraph(page, open);
    await page.keyboard.press("Control+f");
    await page.getByRole("searchbox", { name: "Search in the text" }).fill("x");
    await eventually(async () => /^1 of \d+$/.test(await page.locator(".cm-find .found").innerText()), true);
    const total = (await page.locator(".cm-find .found").innerText()).split(" ")[2];
    await page.keyboard.press("Enter");
    await eventually(() => page.locator(".cm-find .found").innerText(), `${Math.min(2, Number(total))} of ${total}`);
    assert.ok((await page.locator(".cm-searchMatch").count()) >= 1);
    await page.getByRole("searchbox", { name: "Search in the text" }).fill("no such text");
    await eventually(() => page.locator(".cm-find .found").innerText(), "not found");
    await page.keyboard.press("Escape");
    await eventually(() => page.locator(".cm-find").count(), 0);
  }));

test("a click on a line number chooses the line, with Shift a range; the address says so and brings it back", () =>
  visit(report, async (page, { open }) => {
    await openGraph(page, open);
    const number = (n) => page.locator(".cm-lineNumbers .cm-gutterElement").filter({ hasText: new RegExp(`^${n}$`) });
    await number(3).click();
    await eventually(async () => /\?L=3$/.test(await hash(page)), true);
    await number(5).click({ modifiers: ["Shift"] });
    await eventually(async () => /\?L=3-5$/.test(await hash(page)), true);
    await eventually(() => page.locator(".cm-chosen").count(), 3);
    await page.reload();
    await eventually(() => page.locator(".cm-chosen").count(), 3);
    await number(3).click();
    await number(3).click();
    await eventually(async () => /L=/.test(await hash(page)), false);
  }));

test("a link to a line far down scrolls there", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/c/0%2F0");
    await page
      .locator(".artifacts")
      .getByRole("link", { name: /aot_joint_graph/ })
      .first()
      .click();
    await viewer(page);
    const at = await hash(page);
    await open(`index.html${at}?L=800-802`);
    await page.reload();
    await eventually(() => page.locator(".cm-chosen").count(), 3);
    await eventually(() => page.locator(".cm-chosen-number").first().innerText(), "800");
    assert.ok(await page.locator(".cm-chosen").first().isVisible());
  }));

test("the link to a line, and the text, can be copied", () =>
  visit(report, { permissions: ["clipboard-read", "clipboard-write"] }, async (page, { open }) => {
    await openGraph(page, open);
    await page.locator(".cm-lineNumbers .cm-gutterElement").filter({ hasText: /^2$/ }).click();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link to line 2 copied").waitFor();
    await eventually(
      () => page.evaluate(() => navigator.clipboard.readText()),
      await page.evaluate(() => location.href),
    );
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await eventually(
      async () => /^class GraphModule/.test(await page.evaluate(() => navigator.clipboard.readText())),
      true,
    );
  }));

test("wrap, and the file itself", () =>
  visit(report, async (page, { open }) => {
    await openGraph(page, open);
    await page.keyboard.press("w");
    await page.locator(".cm-lineWrapping").waitFor();
    const file = page.locator(".artifact a.button", { hasText: "File" });
    assert.match(await file.getAttribute("href"), /dynamo_output_graph_\d+\.txt$/);
    await file.click();
    await page.waitForURL(/dynamo_output_graph_\d+\.txt$/);
    assert.match(await page.locator("body").innerText(), /class GraphModule/);
  }));

test("an address that leads nowhere says so", () =>
  visit(report, async (page, { open }) => {
    for (const place of ["#/c/99%2F99", "#/c/0%2F0/999", "#/nowhere", "#/c"]) {
      await open(`index.html${place}`);
      await page.getByText(/No such (compile|artifact|page)/).waitFor();
    }
  }));

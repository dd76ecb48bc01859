// Memory: what each compiled graph allocates, and which lines save values for the backward. The figures are those of report.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, room, rows, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const gpt2 = sampleReport("gpt2");
const { memory } = JSON.parse(readFileSync(join(gpt2, "report.json"), "utf8"));
const most = (graph) => graph.whole_peak_bytes ?? graph.peak_bytes;
const panel = (page) => page.locator(".sidepanel");

test("graphs are listed by their peak; one shows its course, its lines and its tensors", () =>
  visit(gpt2, async (page, { open }) => {
    await open("index.html");
    await page.getByRole("link", { name: /^Memory/ }).click();
    await room(page, "Memory");
    assert.equal(await rows(page).count(), memory.length);
    const largest = memory.reduce((a, b) => (most(b) > most(a) ? b : a));
    const first = rows(page).first();
    await first.getByText(largest.direction, { exact: true }).waitFor();
    await first.click();
    await panel(page)
      .getByRole("img", { name: /at most$/ })
      .waitFor();
    assert.match(await panel(page).innerText(), /with what the forward saved/);
    await page.keyboard.press("Escape");
    const forward = rows(page).filter({ hasText: "forward" }).first();
    await forward.click();
    await panel(page).getByRole("heading", { name: "Saved for the backward" }).waitFor();
    await panel(page).getByRole("heading", { name: "Allocated by the call, at its peak" }).waitFor();
    assert.match(await panel(page).innerText(), /at least/); // dropout asks the library for numbers
  }));

test("a narrow screen shows the whole table", () =>
  visit(gpt2, { viewport: { width: 400, height: 760 } }, async (page, { open }) => {
    await open("index.html#/memory");
    await room(page, "Memory");
    await rows(page).first().waitFor();
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll(".grid-row *")]
        .filter(
          (cell) => /^(forward|backward|inference)$/.test(cell.textContent) && cell.scrollWidth > cell.clientWidth + 1,
        )
        .map((cell) => cell.textContent),
    );
    assert.deepEqual(cut, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  }));

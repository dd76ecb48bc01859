// Everything works by keyboard, and an address survives a reload. What every page must keep to is in walk.test.mjs.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
test("by keyboard alone: skip link, a room, a compile, and back", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open("index.html");
    await room(page, "Overview");
    await page.keyboard.press("Tab");
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Skip to content/);
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await room(page, "Compiles");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await room(page, "0/0");
    await page.keyboard.press("Escape");
    await room(page, "Compiles");
    const seen = new Set();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      seen.add(
        await page.evaluate(
          () => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim(),
        ),
      );
    }
    for (const part of ["Columns", "Filter id, frame, file, reason", "By status"])
      assert.ok(seen.has(part), `${part} is not reached with Tab`);
  }));

test("a link that is sent shows the same table", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    const at = "#/compiles?group=status&fold=error&q=by_&sort=-time&cols=id%2Cframe%2Ctime";
    await open(`index.html${at}`);
    const look = async () => [
      await page.locator(".grid-row").allInnerTexts(),
      await page.getByRole("columnheader").allInnerTexts(),
    ];
    await eventually(async () => (await page.locator(".grid-row.group").count()) >= 1, true);
    const before = await look();
    assert.equal(before[1].length, 3);
    await page.reload();
    await eventually(look, before);
    assert.equal(await hash(page), at);
  }));

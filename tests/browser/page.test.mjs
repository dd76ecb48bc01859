// What holds for all of the page: keyboard, theme, sizes of screens, scroll positions, help.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { allOf, closeBrowser, eventually, hash, room, rows, visit } from "./lib/browser.mjs";
import { manyLog } from "./lib/log.mjs";
import { bigTest, reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("recompiles");
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the rooms by keys, and the help", () =>
  visit(report, async (page, { open }) => {
    await open("index.html");
    await room(page, "Overview");
    for (const [key, title] of [
      ["s", "Stacks"],
      ["c", "Compiles"],
      ["b", "Graph breaks"],
      ["r", "Recompiles"],
      ["f", "Files"],
      ["o", "Overview"],
    ]) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await room(page, title);
    }
    await page.keyboard.press("?");
    const help = page.getByRole("dialog");
    await help.waitFor();
    assert.match(await help.innerText(), /Graph breaks/);
    await page.keyboard.press("Escape");
    await eventually(() => help.count(), 0);
    await open("index.html#/c/0%2F0");
    await room(page, "0/0");
    await page.keyboard.press("?");
    await help.waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => help.count(), 0);
    assert.equal(await hash(page), "#/c/0%2F0", "Escape closes the help, and only that");
  }));

test("all can be reached with the Tab key, and the focus is seen", () =>
  visit(report, async (page, { open }) => {
    await open("index.html");
    await room(page, "Overview");
    const seen = [];
    for (let i = 0; i < 25; i++) {
      await page.keyboard.press("Tab");
      seen.push(
        await page.evaluate(() => {
          const at = document.activeElement;
          return `${at.textContent.trim().slice(0, 20)}|${getComputedStyle(at).outlineStyle}`;
        }),
      );
    }
    for (const name of ["Stacks", "Compiles", "Log"])
      assert.ok(
        seen.some((text) => text.startsWith(name)),
        `${name} is not in ${seen}`,
      );
    assert.ok(
      allOf(seen, (text) => !text.endsWith("|none")),
      `no outline: ${seen.filter((text) => text.endsWith("|none"))}`,
    );
  }));

test("dark when the system is, and as the reader chooses; kept on reload", () =>
  visit(report, { colorScheme: "dark" }, async (page, { open }) => {
    await open("index.html");
    await room(page, "Overview");
    const dark = await background(page);
    await page.getByRole("button", { name: /Theme/ }).click();
    const light = await background(page);
    assert.notEqual(light, dark);
    await page.reload();
    await room(page, "Overview");
    assert.equal(await background(page), light);
    await page.keyboard.press("t");
    await eventually(() => background(page), dark);
  }));

test("on a phone the rooms are behind a menu", () =>
  visit(report, { viewport: { width: 390, height: 844 } }, async (page, { open }) => {
    await open("index.html");
    const link = page.locator(".rooms").getByRole("link", { name: /^Compiles/ });
    assert.equal(await link.isVisible(), false);
    await page.getByRole("button", { name: "Menu" }).click();
    await link.click();
    await room(page, "Compiles");
    assert.equal(await link.isVisible(), false);
  }));

bigTest("10,000 compile ids: found, sorted, and Back finds the place in the list again", () =>
  visit(
    reportOf("many", () => manyLog(10_000)),
    async (page, { open }) => {
      await open("index.html#/compiles?group=none");
      await room(page, "Compiles");
      assert.match(await page.locator(".head .sub").innerText(), /10,000/);
      assert.ok((await rows(page).count()) < 120, "only rows near the view are in the document");
      await page.getByRole("searchbox").fill("fn_1999");
      await eventually(() => rows(page).count(), 5);
      await page.getByRole("searchbox").fill("");
      await page.getByRole("columnheader", { name: "Time" }).getByRole("button").click();
      await page.locator(".grid-scroll").focus();
      await page.keyboard.press("End");
      await eventually(() => page.locator(".grid-row.on").getAttribute("aria-rowindex"), "10001");
      const top = await page.locator(".grid-scroll").evaluate((at) => at.scrollTop);
      assert.ok(top > 250_000);
      const id = (await page.locator(".grid-row.on a.chip").innerText()).replace(/^\S+\s+/, "").trim();
      await page.keyboard.press("Enter");
      await room(page, id);
      await page.goBack();
      await eventually(
        async () => Math.abs((await page.locator(".grid-scroll").evaluate((at) => at.scrollTop)) - top) < 150,
        true,
      );
      await open("index.html#/files");
      await eventually(async () => /loading/.test(await page.locator(".head .sub").innerText()), false);
      assert.match(await page.locator(".head .sub").innerText(), /\d\d,\d{3}/);
      await open("index.html#/stacks");
      await room(page, "Stacks");
      assert.match(await page.locator(".head .sub").innerText(), /10,000 compiles/);
      assert.equal(await hash(page), "#/stacks");
    },
  ),
);

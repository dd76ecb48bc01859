// Guards: the checks of each compile, and what filters leave of them. The figures are those of report.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, rows, soon, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const gpt2 = sampleReport("gpt2");
const checks = JSON.parse(readFileSync(join(gpt2, "report.json"), "utf8")).guard_checks;
const number = (n) => n.toLocaleString("en-US");
const panel = (page) => page.locator(".sidepanel");
const cells = async (page) => (await rows(page).allInnerTexts()).map((text) => text.trim().split(/\s*\n\s*/));

test("the navigation leads to the compiles; a row opens what filters leave", () =>
  visit(gpt2, async (page, { open }) => {
    await open("index.html");
    await page.getByRole("link", { name: /^Guards/ }).click();
    await room(page, "Guards");
    await eventually(async () => (await cells(page)).length, checks.length);
    const first = checks[0];
    assert.ok((await cells(page))[0].includes(number(first.checks)));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await panel(page).waitFor();
    await eventually(() => hash(page), `#/guards?compile=${encodeURIComponent(first.compile)}`);
    for (const { name, checks: left } of first.filters) {
      if (left === first.checks) continue;
      const row = panel(page).getByRole("row").filter({ hasText: name });
      await soon(async () => assert.match(await row.innerText(), new RegExp(`\\s${number(left)}$`)));
    }
    const kind = panel(page).getByRole("row").filter({ hasText: first.by_kind[0].kind });
    await soon(async () =>
      assert.match(await kind.first().innerText(), new RegExp(`\\s${number(first.by_kind[0].checks)}$`)),
    );
    await soon(async () => assert.match(await panel(page).innerText(), /guards, counted before filters/));
    await panel(page).getByRole("link", { name: "Guard list" }).click();
    await page.getByRole("link", { name: `${number(first.checks)} checks` }).click();
    await room(page, "Guards");
    await panel(page).getByRole("link", { name: "Close" }).click();
    await eventually(() => panel(page).count(), 0);
  }));

test("a phone shows the checks, and the panel below them", () =>
  visit(gpt2, async (page, { open }) => {
    await page.setViewportSize({ width: 400, height: 800 });
    await open(`index.html#/guards?compile=${checks[0].compile}`);
    await panel(page).waitFor();
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  }));

test("a filter that fits nothing says so; a log without guards too", async () => {
  await visit(gpt2, async (page, { open }) => {
    await open("index.html#/guards?q=nosuch");
    await page.getByText("No compile matches the filter").waitFor();
  });
  await visit(sampleReport("autograd_chains"), async (page, { open }) => {
    await open("index.html#/guards");
    await page.locator(".head").waitFor();
  });
});

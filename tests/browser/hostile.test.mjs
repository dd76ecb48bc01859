// Text of the log stays text, in every room and on every page of its own.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, room, settled, visit } from "./lib/browser.mjs";
import { hostileLog } from "./lib/log.mjs";
import { reportOf } from "./lib/report.mjs";

after(closeBrowser);
const report = reportOf("hostile", hostileLog());
const PLACES = [
  "",
  "stacks?fw=1",
  "compiles",
  "breaks",
  "recompiles",
  "failures",
  "files",
  "config",
  "log",
  "c/0%2F0",
  "c/0%2F1",
];

test("no room runs or draws what the log holds", () =>
  visit(report, async (page, { open }) => {
    for (const place of PLACES) {
      await open(`index.html#/${place}`);
      await page.locator("main h1").waitFor();
      await settled(page);
      assert.equal(await page.locator("main img:not(.cm-widgetBuffer), main script, #app script").count(), 0, place);
    }
    await open("index.html#/failures");
    await room(page, "Failures");
    assert.match(await page.locator("main").innerText(), /<script>alert\(1\)<\/script>/);
  }));

test("no artifact runs or draws what it holds", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/c/0%2F0");
    await page.locator(".artifacts .items").waitFor();
    const places = await page
      .locator('.artifacts .items a[href^="#/c/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    assert.ok(places.length >= 5, `${places}`);
    let shown = 0;
    for (const place of places.slice(1)) {
      await open(`index.html${place}`);
      await page.locator(".artifact").waitFor();
      await page.locator(".cm-line").first().waitFor();
      assert.equal(await page.locator("main img:not(.cm-widgetBuffer), main script").count(), 0, place);
      if (/<script>alert\(1\)<\/script>|<img src=x/.test(await page.locator(".cm-content").innerText())) shown++;
    }
    assert.ok(shown >= 3, `${shown} artifacts show the text`);
  }));

test("links that run code are no links", () =>
  visit(report, async (page, { open }) => {
    for (const place of ["c/0%2F0", "files", "breaks"]) {
      await open(`index.html#/${place}`);
      await page.locator("main a:visible").first().waitFor();
      await settled(page);
      const bad = await page
        .locator("a[href]")
        .evaluateAll((links) =>
          links
            .map((link) => link.getAttribute("href"))
            .filter((href) => /^\s*(javascript|data|vbscript):/i.test(href)),
        );
      assert.deepEqual(bad, [], place);
    }
    await open("index.html#/c/0%2F0");
    await eventually(() => page.locator('a[href="https://example.org/x?a=1"]').count(), 1); // a good link is one
  }));

test("pages of their own: no markup from the log, with scripts and without", async () => {
  const pages = readdirSync(report, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".html"));
  assert.ok(pages.length >= 4, `${pages}`);
  for (const javaScriptEnabled of [true, false]) {
    await visit(report, { javaScriptEnabled }, async (page, { open }) => {
      for (const name of pages) {
        await open(name.split("/").map(encodeURIComponent).join("/"));
        await page.waitForLoadState("load");
        if (javaScriptEnabled)
          assert.equal(
            await page.evaluate(
              () => [...document.scripts].filter((script) => !script.src && script.type !== "application/json").length,
            ),
            0,
            name,
          );
        assert.equal(await page.locator("img").count(), 0, name);
      }
    });
  }
  for (const name of pages)
    assert.match(readFileSync(join(report, name), "utf8"), /Content-Security-Policy/, relative(report, name));
});

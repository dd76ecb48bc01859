// Opens pages of the documentation site from the disk, without a network, on a large screen and on a phone, light and dark:
// no errors, no page that scrolls sideways, and a search that finds something.
//   node look.mjs SITE
// Environment: CHROMIUM the browser (default: that of the other browser tests).
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { program } from "../browser/lib/browser.mjs";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const PAGES = [
  "index",
  "tutorial",
  "python-api",
  "terms",
  "commands/tlparse",
  "views/index",
  "views/recompiles",
  "report-json/index",
  "report-json/report",
  "ci",
];
const site = pathToFileURL(process.argv[2]);

const browser = await chromium.launch(program());
try {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [400, "dark"],
  ]) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
    const wrong = [];
    const page = await context.newPage();
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || wrong.push(request.url()));
    page.on("requestfailed", (request) => wrong.push(request.url()));
    for (const name of PAGES) {
      await page.goto(`${site}/${name}.html`);
      await page.locator("main h1, article h1").first().waitFor();
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(beyond <= 0, `${name} is ${beyond} pixels wider than ${width}`);
      const images = await page.evaluate(() =>
        [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src),
      );
      assert.deepEqual(images, [], name);
    }
    await page.goto(`${site}/search.html?q=recompiles`);
    await page.locator("#search-results li a").first().waitFor();
    assert.deepEqual(wrong, [], `${width} ${colorScheme}`);
    await context.close();
  }
  console.log("ok");
} finally {
  await browser.close();
}

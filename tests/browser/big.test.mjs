// Texts of megabytes: they open, search finds their end, long lines are cut with a note.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after } from "./lib/test.mjs";
import { closeBrowser, eventually, visit } from "./lib/browser.mjs";
import { bigLog } from "./lib/log.mjs";
import { bigTest, reportOf } from "./lib/report.mjs";

after(closeBrowser);
const report = process.env.TL_ALL && reportOf("big", () => bigLog(5_500_000));

bigTest("an artifact of 5 MB opens, and its last line can be reached and linked", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/c/0%2F0");
    await page
      .locator(".artifacts")
      .getByRole("link", { name: /aot_joint_graph/ })
      .click();
    await page.locator(".cm-line").first().waitFor();
    assert.ok((await page.locator(".cm-line").count()) < 300, "only lines near the view are in the document");
    await page.keyboard.press("/");
    await page.getByRole("searchbox", { name: "Search in the text" }).fill("# the end");
    await page.locator(".cm-searchMatch-selected").waitFor();
    assert.equal(await page.locator(".cm-searchMatch-selected").innerText(), "# the end");
    const last = await page.locator(".cm-lineNumbers .cm-gutterElement").last().innerText();
    const at = (await page.evaluate(() => location.hash)).replace(/\?.*/, "");
    await open(`index.html${at}?L=${last}`);
    await page.reload();
    await eventually(() => page.locator(".cm-chosen").innerText(), "# the end");
  }),
);

bigTest("a line of 3 MB is cut, with a note and a link to the file", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/c/0%2F0");
    await page
      .locator(".artifacts")
      .getByRole("link", { name: /one_line/ })
      .click();
    await page.locator(".notice").waitFor();
    assert.match(await page.locator(".notice").innerText(), /truncated/);
    assert.match(await page.locator(".notice a").getAttribute("href"), /one_line_\d+\.txt$/);
    await page.keyboard.press("w");
    await page.locator(".cm-lineWrapping").waitFor();
    assert.match(await page.locator(".cm-content").innerText(), /123456789/);
  }),
);

bigTest("a page of 2 MB of code gets its colors where one looks", () =>
  visit(report, async (page, { open }) => {
    const name = readdirSync(report, { recursive: true })
      .map(String)
      .find((file) => /inductor_output_code.*\.html$/.test(file));
    await open(name);
    await page.locator("#code .tok-k").first().waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.locator("#code > span").last().locator(".tok-c").waitFor({ timeout: 90_000 }); // all that stands before it is parsed first
  }),
);

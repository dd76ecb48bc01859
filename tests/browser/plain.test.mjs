// Without scripts: index.html has a plain list, the pages of their own show their text.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("gpt2");
const pages = readdirSync(report, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".html"));
const find = (pattern) =>
  pages.find((name) => pattern.test(name)) ?? assert.fail(`no page like ${pattern} in ${pages}`);
const url = (name) => name.split("/").map(encodeURIComponent).join("/");

test("index.html without scripts lists the compiles, and its links lead to files", () =>
  visit(report, { javaScriptEnabled: false }, async (page, { open }) => {
    await open("index.html");
    const text = await page.locator("body").innerText();
    assert.match(text, /0\/0/);
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const graph = links.find((href) => /dynamo_output_graph/.test(href));
    assert.ok(graph, `${links.slice(0, 10)}`);
    await open(graph);
    assert.match(await page.locator("body").innerText(), /GraphModule/);
  }));

test("code without scripts", () =>
  visit(report, { javaScriptEnabled: false }, async (page, { open }) => {
    await open(url(find(/inductor_output_code.*\.html$/)));
    assert.match(await page.locator("#code").innerText(), /async_compile/);
    const line = await page
      .locator("#L2")
      .evaluate((span) => [getComputedStyle(span).display, getComputedStyle(span, "::before").content]);
    assert.deepEqual(line, ["block", "counter(line)"], "app.css numbers the lines");
  }));

test("code with scripts: colors, a line of the address, a click on a number", () =>
  visit(report, async (page, { open }) => {
    const name = url(find(/inductor_output_code.*\.html$/));
    await open(`${name}#L200`);
    await page.locator("#code .tok-s").first().waitFor();
    const box = await page.locator("#L200").boundingBox();
    assert.ok(box.y > 0 && box.y < 720, `line 200 is at ${box.y}`);
    const before = await page.locator("#L210").innerText();
    await page.locator("#L210").click({ position: { x: 10, y: 5 } });
    await eventually(() => page.evaluate(() => location.hash), "#L210");
    assert.equal(await page.locator("#L210").innerText(), before, "colors change no text");
    await page.getByRole("link", { name: "[0/0]" }).click();
    await page.locator("main h1", { hasText: "0/0" }).waitFor();
  }));

test("metrics and failures are tables that can be read, light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await visit(report, { colorScheme }, async (page, { open }) => {
      await open(url(find(/compilation_metrics_\d+\.html$/)));
      assert.match(await page.locator("main").innerText(), /entire_frame_compile_time_s|guard_count/i);
      await open("failures_and_restarts.html");
      assert.ok(await page.locator("main").isVisible());
      await page.getByRole("button", { name: /theme/i }).click();
    });
  }
});

test("on a phone, failures and metrics have no column out of sight", () =>
  visit(sampleReport("errors"), { viewport: { width: 400, height: 844 } }, async (page, { open }) => {
    const inSight = (what) =>
      page.locator(what).evaluateAll((all) => all.every((node) => node.getBoundingClientRect().right <= innerWidth));
    await open("failures_and_restarts.html");
    assert.ok(await page.getByText("BackendCompilerFailed").first().isVisible());
    assert.ok(await inSight("td"));
    await page.getByRole("link", { name: "[0/0]" }).first().click();
    await page.getByText("co_firstlineno").waitFor();
    assert.ok(await inSight("td"));
  }));

test("without failures there is a sentence and no empty table; one frame is singular", async () => {
  for (const width of [400, 1440]) {
    await visit(report, { viewport: { width, height: 844 } }, async (page, { open }) => {
      await open("failures_and_restarts.html");
      assert.ok(await page.getByText("No compile failed or restarted.").isVisible());
      assert.equal(await page.locator("table").isVisible(), false);
    });
  }
  const shapes = sampleReport("dynamic_shapes");
  const name = readdirSync(shapes, { recursive: true })
    .map(String)
    .find((one) => /-_0_1_0\/compilation_metrics_\d+\.html$/.test(one));
  await visit(shapes, { javaScriptEnabled: false }, async (page, { open }) => {
    await open(url(name));
    assert.match(await page.locator("main").innerText(), /\b1 frame\b/);
  });
});

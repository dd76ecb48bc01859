// Stacks as a flame graph.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { allOf, closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { id, intern, record, start } from "./lib/log.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const path = (page) => page.locator(".flame-path").innerText();
const about = (page) => page.locator(".flame-about").innerText();

async function flame(page, open, query = "") {
  await open(`index.html#/stacks?view=flame${query}`);
  await room(page, "Stacks");
  await page.locator(".stack-flame canvas").waitFor();
}

test("tree and flame are two views of the same, and the address says which", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/stacks");
    await page.getByRole("tree").waitFor();
    await page.getByRole("button", { name: "Flame" }).click();
    await page.locator(".stack-flame canvas").waitFor();
    assert.match(await hash(page), /view=flame/);
    await page.getByRole("button", { name: "Tree", exact: true }).click();
    await page.getByRole("tree").waitFor();
  }));

test("a click goes into a frame, the path leads back, a compile opens", () => {
  const report = sampleReport("gpt2");
  const { stacks } = JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
  const outermost = stacks.filter((node) => node.parent < 0);
  assert.ok(allOf(outermost, (node) => node.time_us > 0));
  return visit(report, async (page, { open }) => {
    await flame(page, open);
    assert.match(await path(page), /^all/);
    assert.match(await about(page), /100.%/);
    await page.locator(".flame-box").focus();
    await page.keyboard.press("ArrowDown");
    await eventually(async () => !/^all compiles/.test(await about(page)), true);
    await page.keyboard.press("Enter");
    await eventually(async () => /n=\d+/.test(await hash(page)), true);
    assert.match(await path(page), /^all › /);
    const inside = await hash(page);
    await page.reload();
    await page.locator(".stack-flame canvas").waitFor();
    assert.equal(await hash(page), inside);
    await eventually(async () => / › /.test(await path(page)), true);
    await page.locator(".flame-path button").first().click();
    await eventually(async () => /n=/.test(await hash(page)), false);
    await page.locator(".flame-about a.chip").first().click();
    await room(page, "0/0");
  });
});

test("a click on a bar of the canvas is that bar's", () =>
  visit(sampleReport("killed"), async (page, { open }) => {
    await flame(page, open);
    await page.locator(".flame-box").click({ position: { x: 40, y: 18 + 9 } });
    await eventually(async () => /^first/.test(await about(page)), true);
    assert.match(await about(page), /killed\.py:16/);
    assert.match(await about(page), /19\.9.s/);
  }));

test("the filter marks, and frames of libraries come when asked", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await flame(page, open);
    await page.getByRole("searchbox").fill("prints");
    await eventually(async () => /[1-9]\d* bars? found/.test(await path(page)), true);
    await page.getByRole("searchbox").fill("nothing like this");
    await eventually(async () => /; 0 bars found/.test(await path(page)), true);
    await page.getByLabel("library frames").check();
    await eventually(async () => /fw=1/.test(await hash(page)), true);
  }));

test("a log without stacks says so, one without times counts compiles", async () => {
  await visit(
    reportOf("no-stacks", () => record({ dynamo_output_graph: {}, ...id(0) }, "x")),
    async (page, { open }) => {
      await open("index.html#/stacks?view=flame");
      await room(page, "Stacks");
      assert.match(await page.locator("main").innerText(), /No stacks in this log/);
    },
  );
  await visit(
    reportOf("no-times", () => [intern("/home/user/a.py", 0), start(id(0)), start(id(1))].join("")),
    async (page, { open }) => {
      await flame(page, open);
      assert.match(await path(page), /2 compiles/);
    },
  );
});

test("on a phone nothing stands out at the side", () =>
  visit(sampleReport("graph_breaks"), { viewport: { width: 390, height: 844 } }, async (page, { open }) => {
    await flame(page, open);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }));

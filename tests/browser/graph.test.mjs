// Graphs in the viewer: a value with its definition, uses and type; source lines with their nodes; folding.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, viewer, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);

async function openGraph(page, open, compile, name) {
  await open(`index.html#/c/${encodeURIComponent(compile)}`);
  await page.locator(".artifacts").getByRole("link", { name }).first().click();
  await viewer(page);
}

/** A click on a word in the line of the text that holds `lineText`. */
async function clickWord(page, lineText, word, options = {}) {
  const box = await wordAt(page, lineText, word);
  for (const key of options.modifiers ?? []) await page.keyboard.down(key);
  await page.mouse.click(box.x, box.y);
  for (const key of options.modifiers ?? []) await page.keyboard.up(key);
}

const wordAt = (page, lineText, word) =>
  page.evaluate(
    ([wanted, name]) => {
      const line = [...document.querySelectorAll(".cm-line")].find((l) => l.textContent.includes(wanted));
      line?.scrollIntoView({ block: "nearest" });
      const at = line?.textContent.lastIndexOf(
        name,
        line.textContent.indexOf(";") < 0 ? undefined : line.textContent.indexOf(";"),
      );
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let seen = 0, node = walker.nextNode(); node; seen += node.length, node = walker.nextNode()) {
        if (at >= seen + node.length) continue;
        const range = document.createRange();
        range.setStart(node, at - seen);
        range.setEnd(node, at - seen + 1);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + width / 2 - 1, y: y + height / 2 };
      }
    },
    [lineText, word],
  );

const panel = (page) => page.locator(".graph-panel");

test("a click on a value marks it everywhere and tells its type, operator and uses; the address brings it back", () =>
  visit(sampleReport("higher_order"), async (page, { open }) => {
    await openGraph(page, open, "0/0", /dynamo_output_graph/);
    await clickWord(page, "sum_1 > 0", "sum_1");
    await panel(page).waitFor();
    assert.match(
      await panel(page).innerText(),
      /sum_1[^]*dtype\s+float32[^]*shape\s+\[\] \(a scalar\)[^]*device\s+cpu[^]*l_x_\.sum[^]*higher_order\.py:11 in branches[^]*Uses 1/,
    );
    await eventually(() => page.locator(".cm-value").count(), 3); // made, read, dropped
    await eventually(async () => /v=sum_1%40\d+/.test(await hash(page)), true);
    await page.reload();
    await panel(page).waitFor();
    assert.match(await panel(page).innerText(), /sum_1/);
    await eventually(() => page.locator(".cm-value").count(), 3);
  }));

test("Ctrl+click and F12 go to the definition, the list to a use, Alt+Left back", () =>
  visit(sampleReport("higher_order"), async (page, { open }) => {
    await openGraph(page, open, "0/0", /dynamo_output_graph/);
    await clickWord(page, "getitem: ", "cond", { modifiers: ["Control"] });
    await panel(page).waitFor();
    assert.match(await panel(page).innerText(), /torch\.ops\.higher_order\.cond/);
    await page.keyboard.press("Alt+ArrowDown");
    await eventually(async () => (await panel(page).locator(".name").innerText()) !== "cond", true);
    await page.keyboard.press("F12");
    await page.keyboard.press("Alt+ArrowLeft");
    assert.ok((await page.locator(".cm-value").count()) >= 1);
    await panel(page)
      .getByRole("button", { name: /Go to definition/ })
      .click();
    assert.ok((await page.locator(".cm-value-def").count()) === 1);
  }));

test("a source line chooses its nodes; all source lines can be filtered and folded", () =>
  visit(sampleReport("higher_order"), async (page, { open }) => {
    await openGraph(page, open, "4/0", /dynamo_output_graph/);
    await page.locator(".cm-line", { hasText: "# File:" }).first().click();
    await panel(page).waitFor();
    assert.match(await panel(page).innerText(), /Nodes \d+/i);
    await eventually(async () => /L=\d+-\d+/.test(await hash(page)), true);
    assert.ok((await page.locator(".cm-chosen").count()) > 1);
    await page.getByRole("button", { name: "Source lines" }).click();
    await panel(page).getByRole("searchbox").waitFor();
    const rows = panel(page).locator("li");
    await eventually(async () => (await rows.count()) > 1, true);
    await panel(page).getByRole("searchbox").fill("no such line");
    await eventually(() => rows.count(), 0);
    const folds = page.locator(".cm-foldPlaceholder");
    await page.getByRole("button", { name: "Fold", exact: true }).click();
    await eventually(async () => (await folds.count()) > 1, true);
    await page.getByRole("button", { name: "Fold", exact: true }).click();
    await eventually(() => folds.count(), 0);
  }));

test("output code: a buffer has its definition", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await openGraph(page, open, "0/0", /inductor_output_code/);
    const url = page.url();
    assert.match(url, /#\/c\//);
    await page.evaluate(() => (location.hash = location.hash.replace(/\?.*$/, "")));
    await page.keyboard.press("/");
    await page.getByRole("searchbox", { name: "Search in the text" }).fill("del primals_1");
    await eventually(async () => /^1 of/.test(await page.locator(".cm-find .found").innerText()), true);
    await page.keyboard.press("Escape");
    await clickWord(page, "buf0 = empty_strided", "buf0");
    await panel(page).waitFor();
    assert.match(await panel(page).innerText(), /buf0[^]*empty_strided/);
  }));

test("the chosen value has signs in the gutter and on the ruler; a click on the ruler leads there", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await openGraph(page, open, "0/0", /aot_joint_graph/);
    assert.equal(await page.locator(".cm-ruler").isHidden(), true);
    assert.equal(await page.locator(".cm-use").count(), 0);
    await page.evaluate(() => (location.hash = location.hash.replace(/\?.*$/, "") + "?v=embedding@2"));
    await page.reload();
    await eventually(() => page.locator(".cm-value-def").innerText(), "embedding");
    await eventually(() => page.locator(".cm-use-definition").innerText(), "◆");
    await eventually(async () => (await page.locator(".cm-ruler i").count()) >= 1, true);
    await page.evaluate(() => document.querySelector(".cm-scroller").scrollTo(0, 1e9));
    const scrolled = () => page.evaluate(() => document.querySelector(".cm-scroller").scrollTop);
    await eventually(async () => (await scrolled()) > 10_000, true);
    await page.locator(".cm-ruler-definition").click();
    await eventually(async () => (await scrolled()) < 3000, true);
    assert.equal(await page.locator(".cm-use-definition").isVisible(), true);
  }));

test("the line below the text says what the hovered name is, covers no text, and goes with Escape, a scroll, or the pointer", () =>
  visit(sampleReport("dynamic_shapes"), async (page, { open }) => {
    await openGraph(page, open, "0/1", /dynamo_output_graph/);
    const hover = async (line, word) => {
      await page.mouse.move(5, 5);
      await page.locator(".cm-facts", { hasText: "Hover a name" }).waitFor();
      const at = await wordAt(page, line, word);
      await page.mouse.move(at.x, at.y);
      await page.mouse.move(at.x + 1, at.y);
      await page.locator(".cm-facts dl").waitFor();
      return page.locator(".cm-facts").innerText();
    };
    assert.match(
      await hover("def forward", "L_x_"),
      /L_x_[^]*dtype[^]*float32[^]*shape[^]*\[s77, 16\][^]*stride[^]*\[16, 1\][^]*device[^]*cpu[^]*symbols[^]*s77/,
    );
    assert.match(await hover("def forward", "s77, 16"), /s77[^]*dynamic size[^]*line 2[^]*used in types of[^]*values/);
    const below = await page.evaluate(
      () =>
        document.querySelector(".cm-facts").getBoundingClientRect().top >=
        document.querySelector(".cm-scroller").getBoundingClientRect().bottom - 1,
    );
    assert.equal(below, true);
    const cleared = () => page.locator(".cm-facts", { hasText: "Hover a name" }).waitFor();
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Escape");
    await cleared();
    assert.match(await hash(page), /^#\/c\/0%2F1\/\d+/, "Escape clears the line first");
    await hover("def forward", "L_x_");
    await page.locator(".cm-scroller").evaluate((node) => node.dispatchEvent(new Event("scroll")));
    await cleared();
    await page.mouse.down();
    const at = await wordAt(page, "def forward", "L_x_");
    await page.mouse.move(at.x + 9, at.y);
    await page.mouse.up();
  }));

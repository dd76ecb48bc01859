// Passes: what each did to the graph, as a list and as a difference.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { allOf, closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const items = (page) => page.locator("nav.artifacts .items a");

test("a pass that changed the graph is shown first, and those that did not are marked", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/passes");
    await room(page, "Passes");
    await page.locator(".graph-edits li").first().waitFor();
    assert.match(await page.locator(".pass-what").innerText(), /≠ changed/);
    assert.ok(
      (await page.locator(".graph-edits .minus, .graph-edits .plus").count()) > 0,
      "what changed is there to see",
    );
    assert.ok((await page.locator("nav.artifacts .diff-mark.same").count()) > 0, "a pass that changed nothing");
    await page
      .locator(".artifacts a", { has: page.locator(".diff-mark.same") })
      .first()
      .click();
    await eventually(() => page.locator(".pass-what .chip").innerText(), "= unchanged");
    await eventually(
      () =>
        page
          .locator(".diff header .chip")
          .first()
          .innerText()
          .then((text) => /same/.test(text)),
      true,
    );
  }));

test("passes that changed nothing can be hidden; the choice is in the address", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/passes");
    await items(page).first().waitFor();
    const all = await items(page).count();
    await page.getByLabel(/Hide \d+ unchanged/).check();
    await eventually(async () => (await items(page).count()) < all, true);
    await page.reload();
    await items(page).first().waitFor();
    assert.ok((await items(page).count()) < all);
    assert.match(await hash(page), /unchanged=0/);
  }));

test("keys go from pass to pass", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/passes?n=0");
    await room(page, "Passes");
    await page.locator(".graph-diff .says").waitFor();
    await page.keyboard.press("]");
    await eventually(() => hash(page).then((text) => /n=1/.test(text)), true);
  }));

test("a change within a line that is longer than the screen is in view when the pass is opened", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/passes?c=0%2F1&as=text");
    await page.locator(".diff-row.at b").first().waitFor();
    const boxes = await page.locator(".diff-row.at b").evaluateAll((marks) =>
      marks.map((mark) => {
        const [own, cell] = [mark.getBoundingClientRect(), mark.closest(".t").getBoundingClientRect()];
        return own.left >= cell.left && own.right <= cell.right + 1;
      }),
    );
    assert.ok(allOf(boxes, Boolean), JSON.stringify(boxes));
  }));

test("a log without passes says why there are none", () =>
  visit(sampleReport("errors"), async (page, { open }) => {
    await open("index.html#/passes?c=nothing");
    await page.getByText("No such compile").waitFor();
  }));

test("passes of vLLM's pieces are under the name of their piece", () =>
  visit(sampleReport("vllm_like"), async (page, { open }) => {
    await open("index.html#/passes");
    await items(page).first().waitFor();
    assert.deepEqual(await page.locator("nav.artifacts .piece-name").allInnerTexts(), [
      "submod_0, range [1, 64]",
      "submod_2, range [1, 64]",
      "submod_4, range [1, 64]",
      "submod_0, size 1",
      "submod_2, size 1",
      "submod_4, size 1",
    ]);
    await items(page).last().click();
    await page.locator(".pass-what", { hasText: "submod_4, size 1" }).waitFor();
  }));

test("passes of a single graph have no piece", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/passes");
    await items(page).first().waitFor();
    assert.equal(await page.locator("nav.artifacts .piece-name").count(), 0);
  }));

// Compare: two artifacts of one report, partners at one click, the difference as a patch.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hostileGraphsLog, twoGraphsLog } from "./lib/log.mjs";
import { bigTest, reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const graphOf = (id) =>
  JSON.parse(readFileSync(join(sampleReport("recompiles"), "report.json")))
    .compiles.find((one) => one.id === id)
    .artifacts.findIndex((one) => one.name === "dynamo_output_graph");
const partners = (page) => page.locator(".partners a.button");

test("from an artifact to the same of the next compile of its frame", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open("index.html#/c/0%2F1");
    await page.locator(".artifacts a", { hasText: "dynamo_output_graph" }).click();
    await page.locator(".artifact").getByRole("link", { name: "Compare" }).click();
    await room(page, "Compare");
    await partners(page).first().waitFor();
    assert.equal(await partners(page).first().innerText(), "previous compile 0/0");
    await page.locator(".graph-diff .says").waitFor();
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await page.locator(".diff-row.changed").first().waitFor();
    assert.ok((await page.locator(".diff-row b").count()) > 0, "words that differ are marked");
    await partners(page).filter({ hasText: "next compile" }).click();
    await eventually(() => page.getByLabel("Right: compile").inputValue(), "0/2");
    assert.match(await hash(page), /b=0%2F2%2F/);
  }));

test("one column, without numbers of names, other side round: all of it in the address", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open(`index.html#/compare?a=0/0/${graphOf("0/0")}&b=0/1/${graphOf("0/1")}&as=text`);
    await page.locator(".diff-row").first().waitFor();
    await page.keyboard.press("v");
    await page.locator(".rows.unified").waitFor();
    await page.getByLabel("Ignore numbers in names").check();
    await eventually(() => hash(page).then((text) => /loose=1/.test(text) && /view=unified/.test(text)), true);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Swap left and right" }).click();
    await eventually(() => hash(page).then((text) => /a=0%2F1%2F\d+&b=0%2F0/.test(text)), true);
  }));

test("an address of an artifact that is not there says so", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open("index.html#/compare?a=0/0/999&b=0/1/4");
    await page.getByText("There is no artifact 999 of 0/0").waitFor();
  }));

bigTest("5 MB against 5 MB are compared beside the page, not in it", () =>
  visit(reportOf("big-diff", twoGraphsLog), async (page, { open }) => {
    const workers = [];
    page.on("worker", (worker) => workers.push(worker.url()));
    await open("index.html#/compare?a=0/0/0&b=0/1/0&as=text");
    await page.locator(".diff-row").first().waitFor();
    await eventually(async () => /−70\s*\+70/.test(await page.locator(".diff header").innerText()), true);
    assert.match(workers.join(), /^blob:/);
  }),
);

test("a line that is longer than the screen is shown in full, by stepping to it or by a click", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/compare?as=text");
    await page.locator(".diff-row.changed").first().waitFor();
    const whole = page.locator(".diff-whole");
    assert.equal(await whole.count(), 0);
    await page.keyboard.press("n");
    await page.keyboard.press("p"); // def forward(self, …): thousands of letters
    await eventually(
      () =>
        page
          .locator(".diff-head .num")
          .innerText()
          .then((text) => /^1 of \d+/.test(text)),
      true,
    );
    await whole.waitFor();
    const said = await whole.innerText();
    for (const words of ["0/0:2", "0/1:2", 's27: "Sym(s27)"', 'ln_f_parameters_bias_: "f32[128][1]cpu"):'])
      assert.ok(said.includes(words), words);
    assert.ok((await whole.locator(".plus b").count()) > 0);
    const box = await whole.boundingBox();
    assert.ok(box.height < 720 * 0.4 && box.x + box.width <= 1280, JSON.stringify(box));
    await page.keyboard.press("Escape");
    await eventually(() => whole.count(), 0);
    await page.locator(".diff-row.same", { hasText: "l_kwargs_input_ids_ =" }).first().click();
    assert.equal(await whole.locator("code").count(), 1); // equal lines are told once
    await page.getByRole("button", { name: "Close" }).click();
    await eventually(() => whole.count(), 0);
  }));

/** Whether the marked words of the difference that is chosen are in view, on both sides of it. */
const inView = (page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll(".diff-row")];
    const at = rows.findIndex((row) => row.classList.contains("at"));
    const [row, next] = [rows[at], rows[at + 1]];
    const marks = [
      ...(row?.querySelectorAll("b") ?? []),
      ...(next && !row.querySelector(".plus") ? next.querySelectorAll("b") : []),
    ];
    const box = document.querySelector(".diff-scroll").getBoundingClientRect();
    return marks.some((mark) => {
      const own = mark.getBoundingClientRect();
      const cell = mark.closest(".t").getBoundingClientRect();
      return own.left >= cell.left && own.left < cell.right && own.top >= box.top && own.bottom <= box.bottom;
    });
  });

for (const [screen, viewport] of [
  ["a wide screen", { width: 1280, height: 720 }],
  ["a phone", { width: 390, height: 780 }],
])
  test(`opens at the first difference, whose words are in view however long the line is, on ${screen}`, () =>
    visit(sampleReport("gpt2"), { viewport }, async (page, { open }) => {
      await open("index.html#/compare?as=text");
      await page.locator(".diff-row b").first().waitFor();
      await eventually(
        () =>
          page
            .locator(".diff-head .num")
            .innerText()
            .then((text) => /^1 of \d+ differences/.test(text)),
        true,
      );
      await eventually(() => inView(page), true);
      assert.ok((await page.locator(".diff-row .cut").count()) > 0, "what is equal is left out, and a sign says so");
      assert.match(await page.locator(".diff-row .cut").first().getAttribute("title"), /equal characters?$/);
      assert.equal(await page.locator(".diff-whole").count(), 0);
    }));

const edits = (page) => page.locator(".graph-edits li");

test("two graphs are compared as graphs: a recompile with another length has few changes, which lead to their lines", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/recompiles");
    await page.locator(".versions .compare").getByRole("link", { name: "graphs" }).first().click();
    await room(page, "Compare");
    const says = await page.locator(".graph-diff .says").innerText();
    assert.match(says, /^13 operations added, 1 input or output; sizes 32 → s27 in 122 nodes and 2 others; /);
    assert.match(says, /10 are the same\.$/);
    assert.equal(await edits(page).count(), 5, "equal changes of layers are one");
    const six = (await edits(page).allInnerTexts()).find((text) => text.includes("×6"));
    assert.match(six, /×6 in transformer\.h\.0–2\.attn\.c_proj, transformer\.h\.0–2\.mlp\.c_proj\n/);
    await page.getByRole("button", { name: /^Show all/ }).click();
    await eventually(() => edits(page).count(), 14);
    const size = edits(page).nth(1);
    assert.match(
      await size.innerText(),
      /added\s+\+\s+size_6 = torch\.Size\(\[2, s27, 384\]\)\s+pytorch_utils\.py:120/,
    );
    await size.getByRole("link", { name: "size_6" }).click();
    await page.locator(".diff-row.at", { hasText: "size_6 = torch.Size" }).waitFor();
    const box = await page.locator(".diff-row.at").boundingBox();
    assert.ok(box.y > 100 && box.y < 700, JSON.stringify(box));
    assert.match(await page.locator(".diff-whole").innerText(), /size_6 = torch\.Size\(\[2, s27, 384\]\)/);
    await page.goBack();
    await eventually(() => edits(page).count(), 5);
  }));

test("the keyboard goes through the changes, opens one, and switches between graph and text", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/compare");
    await page.locator(".graph-diff .says").waitFor();
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    await eventually(() => page.evaluate(() => document.activeElement.textContent), "size_6");
    await page.keyboard.press("p");
    await eventually(() => page.evaluate(() => document.activeElement.textContent), "s27");
    await page.keyboard.press("n");
    await page.keyboard.press("Enter");
    await page.locator(".diff-row.at", { hasText: "size_6 = torch.Size" }).waitFor();
    await page.keyboard.press("d");
    await eventually(() => edits(page).count(), 5);
    assert.equal(await hash(page), "#/compare");
    await page.keyboard.press("d");
    await page.locator(".diff-row.changed").first().waitFor();
    await eventually(
      () => page.getByRole("button", { name: "Text", exact: true }).getAttribute("aria-pressed"),
      "true",
    );
  }));

test("a line that is equal in both texts is opened in its fold", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/passes?c=0/0&as=text&line=b100");
    await page.locator(".diff-row.at.same").waitFor();
    assert.match(await page.locator(".diff-row.at").innerText(), /\n100\s/);
    await page.keyboard.press("["); // another pass: the line says nothing there
    await eventually(() => hash(page).then((text) => /line=/.test(text)), false);
  }));

test("equal graphs say so, and hostile text stays text", () =>
  visit(reportOf("two-graphs", hostileGraphsLog), async (page, { open }) => {
    await open("index.html#/compare?a=0/0/0&b=0/1/0");
    await page.locator(".graph-edits .changed").first().waitFor();
    assert.match(await page.locator(".graph-edits").innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.equal(await page.locator("main img").count(), 0);
    await open("index.html#/compare?a=0/1/0&b=0/2/0");
    await page.locator(".chip", { hasText: "same graph" }).waitFor();
    assert.match(await page.locator(".graph-diff .says").innerText(), /^The graphs are the same: 1 operation\./);
  }));

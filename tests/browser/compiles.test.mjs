// The list of compiles: filter, sort, keyboard; its state stands in the address.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, rows, soon, visit } from "./lib/browser.mjs";
import { manyLog } from "./lib/log.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("recompiles");
const ids = async (page) =>
  (await page.locator(".grid-row a.chip").allInnerTexts()).map((text) => text.replace(/^\S+\s+/, "").trim());

test("filter by text and status", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/compiles");
    await room(page, "Compiles");
    await page.getByRole("searchbox").fill("by_shape");
    await eventually(() => ids(page), ["0/0", "0/1", "0/2"]);
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: /failed/ }).click();
    await eventually(() => ids(page), ["2/8", "8/2", "8/3"]);
    assert.equal(await page.getByRole("button", { name: /failed/ }).getAttribute("aria-pressed"), "true");
    await page.getByRole("searchbox").fill("no such thing");
    await page.getByText("No compile matches the filter").waitFor();
    await page.getByRole("button", { name: /Show all/ }).click();
    await eventually(async () => (await ids(page)).length > 20, true);
  }));

test("sort by a column, both ways", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/compiles?group=none");
    await page.getByRole("columnheader", { name: "Time" }).getByRole("button").click();
    await eventually(async () => (await ids(page))[0], "4/0");
    assert.equal(await page.getByRole("columnheader", { name: "Time" }).getAttribute("aria-sort"), "descending");
    await page.getByRole("columnheader", { name: "Time" }).getByRole("button").click();
    await eventually(() => hash(page), "#/compiles?group=none&sort=time");
    await eventually(async () => (await ids(page))[0] === "4/0", false);
  }));

test("filter and order survive a reload, and Back from a compile", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/compiles?group=none&q=by_scalar&sort=-time");
    await eventually(async () => (await ids(page)).length >= 8, true);
    const before = await ids(page);
    await page.reload();
    await eventually(() => ids(page), before);
    assert.equal(await page.getByRole("searchbox").inputValue(), "by_scalar");
    await rows(page).nth(2).click();
    await room(page, before[2]);
    await page.goBack();
    await eventually(() => ids(page), before);
    await page.goForward();
    await room(page, before[2]);
  }));

test("the keyboard: / filters, arrows and j k choose, Enter opens", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/compiles?group=none");
    await room(page, "Compiles");
    await page.keyboard.press("/");
    await page.keyboard.type("by_dtype");
    await eventually(() => ids(page), ["1/0", "1/1", "1/2"]);
    await page.keyboard.press("Escape"); // empties
    await page.keyboard.press("Escape"); // leaves
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("k");
    const chosen = await page.locator(".grid-row.on a.chip").innerText();
    const id = chosen.replace(/^\S+\s+/, "").trim();
    assert.equal(await page.locator(".grid-row.on").getAttribute("aria-selected"), "true");
    await page.keyboard.press("Enter");
    await room(page, id);
  }));

test("grouped by frame: heads have sums and fold, by click and by keyboard, and the address keeps it", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/compiles");
    const heads = page.locator(".grid-row.group");
    await eventually(async () => (await heads.count()) >= 5, true);
    assert.match(await heads.first().innerText(), /3 compiles[^]*by_shape/);
    await heads.first().click();
    await eventually(() => hash(page), "#/compiles?fold=0");
    await eventually(async () => (await ids(page)).includes("0/1"), false);
    await page.keyboard.press("ArrowRight");
    await eventually(async () => (await ids(page)).includes("0/1"), true);
    await page.getByRole("button", { name: "Fold all", exact: true }).click();
    await eventually(() => rows(page).count(), 10); // nine frames, and what is outside of them
    await page.reload();
    await eventually(() => rows(page).count(), 10); // nine frames, and what is outside of them
    await page.getByRole("button", { name: "by status" }).click();
    await eventually(() => hash(page), "#/compiles?group=status");
    await eventually(async () => (await heads.allInnerTexts()).some((text) => /3 compiles[^]*failed/.test(text)), true);
  }));

test("columns are chosen, and the table is copied as CSV", () =>
  visit(report, { permissions: ["clipboard-read", "clipboard-write"] }, async (page, { open }) => {
    await open("index.html#/compiles?q=by_shape&group=none");
    await page.locator("summary", { hasText: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Restarts", exact: true }).check();
    await page.getByRole("columnheader", { name: "Restarts" }).waitFor();
    await page.getByRole("checkbox", { name: "Why compiled" }).uncheck();
    await eventually(() => page.getByRole("columnheader", { name: "Why compiled" }).count(), 0);
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        window.copied = text;
      };
    });
    await page.getByRole("button", { name: "Copy CSV" }).click();
    await page.getByText("3 rows copied").waitFor();
    const copied = await page.evaluate(() => window.copied);
    assert.match(copied, /^Id,Frame,Restarts,Compile time \(µs\),Ops/);
    assert.match(copied, /^0\/2,by_shape [^,]+recompiles\.py:8,0,\d+,/m);
    assert.equal(copied.trim().split("\n").length, 4);
  }));

const sampleMany = () => reportOf("ten thousand", () => manyLog(10_000));

test("10,000 compiles: only the rows in view are in the document, filtered, grouped and sorted", () =>
  visit(sampleMany(), async (page, { open }) => {
    await open("index.html#/compiles");
    await room(page, "Compiles");
    assert.ok((await rows(page).count()) < 100);
    const made = JSON.parse(readFileSync(join(sampleMany(), "report.json"), "utf8")).compiles;
    const slowest = made.reduce((most, one) => (one.time_us > most.time_us ? one : most)).id;
    const top = () => rows(page).first().innerText();
    for (const [to, holds] of [
      ["?sort=-time&group=none", async () => assert.ok((await top()).includes(slowest), `${slowest} is the slowest`)],
      ["?sort=time&group=none", async () => assert.ok(!(await top()).includes(slowest))],
      [
        "?q=fn_1999&group=none",
        async () =>
          assert.equal(await rows(page).count(), made.filter((one) => /fn_1999/.test(one.frame?.function)).length),
      ],
      ["?group=status", async () => assert.match(await top(), /failed|compiled/)],
    ]) {
      await open(`index.html#/compiles${to}`);
      await soon(holds);
      assert.ok((await rows(page).count()) < 100, to);
    }
  }));

test("why a frame was compiled again is told by the value that changed", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/compiles?q=by_scalar");
    const row = page.locator(".grid-row", { has: page.locator("a.chip", { hasText: "2/1" }) });
    assert.match(await row.innerText(), /k: 0 → 1/);
    await page.getByRole("searchbox").fill("by_scalar k: →");
    await eventually(() => ids(page), ["2/1", "2/2", "2/3", "2/4", "2/5", "2/6", "2/7", "2/8"]); // of the last it is known what failed, not what came
  }));

test("columns that would be empty are left out, and can be had", () =>
  visit(report, async (page, { open }) => {
    const head = (name) => page.getByRole("columnheader", { name, exact: true });
    await open("index.html#/compiles");
    await head("Guards").waitFor();
    assert.equal(await head("Breaks").count(), 0);
    assert.equal(await head("Cache").count(), 1); // two compiles of this log asked a cache
    await page.locator("summary", { hasText: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Breaks" }).check();
    await head("Breaks").waitFor();
  }));

// The list of compiles: filter, sort, keyboard; its state stands in the address.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, eventually, hash, room, rows, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("recompiles");
const ids = async (page) => (await page.locator(".grid-row a.chip").allInnerTexts()).map((text) => text.replace(/^\S+\s+/, "").trim());

test("filter by text and status", () => visit(report, async (page, { open }) => {
  await open("index.html#/compiles");
  await room(page, "Compiles");
  await page.getByRole("searchbox").fill("by_shape");
  await eventually(() => ids(page), ["0/0", "0/1", "0/2"]);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: /failed/ }).click();
  await eventually(() => ids(page), ["2/8", "8/2", "8/3"]);
  assert.equal(await page.getByRole("button", { name: /failed/ }).getAttribute("aria-pressed"), "true");
  await page.getByRole("searchbox").fill("no such thing");
  await page.getByText("No compile fits the filter").waitFor();
  await page.getByRole("button", { name: /Show all/ }).click();
  await eventually(async () => (await ids(page)).length > 20, true);
}));

test("sort by a column, both ways", () => visit(report, async (page, { open }) => {
  await open("index.html#/compiles");
  await page.getByRole("columnheader", { name: "Time" }).getByRole("button").click();
  await eventually(async () => (await ids(page))[0], "4/0");
  assert.equal(await page.getByRole("columnheader", { name: "Time" }).getAttribute("aria-sort"), "descending");
  await page.getByRole("columnheader", { name: "Time" }).getByRole("button").click();
  await eventually(() => hash(page), "#/compiles?sort=time");
  await eventually(async () => (await ids(page))[0] === "4/0", false);
}));

test("filter and order survive a reload, and Back from a compile", () => visit(report, async (page, { open }) => {
  await open("index.html#/compiles?q=by_scalar&sort=-time");
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

test("the keyboard: / filters, arrows and j k choose, Enter opens", () => visit(report, async (page, { open }) => {
  await open("index.html#/compiles");
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

// Help: what a room is for and what its words mean, until it was read; the glossary; the keys.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("recompiles");
const help = (page) => page.locator(".roomhelp");
const ask = (page) => page.getByRole("button", { name: "What is this?" });

test("a room says what it is for, once; what was read stays folded after a reload", () => visit(report, async (page, { open }) => {
  await open("index.html#/recompiles");
  await room(page, "Recompiles");
  assert.match(await help(page).innerText(), /what changed since the nearest earlier version/);
  await help(page).locator("summary").click();
  assert.match(await help(page).innerText(), /A condition under which compiled code may be used again/);
  await help(page).getByRole("button", { name: "Got it" }).click();
  await eventually(() => help(page).count(), 0);
  await page.reload();
  await room(page, "Recompiles");
  assert.equal(await help(page).count(), 0);
  await ask(page).click();
  await eventually(() => help(page).count(), 1);
  assert.equal(await ask(page).getAttribute("aria-expanded"), "true");
}));

test("a room that was left counts as read, others do not", () => visit(report, async (page, { open }) => {
  await open("index.html#/log");
  await room(page, "Log");
  assert.equal(await help(page).count(), 1);
  await page.locator(".rooms").getByRole("link", { name: /^Stacks/ }).click();
  await room(page, "Stacks");
  assert.equal(await help(page).count(), 1);
  await page.goBack();
  await room(page, "Log");
  await eventually(() => help(page).count(), 0);
}));

test("all helps fold at once", () => visit(report, async (page, { open }) => {
  await open("index.html#/log");
  await help(page).getByRole("button", { name: "Fold all helps" }).click();
  await page.locator(".rooms").getByRole("link", { name: /^Files/ }).click();
  await room(page, "Files");
  assert.equal(await help(page).count(), 0);
}));

test("without a store in the browser the page works and remembers for itself", () => visit(report, async (page, { open }) => {
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get() { throw new Error("denied"); } }));
  await open("index.html#/log");
  await help(page).getByRole("button", { name: "Got it" }).click();
  await page.locator(".rooms").getByRole("link", { name: /^Files/ }).click();
  await room(page, "Files");
  await page.goBack();
  await room(page, "Log");
  assert.equal(await help(page).count(), 0);
}));

test("terms are found by search, and the search can be sent", () => visit(report, async (page, { open }) => {
  await open("index.html#/help");
  await room(page, "Help");
  await page.getByRole("searchbox").fill("unbacked");
  await eventually(() => hash(page), "#/help?q=unbacked");
  await eventually(async () => (await page.locator(".glossary dt").first().innerText()).includes("Dynamic shape"), true);
  await page.reload();
  await eventually(async () => (await page.locator(".glossary dt").first().innerText()).includes("Dynamic shape"), true);
  await page.getByRole("searchbox").fill("zzzz");
  await page.getByText("No entry has these words").waitFor();
  await page.getByRole("searchbox").fill("fx_graph_runnable");
  await page.locator(".glossary a", { hasText: "fx_graph_runnable" }).click();
  await room(page, "Files");
  assert.equal(await hash(page), "#/files?q=fx_graph_runnable");
}));

test("? shows the keys, Escape closes; artifacts say what they are on hover", () => visit(report, async (page, { open }) => {
  await open("index.html#/c/0%2F1");
  await room(page, "0/1");
  await page.keyboard.press("?");
  assert.match(await page.locator("dialog").innerText(), /down and up in a list/);
  await page.keyboard.press("Escape");
  await eventually(() => page.locator("dialog").count(), 0);
  assert.match(await page.locator(".artifacts a", { hasText: "dynamo_output_graph" }).first().getAttribute("title"), /captured from your Python code/);
}));

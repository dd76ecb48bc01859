// The room of the log: who makes it big.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { artifact, id, record } from "./lib/log.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const tiles = (page) => page.locator(".treemap .tile");
const names = (page) => tiles(page).evaluateAll((all) => all.map((tile) => tile.title));

async function log(page, open, query = "") {
  await open(`index.html#/log${query}`);
  await room(page, "Log");
  await tiles(page).first().waitFor();
}

test("areas by kind, as large as their bytes; a click leads to the artifacts of the kind", () => visit(sampleReport("gpt2"), async (page, { open }) => {
  await log(page, open);
  const kinds = JSON.parse(readFileSync(join(sampleReport("gpt2"), "report.json"), "utf8")).log.kinds.sort((a, b) => b.bytes - a.bytes);
  const areas = await tiles(page).evaluateAll((all) => all.map((tile) => { const r = tile.getBoundingClientRect(); return { title: tile.title, area: r.width * r.height }; }));
  const area = (kind) => areas.find((tile) => tile.title.startsWith(`${kind.name ?? kind.key}:`)).area;
  assert.ok(Math.abs(area(kinds[0]) / area(kinds[3]) / (kinds[0].bytes / kinds[3].bytes) - 1) < 0.05);
  await tiles(page).filter({ hasText: "inductor_output_code" }).click();
  await room(page, "Files");
  assert.match(await hash(page), /q=inductor_output_code/);
}));

test("by compile id, and by kind within compile ids; bytes or records", () => visit(sampleReport("training"), async (page, { open }) => {
  await log(page, open);
  const facts = JSON.parse(readFileSync(join(sampleReport("training"), "report.json"), "utf8")).log;
  await page.getByRole("button", { name: "by compile id" }).click();
  await eventually(async () => (await names(page))[0].startsWith(`${facts.by_compile[0].id}:`), true);
  assert.match(await hash(page), /by=compile/);
  await page.getByRole("button", { name: "records", exact: true }).click();
  const most = [...facts.by_compile].sort((a, b) => b.records - a.records)[0];
  await eventually(async () => (await names(page))[0].startsWith(`${most.id}: ${most.records}`), true);
  await page.getByRole("button", { name: "kinds within compile ids" }).click();
  await eventually(async () => (await names(page)).some((name) => name.startsWith(`${most.id}, chromium_event: `)), true);
  await page.reload();
  await eventually(async () => (await names(page)).some((name) => name.startsWith(`${most.id}, chromium_event: `)), true);
  await tiles(page).first().click();
  await eventually(async () => /#\/c\//.test(await hash(page)), true);
}));

test("what this version does not know is marked by a word, not by a colour alone", () => visit(reportOf("unknown-kind", () => [record({ brand_new: {}, ...id(0) }, "x".repeat(5000)), artifact("known", "y")].join("")), async (page, { open }) => {
  await log(page, open);
  assert.ok((await names(page)).some((name) => /^\? unknown kind: brand_new/.test(name)));
  assert.match(await page.locator("table.kinds").innerText(), /\? unknown\s+brand_new/);
}));

test("faults of a log keep their lines", () => visit(sampleReport("disk_full"), async (page, { open }) => {
  await log(page, open);
  const { faults } = JSON.parse(readFileSync(join(sampleReport("disk_full"), "report.json"), "utf8")).log;
  assert.ok(faults.length > 0);
  const row = page.locator(".panel", { hasText: "Faults" }).locator("tbody tr").first();
  assert.match(await row.innerText(), new RegExp(`^${faults[0].line.toLocaleString("en-US")}\\s+${faults[0].what}`));
}));

test("on a phone nothing stands out at the side", () => visit(sampleReport("gpt2"), { viewport: { width: 390, height: 844 } }, async (page, { open }) => {
  await log(page, open, "?by=both");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}));

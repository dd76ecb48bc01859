// Search over all artifacts: results as they come, expressions that would hang, the way to the line.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, test } from "node:test";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const hits = (page) => page.locator(".search-hit");
const said = (page) => page.locator("main .head .sub").innerText();

test("a text is found in all artifacts, grouped by compile, and a click leads to its line", () => visit(sampleReport("gpt2"), async (page, { open }) => {
  await open("index.html#/");
  await room(page, "Overview");
  await page.keyboard.press("/");
  await room(page, "Search");
  await page.keyboard.type("aten.embedding");
  await hits(page).first().waitFor();
  await eventually(() => said(page).then((text) => /searched$/.test(text)), true);
  assert.match(await said(page), /\d+ lines in \d+ artifacts? of \d+ compiles?/);
  assert.equal((await hits(page).first().locator("mark").innerText()).toLowerCase(), "aten.embedding");
  const line = (await hits(page).first().locator(".num").innerText()).replace(/\D/g, "");
  await hits(page).first().click();
  await eventually(() => hash(page).then((text) => text.endsWith(`?L=${line}`)), true);
  await page.locator(".cm-content", { hasText: "aten.embedding" }).waitFor();
}));

test("expression, case, name of the artifact and status narrow it, and stand in the address", () => visit(sampleReport("training"), async (page, { open }) => {
  await open("index.html#/search?q=aten%5C.%5Cw%2Bmm&re=1&in=aot_");
  await hits(page).first().waitFor();
  await eventually(() => said(page).then((text) => /searched$/.test(text)), true);
  for (const name of await page.locator(".search-artifact").allInnerTexts()) assert.match(name, /^aot_/);
  await page.getByLabel("match case").check();
  await page.getByLabel("Search all artifacts").fill("ATEN");
  await page.getByText("No artifact holds this text").waitFor();
  assert.match(await hash(page), /case=1/);
  await page.getByLabel("Search all artifacts").fill("(");
  await page.getByText("not a regular expression yet").waitFor();
}));

test("terms, functions and compile ids of that name are offered", () => visit(sampleReport("recompiles"), async (page, { open }) => {
  await open("index.html#/search?q=by_shape");
  await page.locator(".search-places a", { hasText: "by_shape" }).first().waitFor();
  await open("index.html#/search?q=guard");
  await page.locator(".search-places a", { hasText: "Guard" }).first().waitFor();
}));

const record = (name, text) => `V1122 12:00:00.000000 7 torch/a.py:1] {"artifact": {"name": "${name}", "encoding": "string"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "${createHash("md5").update(text).digest("hex")}"}\n\t${text}\n`;

test("an expression that would never end is ended, and the page says where", () => {
  const log = reportOf("runaway", () => record("bad", `${"a".repeat(60)}!`) + record("good", "ab <img src=x onerror=alert(1)>"));
  return visit(log, async (page, { open }) => {
    await open(`index.html#/search?re=1&q=${encodeURIComponent("^(a+)+(b|$)")}`);
    await page.getByText("took longer than 2 s in 1 text").waitFor();
    await eventually(() => hits(page).count(), 1);
    assert.match(await hits(page).first().innerText(), /<img/);
  });
});

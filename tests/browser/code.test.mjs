// Code: what lines and files of the program cost. The figures are those of report.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { profiledOnGpu, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const json = (report) => JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
const table = (page, name) => page.getByRole("table", { name, exact: true });
const plain = (text) => text.replaceAll("\u00a0", " ");

test("the navigation leads to the lines of the program, the most expensive first", () => {
  const report = profiledOnGpu("gpu_profile_breaks");
  const own = json(report).lines.filter((line) => !line.library);
  const first = own.reduce((a, b) => (b.run_us > a.run_us ? b : a));
  return visit(report, async (page, { open }) => {
    await open("index.html");
    await page.getByRole("link", { name: /^Code/ }).click();
    await room(page, "Code");
    const text = plain(await table(page, "Lines").locator("tbody tr").first().innerText());
    assert.ok(text.includes(`gpu_profile_breaks.py:${first.line}`) && text.includes(first.text.slice(0, 20)), text);
    assert.ok(text.includes(`${first.run_us} µs`), text);
    assert.equal(await table(page, "Lines").locator("tbody tr").count(), own.length);
  });
});

test("a file shows its lines only, and libraries can be shown", () => {
  const report = sampleReport("recompiles");
  const { lines } = json(report);
  const library = lines.filter((line) => line.library);
  return visit(report, async (page, { open }) => {
    await open("index.html#/code");
    await room(page, "Code");
    const [file] = lines.filter((line) => !line.library).map((line) => line.file);
    await table(page, "Files").getByRole("button", { name: file }).click();
    await eventually(async () => assert.match(await hash(page), /file=/));
    await page.getByRole("button", { name: "all files" }).click();
    await eventually(async () => assert.doesNotMatch(await hash(page), /file=/));
    const toggle = page.getByRole("button", { name: "Libraries" });
    assert.equal(await toggle.count(), library.length ? 1 : 0);
    await page.getByRole("searchbox", { name: "Filter file, line, code" }).fill("x * k");
    await eventually(async () => assert.equal(await table(page, "Lines").locator("tbody tr").count(), 1));
    const row = plain(await table(page, "Lines").locator("tbody tr").first().innerText());
    assert.match(row, /recompiles\.py:20/);
  });
});

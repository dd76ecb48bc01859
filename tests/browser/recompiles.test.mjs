// Recompiles: what changed from version to version, how they compare, what to do.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { folderReport, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("recompiles");
const card = (page, name) => page.locator(".card", { has: page.locator("h2", { hasText: new RegExp(`^${name}$`) }) });
const version = (page, frame, id) =>
  card(page, frame).locator(".versions tbody tr", { has: page.locator("a.chip", { hasText: id }) });

test("each version says what changed since the nearest one", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/recompiles");
    await room(page, "Recompiles");
    const second = version(page, "by_shape", "0/2");
    assert.match(await page.locator("header.head").innerText(), /19 recompiles of 9 frames, 3 refused/);
    assert.match(await second.innerText(), /x\.size\(\)\[0\] 3→4 since 0\/1\./);
    await second.locator("summary").click();
    assert.match(
      await second.locator("details").innerText(),
      /1 other version rejected[^]*0\/0 tensor 'x' size mismatch at index 0\. expected 2, actual 4/,
    );
    assert.match(
      await version(page, "by_dtype", "1/1").innerText(),
      /x\.dtype torch\.float32→torch\.float64 since 1\/0/,
    );
    assert.match(await version(page, "by_scalar", "2/3").innerText(), /k 2→3 since 2\/2/);
    assert.match(await version(page, "by_scalar", "2/3").innerText(), /recompiles\.py:20/);
    assert.match(
      await version(page, "by_scalar", "2/8").innerText(),
      /k 7→not in the log[^]*Not compiled: the recompile limit was reached/,
    );
    assert.match(
      await version(page, "by_global", "3/1").innerText(),
      /G\['SCALE'\] 2\.0→3\.0 since 3\/0, now dynamic \(zf37\)/,
    );
    assert.match(
      await version(page, "by_automatic_dynamic", "4/1").innerText(),
      /x\.size\(\)\[0\] 4→5 since 4\/0, now dynamic \(s77\)\./,
    );
    assert.match(await version(page, "by_grad_mode", "6/2").innerText(), /x\.requires_grad False→True since 6\/0/); // 6/1 differs in two
  }));

test("the page of a compile says the same, with the text of the log below", () =>
  visit(report, async (page, { open }) => {
    const panel = (title) => page.locator("section.panel", { has: page.locator("h2", { hasText: title }) });
    await open("index.html#/c/6%2F2");
    const again = panel("Recompile reason");
    assert.match(await again.innerText(), /x\.requires_grad False→True since 6\/0\.[^]*1 other version rejected/);
    assert.equal(await again.getByText("requires_grad mismatch. expected").isVisible(), false);
    await again.getByText("recompile_reasons in the log").click();
    await again.getByText("requires_grad mismatch. expected").waitFor();
    assert.match(await page.locator("aside").first().innerText(), /guards\s+6\s+guard_count\s+8 of Dynamo/);
    await again.getByRole("link", { name: "all versions" }).click();
    await eventually(() => page.locator(".card.on h2").innerText(), "by_grad_mode");
    await open("index.html#/c/2%2F8"); // the limit refused it
    assert.match(
      await panel("No version matched").innerText(),
      /k 7→not in the log since 2\/7\. Not compiled: the recompile limit was reached\./,
    );
    assert.match(await page.locator("header.head").innerText(), /no version matched: k: 7/);
    await open("index.html#/c/0%2F0");
    await page.locator("aside").getByText("Versions", { exact: true }).waitFor();
    assert.equal(await page.getByText(/Recompile reason|No version matched/).count(), 0);
  }));

test("what repeats, the limit, and advice with its evidence", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/recompiles");
    const scalar = card(page, "by_scalar");
    assert.match(await scalar.locator(".flaps").innerText(), /k caused 7 of 7 recompiles: 0 → 1 → 2/);
    assert.match(
      await scalar.locator(".advice").last().innerText(),
      /recompile_limit = 8[^]*Evidence: compilation_metrics of 2\/8/,
    );
    assert.match(await scalar.locator("header").innerText(), /recompile limit 8[^]*8 versions, 1 refused/);
    assert.match(await card(page, "by_shape").locator(".advice").innerText(), /automatic_dynamic_shapes is off/);
    assert.match(
      await card(page, "by_automatic_dynamic").locator(".advice").innerText(),
      /mark_dynamic\(x, 0\)[^]*TORCH_COMPILE_DYNAMIC_SOURCES="[^"]*L\['x'\]:0[^"]*"[^]*Evidence: recompile_reasons of 4\/1; create_symbol of 4\/1 \(s77\)/,
    );
    assert.match(
      await version(page, "by_grad_mode", "6/1").innerText(),
      /grad_mode True→False since 6\/0\. One version with gradients and one without are expected\. To avoid the second/,
    );
    assert.match(
      await card(page, "by_type").locator(".advice").innerText(),
      /^Fix: Pass opts\['bias'\] as the same type in every call/,
    );
  }));

test("versions can be compared: graphs and guards", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/recompiles?q=by_shape");
    const links = version(page, "by_shape", "0/1").locator(".compare a");
    await eventually(() => links.count(), 2);
    assert.match(await links.first().getAttribute("href"), /^#\/compare\?a=0%2F0%2F\d+&b=0%2F1%2F\d+$/);
  }));

test("the filter survives a reload, and a chain has an address", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/recompiles");
    await page.getByRole("searchbox").fill("by_d");
    await eventually(() => page.locator(".card").count(), 1);
    await page.reload();
    await eventually(() => page.locator(".card").count(), 1);
    assert.equal(await hash(page), "#/recompiles?q=by_d");
    await open("index.html#/recompiles?n=3");
    await eventually(() => page.locator(".card.on h2").innerText(), "by_global");
  }));

test("a compile that failed is no version", () =>
  visit(folderReport("compiler_collective"), async (page, { open }) => {
    await open("rank_0/index.html#/recompiles");
    await room(page, "Recompiles");
    assert.match(await page.locator(".card header").first().innerText(), /0 versions, 3 failed/);
  }));

test("on a phone a version is a block: nothing has to be scrolled sideways", () =>
  visit(sampleReport("recompiles"), { viewport: { width: 400, height: 1200 } }, async (page, { open }) => {
    await open("index.html#/recompiles");
    await room(page, "Recompiles");
    await version(page, "by_shape", "0/1").getByRole("link", { name: "graphs" }).waitFor();
    const wide = await page
      .locator(".tablebox")
      .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).length);
    assert.equal(wide, 0);
    assert.ok(await version(page, "by_shape", "0/1").getByText("33.4").isVisible(), "the compile time is in view");
  }));

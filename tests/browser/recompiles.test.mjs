// Recompiles: what failed, what it had and has, how neighbours differ, what to do.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("recompiles");
const card = (page, name) => page.locator(".card", { has: page.locator("h2", { hasText: new RegExp(`^${name}$`) }) });
const step = (page, frame, id) => card(page, frame).locator(".chainsteps > li", { has: page.locator("a.chip", { hasText: id }) });

test("each step says which guard failed, what it had and has", () => visit(report, async (page, { open }) => {
  await open("index.html#/recompiles");
  await room(page, "Recompiles");
  const second = step(page, "by_shape", "0/2");
  assert.match(await second.innerText(), /size of x, dimension 0\s+3 → 4/);
  assert.match(await second.innerText(), /l_x_\s+\[3\] → \[4\]/);
  await second.locator("summary").click();
  assert.match(await second.locator("details").innerText(), /0\/0 size of x, dimension 0\s+2 → 4/);
  assert.match(await step(page, "by_dtype", "1/1").innerText(), /dtype of x\s+Float → Double/);
  // what a Python value became is told by the next compile; of the last one nobody knows
  assert.match(await step(page, "by_scalar", "2/3").innerText(), /value of k\s+2 → 3/);
  assert.match(await step(page, "by_scalar", "2/3").innerText(), /recompiles\.py:20/);
  assert.match(await step(page, "by_global", "3/1").innerText(), /2\.0 → not in the log/);
  assert.match(await step(page, "by_automatic_dynamic", "4/1").innerText(), /\[4, 3\] → \[s77, 3\]/);
}));

test("the guard that flaps, the limit, and advice by kind of guard", () => visit(report, async (page, { open }) => {
  await open("index.html#/recompiles");
  const scalar = card(page, "by_scalar");
  assert.match(await scalar.locator(".flaps").innerText(), /value of k \(8 of 8 recompiles\) 0 → 1 → 2/);
  assert.match(await scalar.locator(".advice").innerText(), /Pass it as a tensor[^]*recompile_limit/);
  assert.match(await card(page, "by_shape").locator(".advice").innerText(), /mark_dynamic\(x, 0\)[^]*TORCH_COMPILE_DYNAMIC_SOURCES="L\['x'\]"[^]*here it did not/);
  assert.match(await card(page, "by_automatic_dynamic").locator(".advice").innerText(), /may be the last/);
  assert.match(await card(page, "by_grad_mode").locator(".advice").innerText(), /global mode of PyTorch/);
  assert.equal(await card(page, "by_type").locator(".flaps").count(), 0); // an older version's guard fails each time anew
}));

test("neighbours can be compared: graphs and guards", () => visit(report, async (page, { open }) => {
  await open("index.html#/recompiles?q=by_shape");
  const links = step(page, "by_shape", "0/1").locator(".compare a");
  await eventually(() => links.count(), 2);
  assert.match(await links.first().getAttribute("href"), /^#\/compare\?a=0%2F0%2F\d+&b=0%2F1%2F\d+$/);
}));

test("the filter survives a reload, and a chain has an address", () => visit(report, async (page, { open }) => {
  await open("index.html#/recompiles");
  await page.getByRole("searchbox").fill("by_d");
  await eventually(() => page.locator(".card").count(), 1);
  await page.reload();
  await eventually(() => page.locator(".card").count(), 1);
  assert.equal(await hash(page), "#/recompiles?q=by_d");
  await open("index.html#/recompiles?n=3");
  await eventually(() => page.locator(".card.on h2").innerText(), "by_global");
}));

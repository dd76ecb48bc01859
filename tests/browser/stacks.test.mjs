// The stack tree: where in the program compiles start.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, room, visit } from "./lib/browser.mjs";
import { fileReport, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const rowsOf = (page) => page.locator(".tree-row");

test("a folded row names the line of the user's program, and unfolds to it", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/stacks");
    await room(page, "Stacks");
    await eventually(() => rowsOf(page).count(), 2);
    const first = await rowsOf(page).first().innerText();
    assert.match(first, /wrapper[^]*generic\.py:937[^]*from[^]*gpt2\.py:15[^]*step\(input_ids=ids/);
    await rowsOf(page).first().getByRole("button", { name: "+1" }).click();
    await eventually(() => rowsOf(page).count(), 3);
    assert.match(await rowsOf(page).first().innerText(), /<module>[^]*gpt2\.py:15/);
    assert.equal(await rowsOf(page).nth(1).locator(".from").count(), 0);
  }));

test("with frames of libraries the line that is nearest and the user's is still named", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/stacks?fw=1");
    await room(page, "Stacks");
    assert.match(await rowsOf(page).first().locator(".from").innerText(), /gpt2\.py:15/);
  }));

test("a method has its class, where compiles of it begin, and is found by it", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/stacks");
    await room(page, "Stacks");
    const names = async () =>
      (await rowsOf(page).locator(".fn").allInnerTexts()).filter((name) => /forward/.test(name));
    // line 56 calls Block.forward: no compile begins there, so the log does not say whose forward it is
    assert.deepEqual(await names(), [
      "Net.forward",
      "forward",
      "Block.forward",
      "torch_dynamo_resume_in_forward_at_46 (Block)",
      "torch_dynamo_resume_in_forward_at_56 (Net)",
    ]);
    await page.getByRole("searchbox").fill("block.forward");
    await eventually(names, ["Block.forward"]);
    await open("index.html#/stacks?view=flame&q=block.forward");
    await page.locator(".flame-path", { hasText: "1 bar found" }).waitFor();
  }));

test("on a phone a frame of many compiles keeps its name and its time", () =>
  visit(sampleReport("recompiles"), { viewport: { width: 400, height: 900 } }, async (page, { open }) => {
    await open("index.html#/stacks");
    await room(page, "Stacks");
    const row = rowsOf(page).filter({ hasText: "by_scalar" });
    await row.waitFor();
    const right = await row.locator(".num").evaluate((time) => time.getBoundingClientRect().right);
    assert.ok(right <= 400, `the time ends at ${right}`);
    assert.ok(await row.locator(".fn").evaluate((name) => name.getBoundingClientRect().width > 50));
  }));

test("a frame without a caller in dynamo_start is below the one that another record has", () =>
  visit(fileReport("../corpus/flex_masks"), async (page, { open }) => {
    await open("index.html#/stacks");
    await room(page, "Stacks");
    await eventually(() => rowsOf(page).count(), 3);
    const texts = await rowsOf(page).allInnerTexts();
    assert.match(texts[0], /0\/0[^]*0\/1/);
    assert.doesNotMatch(texts[0], /flex_masks|create_symbol/);
    assert.match(texts[1], /0\/2[^]*0\/3[^]*from[^]*flex_masks\.py:21[^]*caller from create_symbol/);
    assert.match(texts[2], /0\/4[^]*from[^]*flex_masks\.py:22[^]*caller from create_symbol/);
    await open("index.html#/c/0%2F2");
    await room(page, "0/2");
    await page.getByText("The frames above the compiled one are those of create_symbol.").waitFor();
  }));

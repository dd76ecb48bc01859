// The stack tree: where in the program compiles start.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, eventually, room, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

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

// The drawing of a graph: opened beside its text, searched, walked through by keys, cut down to a neighbourhood, sent as an address.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, viewer, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);

async function openDrawing(page, open, compile, name) {
  await open(`index.html#/c/${encodeURIComponent(compile)}`);
  await page.locator(".artifacts").getByRole("link", { name }).first().click();
  await viewer(page);
  await page.getByRole("button", { name: "Drawing", exact: true }).click();
  await ready(page);
}

const ready = (page) => page.locator('.drawing-box[data-state="ready"]').waitFor({ timeout: 60_000 });
const panel = (page) => page.locator(".graph-panel");
const nodeName = (page) => panel(page).locator(".name").innerText();
const counted = (page) => page.locator(".drawing-count").innerText();

/** How many colors other than the background the canvas shows: a picture, not an empty box. */
const colors = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".drawing-box canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  });

test("gpt2: the drawing loads its bundle when it is asked for, finds a node, and leads to the text and back", () =>
  visit(sampleReport("gpt2"), async (page, { open, requests }) => {
    await open(`index.html#/c/${encodeURIComponent("0/0")}`);
    await page
      .locator(".artifacts")
      .getByRole("link", { name: /aot_forward_graph/ })
      .last()
      .click();
    await viewer(page);
    assert.ok(!requests.some((url) => /drawing\.js/.test(url)), "not loaded before it is asked for");
    await page.getByRole("button", { name: "Drawing", exact: true }).click();
    await ready(page);
    assert.ok(requests.some((url) => /drawing\.js/.test(url)));
    await eventually(async () => (await colors(page)) > 5, true);
    await page.getByRole("searchbox", { name: /Find a node/ }).fill("addmm f32");
    const found = Number(/\d+/.exec(await panel(page).getByRole("heading", { name: /Found/ }).innerText())[0]);
    assert.ok(found > 3);
    await page.keyboard.press("Enter");
    await eventually(async () => /^addmm/.test(await nodeName(page)), true);
    const text = await panel(page).innerText();
    assert.match(
      text,
      /torch\.ops\.aten\.addmm\.default[^]*dtype\s+float32[^]*shape\s+\[\d+, \d+\][^]*stride\s+\[\d+, 1\][^]*device\s+cpu[^]*from[^]*\.py:\d+[^]*Inputs 3[^]*Users \d/,
    );
    const name = await nodeName(page);
    await page.reload();
    await ready(page);
    assert.equal(await nodeName(page), name);
    await panel(page)
      .getByRole("button", { name: /Show line/ })
      .click();
    await page.locator(".cm-value-def").waitFor();
    assert.equal(await page.locator(".cm-value-def").innerText(), name);
    await panel(page).getByRole("button", { name: "Show drawing" }).click();
    await ready(page);
    assert.equal(await nodeName(page), name);
  }));

test("gpt2: a neighbourhood is in the address, follows the chosen node, and gives way to the whole graph", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await openDrawing(page, open, "0/0", /aot_backward_graph/);
    const whole = await counted(page);
    await page.getByRole("searchbox", { name: /Find a node/ }).fill("mm_5");
    await panel(page).getByRole("button", { name: /mm_5 / }).first().click();
    await eventually(() => nodeName(page), "mm_5");
    await panel(page).getByRole("button", { name: "1 step" }).click();
    await eventually(async () => /near=1/.test(await hash(page)), true);
    await ready(page);
    assert.match(await counted(page), /^4 of 506 nodes · 3 edges$/);
    await page.reload();
    await ready(page);
    assert.match(await counted(page), /^4 of /);
    await panel(page).getByRole("button", { name: "3 steps" }).click();
    await eventually(async () => Number(/^\d+/.exec(await counted(page))[0]) > 4, true);
    await page.getByRole("button", { name: "Draw all" }).click();
    await eventually(() => counted(page), whole);
  }));

test("training: joint, forward and backward graphs are drawn; arrow keys go along the arrows and say where they are", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    for (const [name, inputs] of [
      [/aot_joint_graph/, /primals_1/],
      [/aot_forward_graph(?!_fw)/, /primals_1/],
      [/aot_backward_graph/, /tangents_1/],
    ]) {
      await openDrawing(page, open, "0/0", name);
      assert.match(await panel(page).innerText(), inputs);
      assert.match(await panel(page).innerText(), /output/);
      await eventually(async () => (await colors(page)) > 5, true);
    }
    const box = page.locator(".drawing-box");
    await panel(page)
      .getByRole("button", { name: /tangents_1/ })
      .click();
    await box.focus();
    await page.keyboard.press("ArrowDown");
    await eventually(async () => (await nodeName(page)) !== "tangents_1", true);
    const user = await nodeName(page);
    const reads = panel(page).locator("ul").first();
    assert.match(await reads.innerText(), /tangents_1/);
    await eventually(async () => (await page.locator(".drawing-body [aria-live]").innerText()).startsWith(user), true);
    await page.keyboard.press("ArrowUp");
    await eventually(() => nodeName(page), "tangents_1");
    await page.keyboard.press("Escape");
    await panel(page)
      .getByRole("heading", { name: /^Nodes/ })
      .waitFor();
  }));

test("higher_order: subgraphs are drawn by themselves, from the node that names them or from the list", () =>
  visit(sampleReport("higher_order"), async (page, { open }) => {
    await openDrawing(page, open, "0/0", /dynamo_output_graph/);
    const list = page.getByRole("combobox", { name: "Graph" });
    assert.equal((await list.locator("option").allInnerTexts()).join(" "), "GraphModule cond_true_0 cond_false_0");
    assert.match(await counted(page), /^9 nodes · 9 edges$/);
    await panel(page)
      .getByRole("button", { name: /cond_true_0/ })
      .first()
      .click();
    await panel(page).getByRole("button", { name: "Draw subgraph" }).click();
    await ready(page);
    await eventually(async () => /sin/.test(await panel(page).innerText()), true);
    await list.selectOption("cond_false_0");
    await eventually(async () => /cos[^]*mul/.test(await panel(page).innerText()), true);
    await page.reload();
    await ready(page);
    assert.match(await panel(page).innerText(), /cos[^]*mul/);
  }));

test("vllm_like: a click on the picture chooses a node, wheel and buttons zoom, a second click opens the text", () =>
  visit(sampleReport("vllm_like"), async (page, { open }) => {
    await open(`index.html#/c/${encodeURIComponent("0/0")}/3?d=1`);
    await page.getByText("vllm_piecewise_split_graph").first().waitFor();
    await ready(page);
    const box = await page.locator(".drawing-box").boundingBox();
    const before = await shot(page);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -300);
    await eventually(async () => (await shot(page)) !== before, true);
    await page.getByRole("button", { name: "Fit" }).click();
    await page.locator(".graph-panel li button").nth(1).click();
    const chosen = await nodeName(page);
    await page.getByRole("button", { name: "Node", exact: true }).click();
    await panel(page).getByRole("button", { name: "Deselect" }).click();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await eventually(() => nodeName(page), chosen);
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator(".cm-value-def").waitFor();
  }));

test("a browser without workers draws small graphs, and of large ones the neighbourhood of a node", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await page.addInitScript(() => {
      window.Worker = class {
        constructor() {
          throw new Error("refused");
        }
      };
    });
    await openDrawing(page, open, "0/0", /dynamo_output_graph/);
    await eventually(async () => (await colors(page)) > 5, true);
    await page
      .locator(".artifacts")
      .getByRole("link", { name: /aot_joint_graph/ })
      .click();
    await page.getByRole("button", { name: "Drawing", exact: true }).click();
    await page.getByText(/nodes are too many to draw/).waitFor();
    await page.getByRole("searchbox", { name: /Find a node/ }).fill("tangents_1");
    await panel(page)
      .getByRole("button", { name: /tangents_1/ })
      .first()
      .click();
    await panel(page).getByRole("button", { name: "2 steps" }).click();
    await ready(page);
    await eventually(async () => (await colors(page)) > 5, true);
  }));

test("on a phone it is one column without scrolling sideways, and the text has its marks in the dark", () =>
  visit(
    sampleReport("higher_order"),
    { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
    async (page, { open }) => {
      await open(`index.html#/c/${encodeURIComponent("0/0")}/0?d=1`);
      await ready(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
      const box = await page.locator(".drawing-box").boundingBox();
      assert.ok(box.height > 200 && box.width > 350);
      await eventually(async () => (await colors(page)) > 5, true);
    },
  ));

const shot = (page) => page.evaluate(() => document.querySelector(".drawing-box canvas").toDataURL());

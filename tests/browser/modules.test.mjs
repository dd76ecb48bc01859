// Modules: the nn.Modules of a compile, with equal siblings folded. The figures are those of report.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, rows, soon, visit } from "./lib/browser.mjs";
import { modulesLog } from "./lib/log.mjs";
import { profiledReport, reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const json = (report) => JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
const modulesIn = (report, compile) => json(report).modules.filter((module) => module.compile === compile);
/** The compile with the most operations, which the page shows first. */
const usual = (report) => json(report).modules.reduce((most, one) => (one.ops > most.ops ? one : most)).compile;
const number = (n) => n.toLocaleString("en-US");
const gpt2 = sampleReport("gpt2");
const first = usual(gpt2);
const modules = modulesIn(gpt2, first);
const sub = async (page) => (await page.locator(".head .sub").innerText()).replace(/\s+/g, " ");

/** What the rows say, without the signs of buttons. */
const texts = async (page) =>
  (await rows(page).allInnerTexts()).map((text) =>
    text
      .replace(/[▸▾]/g, "")
      .trim()
      .split(/\s*\n\s*/),
  );
const names = async (page) => (await texts(page)).map(([name]) => name.replace(/\s*×.*/, ""));
const row = (page, name) => page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
const panel = (page) => page.locator(".sidepanel");

test("the navigation leads to the compile with the most operations; folded layers open", () =>
  visit(gpt2, async (page, { open }) => {
    await open("index.html");
    await page.getByRole("link", { name: /^Modules/ }).click();
    await room(page, "Modules");
    const { time_us: us } = json(gpt2).compiles.find((one) => one.key === first);
    await eventually(
      () => sub(page),
      `${modules.length} modules of ✓ ${first} · compile time ${(us / 1e6).toFixed(1)} s`,
    );
    const layers = modules.filter(({ name }) => /^transformer\.h\.\d+$/.test(name));
    const folded = row(page, `0 … ${layers.length - 1}`);
    const sum = (key) => number(layers.reduce((n, layer) => n + layer[key], 0));
    const cells = await folded.getByRole("gridcell").allInnerTexts();
    assert.ok(cells[0].includes(`×${layers.length}`), cells[0]);
    assert.ok(cells.includes(sum("parameters")) && cells.includes(sum("ops")), cells.join());
    await folded.getByRole("button", { name: /^Open/ }).click();
    await eventually(() => folded.getAttribute("aria-expanded"), "true");
    await eventually(async () => (await names(page)).filter((name) => /^\d+$/.test(name)).length, layers.length);
    const [root] = modules;
    const [top] = await texts(page);
    for (const key of ["parameters", "ops", "kernels", "guards"]) assert.ok(top.includes(number(root[key])), key);
    assert.ok(top.includes(root.class.split(".").at(-1)));
    assert.ok(top.includes(`${(root.compile_us / 1e6).toFixed(1)}\u00a0s`), "compile time of the root");
    const below = page
      .locator(".grid-row")
      .nth(1)
      .getByTitle("PyTorch records the time of a compile, not of the modules in it");
    assert.equal(await below.innerText(), "–");
    const note = page.locator(".modules-note");
    if (root.exact_ops < root.ops)
      assert.match(await note.innerText(), new RegExp(`^${root.exact_ops} of ${root.ops} operations`));
    else assert.equal(await note.count(), 0);
  }));

test("another compile is chosen, and stays in the address", () =>
  visit(gpt2, async (page, { open }) => {
    await open("index.html#/modules?module=transformer.wte");
    await panel(page).waitFor();
    const other = json(gpt2).modules.find(({ compile }) => compile !== first).compile;
    const chosen = page.getByLabel("Compile", { exact: true });
    await chosen.selectOption(other);
    await eventually(() => hash(page), `#/modules?compile=${encodeURIComponent(other)}`);
    await page.reload();
    await room(page, "Modules");
    assert.equal(await chosen.inputValue(), other);
    assert.ok((await sub(page)).includes(other));
  }));

test("a filter shows matches with what is above them", () =>
  visit(gpt2, async (page, { open }) => {
    await open("index.html#/modules");
    await room(page, "Modules");
    const matching = modules.filter(({ name }) => name.endsWith("c_attn"));
    await page.getByRole("searchbox", { name: "Filter name, class" }).fill("c_attn");
    await eventually(async () => (await names(page)).filter((name) => name === "c_attn").length, matching.length);
    assert.ok((await names(page)).includes("transformer") && !(await names(page)).includes("wte"));
    assert.match(await sub(page), new RegExp(`^${matching.length} of `));
    await page.getByRole("searchbox", { name: "Filter name, class" }).fill("no such module");
    await page.getByText("No module matches the filter").waitFor();
    await page.getByRole("button", { name: /^Show all/ }).click();
    await eventually(async () => (await names(page)).includes("wte"), true);
  }));

test("columns sort siblings", () =>
  visit(gpt2, async (page, { open }) => {
    await open("index.html#/modules");
    await room(page, "Modules");
    await page.getByRole("button", { name: "Guards" }).click();
    await eventually(() => hash(page), "#/modules?sort=-guards");
    const below = modules.filter(({ name }) => /^transformer\.\w+$/.test(name));
    const wanted = below.sort((a, b) => b.guards - a.guards).map(({ name }) => name.slice("transformer.".length));
    await eventually(async () => (await names(page)).filter((name) => wanted.includes(name)), wanted);
    assert.deepEqual((await names(page)).slice(0, 2), ["L['self']", "transformer"]);
  }));

test("the keyboard walks and opens the tree, and selects a module", () =>
  visit(gpt2, async (page, { open }) => {
    await open("index.html#/modules");
    await room(page, "Modules");
    await rows(page).first().waitFor();
    const active = () => page.locator(".grid-row.on .name > span.cutoff").innerText();
    const press = async (key, then) => {
      await page.keyboard.press(key);
      await eventually(active, then, key);
    };
    await press("ArrowDown", "L['self']");
    await press("ArrowRight", "transformer");
    await press("ArrowLeft", "transformer"); // closes it
    await eventually(async () => (await names(page)).includes("wte"), false);
    await press("ArrowLeft", "L['self']");
    await press("End", "lm_head");
    await press("ArrowUp", "transformer");
    await page.keyboard.press("ArrowRight");
    await eventually(async () => (await names(page)).includes("wte"), true);
    await press("ArrowRight", "wte");
    const grid = page.getByRole("treegrid", { name: "Modules" });
    assert.ok(await grid.evaluate((element) => element === document.activeElement));
    assert.equal(await page.locator(".grid-row.on").getAttribute("aria-level"), "3");
    await page.keyboard.press("Enter");
    await eventually(() => hash(page), `#/modules?compile=${encodeURIComponent(first)}&module=transformer.wte`);
    await panel(page).getByRole("heading", { name: "transformer.wte" }).waitFor();
    await press("Home", "L['self']");
  }));

test("an address opens a module in the tree, with its operations, which lead into the graph", () =>
  visit(gpt2, async (page, { open }) => {
    const module = modules.find(({ name }) => name === "transformer.h.1.mlp.c_fc");
    await open(`index.html#/modules?module=${module.name}`);
    await soon(async () => assert.equal(await page.locator(".grid-row.on").getAttribute("aria-level"), "7"));
    const text = await panel(page).innerText();
    for (const said of [module.class, `${number(module.parameters)}, `, "transformer.h.1.mlp"])
      assert.ok(text.includes(said), `${said} in ${text}`);
    const listed = await panel(page).locator(".names > *").allInnerTexts();
    assert.deepEqual(listed, [...module.exact_nodes, ...module.nodes_within]);
    await panel(page).locator(".names a").first().click();
    await page.locator(".graph-panel .name", { hasText: listed[0] }).waitFor();
    await page.goBack();
    await panel(page).getByRole("link", { name: "transformer.h.1.mlp", exact: true }).click();
    await panel(page).getByRole("heading", { name: "transformer.h.1.mlp", exact: true }).waitFor();
    await panel(page).getByRole("link", { name: "Close" }).click();
    await eventually(() => panel(page).count(), 0);
  }));

test("the drawing of a graph has boxes by module, and its nodes lead to their modules", () =>
  visit(gpt2, async (page, { open }) => {
    const module = modules.find(({ name }) => name === "transformer.h.1.attn");
    await open(`index.html#/modules?module=${module.name}`);
    await panel(page).getByRole("link", { name: "Drawing by module" }).click();
    await page.locator(".drawing-box[data-state=ready]").waitFor();
    const boxes = page.getByLabel("Boxes by module");
    assert.equal(await boxes.inputValue(), "4");
    assert.match(await hash(page), new RegExp(`v=${module.exact_nodes[0]}$`));
    await boxes.selectOption("0");
    await eventually(async () => /box=/.test(await hash(page)), false);
    await boxes.selectOption("3");
    await eventually(async () => /box=3/.test(await hash(page)), true);
    await page.locator(".graph-panel").getByRole("link", { name: module.name, exact: true }).click();
    await panel(page).getByRole("heading", { name: module.name, exact: true }).waitFor();
  }));

test("without guards there are names only, and the page says so", () =>
  visit(
    reportOf("modules without guards", () => modulesLog(3, { guards: false })),
    async (page, { open }) => {
      await open("index.html#/modules");
      await room(page, "Modules");
      assert.equal(await page.locator(".modules-note").innerText(), "The log has no guards that name classes.");
      for (const name of ["Class", "Guards", "Buffers", "Run time"])
        assert.equal(await page.getByRole("columnheader", { name }).count(), 0, name);
      assert.deepEqual(await names(page), "L['self'],h,0,attn,q,k,v,fc,1,attn,q,k,v,fc,2,attn,q,k,v,fc".split(","));
    },
  ));

test("run times are those of the profile; a log without modules says why", async () => {
  const report = profiledReport("huggingface");
  const most = Math.max(...json(report).modules.map(({ run_us: us }) => us));
  assert.ok(most > 1e6);
  await visit(report, async (page, { open }) => {
    await open("index.html#/modules");
    await page.getByRole("columnheader", { name: "Run time" }).waitFor();
    await soon(async () => assert.ok((await texts(page))[0].includes(`${(most / 1e6).toFixed(2)}\u00a0s`)));
  });
  await visit(sampleReport("recompiles"), async (page, { open }) => {
    await open("index.html#/modules");
    await page.getByText("No guard or tensor of the log names an nn.Module").waitFor();
  });
});

test("10,000 modules: only the rows in view are in the document; all that is open is printed", () =>
  visit(
    reportOf("ten thousand modules", () => modulesLog(1429)),
    async (page, { open }) => {
      await open("index.html#/modules?q=linear");
      await soon(async () => assert.ok((await rows(page).count()) > 10));
      assert.ok((await rows(page).count()) < 100);
      assert.match(await sub(page), /^5,716 of 10,005 modules/);
      await page.keyboard.press("End");
      await eventually(async () => (await names(page)).at(-1), "fc");
      assert.ok((await rows(page).count()) < 100);
      await page.getByRole("searchbox").fill("h.77.attn.q");
      await eventually(() => names(page), ["L['self']", "h", "77", "attn", "q"]);
      await open("index.html#/modules?module=h.1200");
      await eventually(async () => (await names(page)).includes("1200"), true);
      await page.emulateMedia({ media: "print" });
      await soon(async () => assert.ok((await rows(page).count()) > 1400));
      const tops = await rows(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      assert.ok(
        tops.every((top, i) => i === 0 || top > tops[i - 1]),
        "each row is below the one before",
      );
    },
  ));

// The rooms show what the log says, and lead to each other.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { allOf, closeBrowser, eventually, hash, room, rows, viewer, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const recompiles = sampleReport("recompiles");

test("the overview says how many compiles there are, how they ended, and what to look at", () =>
  visit(recompiles, async (page, { open }) => {
    await open("index.html");
    await room(page, "Overview");
    const text = await page.locator(".legend").first().innerText();
    assert.match(text, /3 ✕ failed/);
    assert.match(await page.locator("aside").innerText(), /2\.15\.0/);
    assert.ok((await page.locator(".finding").count()) >= 3);
    assert.match(await page.title(), /Overview/);
    await page.locator(".legend a", { hasText: "failed" }).click();
    await room(page, "Compiles");
    assert.equal(await hash(page), "#/compiles?status=error");
    await eventually(() => page.locator(".grid-row:not(.group)").count(), 3);
  }));

test("a finding leads to the compile it speaks of", () =>
  visit(recompiles, async (page, { open }) => {
    await open("index.html");
    const chip = page.locator(".finding a.chip").first();
    const id = (await chip.innerText()).replace(/^\S+\s+/, "").trim();
    await chip.click();
    await room(page, id);
    assert.equal(await hash(page), `#/c/${encodeURIComponent(id)}`);
  }));

test("the title of a finding leads to the place that explains it", () =>
  visit(recompiles, async (page, { open }) => {
    await open("index.html");
    await page.locator(".finding h3 a", { hasText: "by_scalar" }).first().click();
    await room(page, "Recompiles");
    const card = page.locator(".card.on");
    await card.waitFor();
    assert.match(await card.innerText(), /by_scalar/);
    assert.match(await card.innerText(), /recompile limit/);
  }));

test("every room opens from the navigation without a fault", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html");
    for (const title of [
      "Stacks",
      "Compiles",
      "Graph breaks",
      "Recompiles",
      "Failures",
      "Files",
      "Config",
      "Log",
      "Overview",
    ]) {
      await page
        .locator(".rooms")
        .getByRole("link", { name: new RegExp(`^${title}`) })
        .click();
      await room(page, title);
      assert.equal(await page.locator(".rooms [aria-current=page]").count(), 1);
      assert.equal(await page.locator(".state.failed").count(), 0, title);
      assert.match(await page.title(), new RegExp(title));
    }
  }));

test("graph breaks: distinct ones, with place, hints and the compiles", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/breaks");
    await room(page, "Graph breaks");
    const all = await page.locator(".card").count();
    assert.ok(all >= 5, `${all} breaks`);
    await page.getByRole("searchbox").fill("data-dependent");
    await eventually(
      async () => (await page.locator(".card").count()) < all && (await page.locator(".card").count()) > 0,
      true,
    );
    const card = await page.locator(".card").first().innerText();
    assert.match(card, /graph_breaks\.py:\d+/);
    assert.match(await hash(page), /q=data-dependent/);
    const links = await page
      .locator(".card a[target]")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    assert.ok(
      allOf(links, (href) => href.startsWith("https:")),
      `${links}`,
    );
  }));

test("recompiles: the chain of a frame and why", () =>
  visit(recompiles, async (page, { open }) => {
    await open("index.html#/recompiles?q=by_scalar");
    await room(page, "Recompiles");
    const card = page.locator(".card").first();
    assert.match(await card.innerText(), /by_scalar/);
    assert.ok((await card.locator("a.chip").count()) >= 8);
    await card.locator("a.chip", { hasText: "2/1" }).click();
    await room(page, "2/1");
  }));

test("a graph break is headed by its source line, and its stack is folded", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/");
    await room(page, "Overview");
    const first = page.locator(".finding[data-kind=graph_break]").first();
    assert.match(
      await first.innerText(),
      /^\S+\s+73\s*print\(i\)\s+loop runs eagerly: Failed to trace builtin operator GB0059/,
    );
    assert.equal(await first.locator("details[open]").count(), 0);
    await open("index.html#/breaks");
    await room(page, "Graph breaks");
    const card = page.locator(".card").first();
    assert.match(await card.innerText(), /^11\s*print\("between"\)\s+Failed to trace builtin operator GB0059/);
    assert.equal(await card.locator("details[open]").count(), 0);
    assert.deepEqual(await card.locator(".message code").allInnerTexts(), ["print", "['str']", "has_kwargs False"]);
    assert.match(await card.locator(".advice").innerText(), /^Fix: Call print outside of the compiled function\./);
    assert.equal(
      await page.locator("#break-1 .message pre").innerText(),
      '# File "/home/user/src/graph_breaks.py", line 17, in data_dependent, code: if x.sum() > 0:\ngt = gt(sum_1, 0)',
    );
  }));

test("failures: the line, the exception, the fix, hints, and the message in full on demand", () =>
  visit(sampleReport("errors"), async (page, { open }) => {
    await open("index.html#/failures");
    await room(page, "Failures");
    assert.match(await page.locator("main").innerText(), /the backend cannot do <this> & that/);
    assert.equal(await page.locator(".entry pre:visible").count(), 0);
    const entry = page.locator(".entry", { has: page.locator("a.chip", { hasText: "1/0" }) });
    assert.match(
      await entry.innerText(),
      /^29\s*print\("no"\)\s+must_be_whole does not compile: Failed to trace builtin operator GB0059/,
    );
    assert.match(await entry.locator(".where").innerText(), /errors\.py:29 in must_be_whole\s+Unsupported/);
    assert.match(await entry.locator(".advice").innerText(), /^Fix: Call print outside of the compiled function\./);
    assert.equal(await entry.locator(".hints li").count(), 3);
    assert.equal(
      await entry.locator("a[target]").getAttribute("href"),
      "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0059.html",
    );
    await entry.getByText("Developer context").click();
    assert.match(await entry.locator("pre:visible").innerText(), /^builtin print \[<class/);
    await entry.getByText("Full message").click();
    assert.match(
      await entry.locator("pre:visible").last().innerText(),
      /^Failed to trace builtin operator\n  Explanation: /,
    );
  }));

test("restarts with one cause are one entry", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/failures");
    await room(page, "Failures");
    const entry = page.locator(".entry", { has: page.locator("a.chip", { hasText: "11/1" }) });
    assert.deepEqual(
      (await entry.locator("a.chip").allInnerTexts()).map((text) => text.replace(/\s+/, " ")),
      ["○ 10/0", "↻ 11/0", "↻ 11/1"],
    );
    assert.match(await entry.innerText(), /^46\s*torch\._dynamo\.graph_break\(\)/);
  }));

test("a bare forward is named by its class everywhere", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/recompiles");
    await room(page, "Recompiles");
    assert.equal(await page.locator(".card h2").first().innerText(), "Block.forward");
    await open("index.html#/compiles?group=none");
    await room(page, "Compiles");
    await page
      .getByText(/^Net\.forward/)
      .first()
      .waitFor();
  }));

test("stacks: chips of the compiles, folding, and the filter", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/stacks");
    await room(page, "Stacks");
    assert.ok((await page.locator(".tree-row").count()) >= 10);
    assert.ok((await page.locator(".tree-row a.chip.restart").count()) >= 1);
    await page.getByLabel("library frames").check();
    await eventually(() => hash(page), "#/stacks?fw=1");
    await page.getByRole("searchbox").fill("torch_dynamo_resume_in_prints");
    await eventually(() => page.locator(".tree-row a.chip").count(), 1);
  }));

test("config: values are found by typing", () =>
  visit(recompiles, async (page, { open }) => {
    await open("index.html#/config");
    await page.locator(".config tr").first().waitFor();
    const all = await page.locator(".config tr").count();
    await page.getByRole("searchbox").fill("fx_graph_cache");
    await eventually(async () => {
      const n = await page.locator(".config tr").count();
      return n > 0 && n < all / 5;
    }, true);
  }));

test("log: kinds by size", () =>
  visit(recompiles, async (page, { open }) => {
    await open("index.html#/log");
    await room(page, "Log");
    assert.match(await page.locator(".kinds").innerText(), /chromium_event/);
  }));

test("files: all artifacts of all compiles", () =>
  visit(recompiles, async (page, { open }) => {
    await open("index.html#/files?q=guards_str+4/1");
    await eventually(() => rows(page).count(), 1);
    await rows(page).first().click();
    await room(page, "4/1");
    await viewer(page);
  }));

test("on a phone no text of a break or a setting is cut off", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [place, what] of [
      ["breaks", ".card > *, .card .hints li"],
      ["config", ".config td"],
      ["", ".finding > *"],
    ]) {
      await open(`index.html#/${place}`);
      await page.locator(what).first().waitFor();
      const cut = await page
        .locator(what)
        .evaluateAll((all) =>
          all
            .filter((node) => node.getBoundingClientRect().right > 390 || node.scrollWidth > node.clientWidth + 1)
            .map((node) => node.textContent),
        );
      assert.deepEqual(cut, [], place);
    }
  }));

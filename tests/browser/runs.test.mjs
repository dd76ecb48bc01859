// Logs that have no rank are runs: what changed from one to the other.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { jobsReport, sampleLog, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const cache = sampleReport("cache/cold", sampleLog("cache/warm"));
const panel = (page, title) => page.locator(".panel", { has: page.locator("h2", { hasText: title }) });
const figure = (page, name) => page.locator(".figures tr", { hasText: name });

test("a cold and a warm run: figures, functions and what a diff shows", () =>
  visit(cache, async (page, { open }) => {
    await open("index.html");
    await room(page, "Runs");
    await figure(page, "cache hits").waitFor();
    assert.match(await figure(page, "cache hits").innerText(), /5\s+10\s+\+5/);
    assert.match(await figure(page, "Figure").innerText(), /cold\s+warm/); // the folders: the names of the files say nothing
    assert.match(await figure(page, "cache misses").innerText(), /5\s+0\s+−5/);
    assert.equal(await figure(page, "failures").count(), 0); // neither has any
    assert.match(await panel(page, "New issues").innerText(), /No new issues/);
    const row = page.locator(".functions tr", { hasText: "cache.py:5" });
    assert.match(await row.innerText(), /cache hit \+ miss → hit/);
    await row.getByRole("link", { name: /diff/ }).click();
    await room(page, "Diff");
    await eventually(() => hash(page).then((text) => /a=rank_none/.test(text) && /id=0%2F0/.test(text)), true);
    await page.locator(".diff-row").first().waitFor();
  }));

test("swapped, gains become losses; it stands in the address", () =>
  visit(cache, async (page, { open }) => {
    await open("index.html");
    await figure(page, "cache hits").waitFor();
    await page.getByRole("button", { name: "Swap both runs" }).click();
    await eventually(async () => /10\s+5\s+−5/.test(await figure(page, "cache hits").innerText()), true);
    await page.reload();
    await eventually(async () => /10\s+5\s+−5/.test(await figure(page, "cache hits").innerText()), true);
  }));

test("other programs: findings that are new and gone lead into the run's own report", () =>
  visit(sampleReport("graph_breaks", sampleLog("recompiles")), async (page, { open }) => {
    await open("index.html");
    await panel(page, "New issues")
      .getByText("by_scalar hit the recompile limit (8): calls that fit no version run eagerly")
      .waitFor();
    assert.match(await panel(page, "Resolved issues").innerText(), /Graph break/);
    assert.match(await page.locator(".functions tr", { hasText: "data_dependent" }).first().innerText(), /gone/);
    assert.ok(
      (await page
        .locator(".rooms")
        .getByRole("link", { name: /Collectives/ })
        .count()) === 0,
    );
    await panel(page, "New issues").getByRole("link", { name: "2/1", exact: true }).click();
    await room(page, "2/1");
    await page.getByRole("link", { name: "↑ All logs" }).click();
    await room(page, "Runs");
  }));

const jobs = jobsReport("ranks2_sizes", "ranks4_desync");

test("two jobs of ranks: sums are called sums, and functions are those of a rank that both have", () =>
  visit(jobs, async (page, { open }) => {
    await open("index.html");
    await room(page, "Runs");
    await figure(page, /^ranks/).waitFor();
    assert.match(await figure(page, /^ranks/).innerText(), /2\s+4\s+\+2/);
    assert.match(await figure(page, /^compiles, all logs/).innerText(), /4\s+18\s+\+14/);
    assert.equal(
      await figure(page, /^compiles, all logs/)
        .locator(".s-error")
        .count(),
      0,
    ); // more ranks compile more: that is not worse
    assert.match(await figure(page, "ops in graphs, all logs").innerText(), /14\s+90\s+\+76/);
    assert.match(await panel(page, "Functions").innerText(), /functions of rank 0/);
    await page.getByLabel("Functions of").selectOption("1");
    await eventually(async () => /functions of rank 1/.test(await panel(page, "Functions").innerText()), true);
    assert.match(await hash(page), /rank=1/);
    const found = panel(page, "New issues").locator(".rank-finding", { hasText: "local recompiled once" });
    assert.equal(await found.getByRole("link", { name: "rank 3" }).count(), 1);
    await found.getByRole("link", { name: "rank 3" }).click();
    await page.getByRole("link", { name: "↑ All ranks" }).click();
    await room(page, "All ranks");
    await page.getByRole("link", { name: "↑ All logs" }).click();
    await room(page, "Runs");
  }));

test("artifacts of ranks of two jobs beside each other, and their timelines", () =>
  visit(jobs, async (page, { open }) => {
    await open("index.html#/ranks/diff?a=run_1%2Frank_0&b=run_2%2Frank_3");
    await room(page, "Diff");
    await page.locator(".graph-diff .says").waitFor();
    const shown = await page.getByLabel("Right", { exact: true }).locator("option").allInnerTexts();
    assert.deepEqual(shown, [
      "ranks2_sizes rank 0",
      "ranks2_sizes rank 1",
      "ranks4_desync rank 0",
      "ranks4_desync rank 1",
      "ranks4_desync rank 2",
      "ranks4_desync rank 3",
    ]);
    await open("index.html#/timeline");
    await eventually(async () => /spans.* in 2 runs/.test(await page.locator("main").innerText()), true);
  }));

test("on a phone and in the dark nothing runs out of the page", () =>
  visit(cache, async (page, { open }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 844 });
    await open("index.html");
    await figure(page, "cache hits").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
    assert.ok(
      await figure(page, "cache hits")
        .locator("td")
        .last()
        .evaluate((cell) => cell.getBoundingClientRect().right <= 390),
    );
  }));

const misses = sampleReport("cache_runs/first", sampleLog("cache_runs/second"));

test("why the second run missed what the first had, here and on the page of the compile", () =>
  visit(misses, async (page, { open }) => {
    await open("index.html");
    await panel(page, "Cache misses")
      .getByText("inductor_config[max_fusion_size] differs from an earlier run: 1 miss in the FX graph cache")
      .waitFor();
    await panel(page, "Cache misses").getByRole("link", { name: "[3/0]" }).click();
    await room(page, "3/0");
    await panel(page, "Caches")
      .getByText("FX graph: The key of [3/0] in second differs from that of [3/0] in first")
      .waitFor();
    assert.match(await panel(page, "Caches").innerText(), /no earlier key of this graph in the log/);
    await panel(page, "Caches").getByRole("link", { name: "[3/0] there" }).last().click();
    await eventually(() => page.url().includes("/rank_none/index.html"), true);
  }));

test("the page of a run without a run before it compares nothing", () =>
  visit(misses, async (page, { open }) => {
    await open("rank_none/index.html#/c/3%2F0");
    await panel(page, "Caches").waitFor();
    assert.doesNotMatch(await panel(page, "Caches").innerText(), /Beside other/);
  }));

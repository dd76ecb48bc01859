// A report that was made from facts: of most ranks, only what they are compared by is here.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, room, visit } from "./lib/browser.mjs";
import { factLines, sampleFolder, TLPARSE, writeFacts } from "./lib/report.mjs";

const scratch = mkdtempSync(join(tmpdir(), "tlparse-facts-"));
after(async () => {
  await closeBrowser();
  rmSync(scratch, { recursive: true, force: true });
});

/** The report of the facts of a recorded job, with these full reports. */
function merged(full) {
  const out = join(scratch, full);
  execFileSync(TLPARSE, ["facts", sampleFolder("ranks4_desync"), "-o", `${out}.facts`], { stdio: "ignore" });
  execFileSync(TLPARSE, ["merge", `${out}.facts`, "--full", full, "-o", out], { stdio: "ignore" });
  return out;
}

test("each link to a rank leads to its report, or says where its log is", async () => {
  const report = merged("1");
  const { ranks } = JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
  const { host, paths } = ranks[3].elsewhere;
  await visit(report, { offline: true }, async (page, { open }) => {
    let seen = 0;
    for (const at of [
      "",
      "ranks",
      "ranks/collectives",
      "ranks/order",
      "ranks/runtime",
      "ranks/diff",
      "timeline",
      "log",
    ]) {
      await open(`index.html#/${at}`);
      await page.locator("main h1").first().waitFor();
      for (const href of await page.locator("a[href]").evaluateAll((links) => links.map((link) => link.href))) {
        const path = decodeURIComponent(new URL(href).pathname);
        if (!path.includes("/rank_")) continue;
        seen++;
        assert.ok(existsSync(path), `${at}: ${href}`);
      }
    }
    assert.ok(seen > 3, `${seen} links`);
    await open("index.html");
    await page.getByText("Rank 1 has a full report.").waitFor();
    await page.locator(".grid").getByRole("link", { name: "rank 3", exact: true }).click();
    const panel = page.locator(".panel.elsewhere");
    await panel.getByRole("heading", { name: "No report of rank 3" }).waitFor();
    const text = await panel.innerText();
    assert.ok(text.includes(host) && text.includes(paths[0]) && text.includes("--full 3, and with --logs DIR"), text);
    await page.locator(".grid").getByRole("link", { name: "rank 1", exact: true }).click();
    await room(page, "Overview");
  });
});

test("facts that could not be read are named beside the ranks that are missing", async () => {
  const [out, at] = [join(scratch, "lacking"), (name) => join(scratch, name)];
  for (const rank of [0, 1])
    execFileSync(TLPARSE, ["facts", sampleFolder("ranks4_desync"), "-o", at(`n${rank}.facts`)], { stdio: "ignore" });
  const lines = factLines(at("n0.facts"));
  const logs = lines.flatMap((line, i) => (line.startsWith('{"log"') ? [i] : []));
  writeFacts(at("n0.facts"), lines.slice(0, logs[2]));
  writeFacts(at("n1.facts"), lines.slice(0, logs[0]));
  const files = ["n0.facts", "n1.facts", "n2.facts"].map(at);
  execFileSync(TLPARSE, ["merge", ...files, "--full", "none", "-o", out], { stdio: "ignore" });
  await visit(out, async (page, { open }) => {
    await open("index.html");
    const text = await page.locator(".panel.lacking").innerText();
    assert.match(
      text,
      /Ranks 2, 3 have no log: they may have died before compiling, or the log is in what could not be read/,
    );
    assert.match(text, /n0\.facts: line \d+: the file ends early; the facts before it count/);
    assert.match(text, /n1\.facts: line \d+: the file ends early\n/);
    assert.match(text, /n2\.facts: cannot open .*n2\.facts: No such file or directory/);
  });
});

test("without full reports, pages of events and artifacts say so", async () => {
  await visit(merged("none"), { offline: true }, async (page, { open }) => {
    await open("index.html#/timeline");
    await page.getByText("No rank has a full report").waitFor();
    assert.equal((await page.getByRole("link", { name: /^Timeline/ }).innerText()).trim(), "Timeline");
    await open("index.html#/ranks/diff");
    await page.getByText("fewer than two ranks have one here").waitFor();
    await open("index.html#/log");
    await page.getByText("no rank has one here").waitFor();
    await open("index.html");
    await page.getByText("Made from the facts of 4 logs. No rank has a full report.").waitFor();
    assert.equal(await page.getByRole("link", { name: "chromium_events.json" }).count(), 0);
    assert.equal(await page.getByRole("link", { name: /^report of rank/ }).count(), 0);
  });
});

test("the logs that should have a report, but are not here, are listed with their hosts", async () => {
  const logs = join(scratch, "gone");
  cpSync(sampleFolder("ranks4_desync"), logs, { recursive: true });
  execFileSync(TLPARSE, ["facts", logs, "-o", join(scratch, "gone.facts")], { stdio: "ignore" });
  rmSync(logs, { recursive: true });
  const out = join(scratch, "without");
  execFileSync(TLPARSE, ["merge", join(scratch, "gone.facts"), "-o", out], { stdio: "ignore" });
  await visit(out, { offline: true }, async (page, { open }) => {
    await open("index.html");
    const panel = page.locator(".panel", { has: page.getByRole("heading", { name: "Logs to fetch" }) });
    const text = await panel.innerText();
    for (const rank of [0, 1, 2, 3])
      assert.match(text, new RegExp(`rank ${rank}: .*gone/dedicated_log_torch_trace_rank_${rank}_`));
    assert.ok(text.includes("--logs DIR"), text);
  });
});

/** A report of so many ranks, one of which compiled less than the others. */
function mergedMany(count) {
  const [base, all, out] = ["base.facts", "all.facts", "many"].map((name) => join(scratch, name));
  execFileSync(TLPARSE, ["facts", sampleFolder("rank_causes/branch"), "-o", base], { stdio: "ignore" });
  const lines = factLines(base);
  const log = JSON.parse(lines.find((line) => line.startsWith('{"log"')));
  const logs = Array.from({ length: count }, (_, rank) => {
    const file = `dedicated_log_torch_trace_rank_${rank}_x.log`;
    const odd = rank === 1234 ? { compiles: log.compiles.slice(1), times_us: log.times_us.slice(1) } : {};
    return JSON.stringify({
      ...log,
      ...odd,
      log: {
        ...log.log,
        rank,
        own_rank: rank,
        file,
        paths: [`/tmp/${file}`],
        files: [{ ...log.log.files[0], name: file }],
      },
    });
  });
  const definitions = lines.filter((line) => line.startsWith("["));
  writeFacts(all, [lines[0], ...definitions, ...logs, JSON.stringify({ logs: count })]);
  execFileSync(TLPARSE, ["merge", all, "--full", "none", "-o", out], { stdio: "ignore" });
  return out;
}

test("thousands of ranks: a picture of all that zooms to one, and few elements", async () => {
  const ranks = 3000;
  const report = mergedMany(ranks);
  await visit(report, { offline: true }, async (page, { open }) => {
    const extent = () => page.locator(".matrix .extent").evaluate((box) => box.getBoundingClientRect().height);
    const said = page.locator(".matrix-legend .said");
    for (const at of ["", "ranks", "ranks/collectives", "ranks/order", "timeline", "log"]) {
      await open(`index.html#/${at}`);
      await page.locator("main h1").first().waitFor();
      const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
      assert.ok(nodes < 3000, `${at}: ${nodes} elements`);
    }
    await open("index.html#/ranks");
    await page.locator(".matrix canvas").waitFor();
    const room = await page.locator(".matrix").evaluate((box) => box.clientHeight);
    const all = await extent();
    assert.ok(all <= room + 4, `${all} of ${room}`); // all ranks are in view
    await page.getByTitle("Zoom in (+), or Ctrl+wheel").click();
    assert.ok((await extent()) > 1.5 * all);
    await page.getByLabel("Find a rank by its number").fill("1234");
    await said.getByText(/^rank 1234 · /).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".matrix").focus();
    await page.keyboard.press("0");
    await page.waitForFunction((most) => document.querySelector(".matrix .extent").clientHeight <= most, room + 4);
    const box = await page.locator(".matrix").boundingBox();
    await page.keyboard.down("Control");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -400);
    await page.keyboard.up("Control");
    await page.waitForFunction((least) => document.querySelector(".matrix .extent").clientHeight > least, 2 * room);
    await open("index.html");
    await page.getByRole("heading", { name: "Rank divergence: 1 root cause" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("rank 2711");
    await page
      .getByRole("option", { name: /rank 2711/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No report of rank 2711" }).waitFor();
  });
});

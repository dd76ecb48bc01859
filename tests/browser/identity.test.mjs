// Which compile is this: ids that come back after a reset or in another process, and records that belong to no id.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, rows, soon, viewer, visit } from "./lib/browser.mjs";
import { artifact, id, metrics, start } from "./lib/log.mjs";
import { folderReport, reportOf, sampleReport } from "./lib/report.mjs";

const { decompress } = createRequire(new URL("../../web/package.json", import.meta.url))("fzstd");
const work = mkdtempSync(join(tmpdir(), "tlparse-identity-"));
after(closeBrowser);
after(() => rmSync(work, { recursive: true, force: true }));
const resets = sampleReport("cache/cold");
const panel = (page, title) => page.locator(".panel", { has: page.locator("h2", { hasText: title }) });
const plain = (text) => text.replace(/\u00a0/g, " ");
const chips = async (locator) => (await locator.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
const says = (locator, what) => soon(async () => assert.match(plain(await locator.innerText()), what));

test("after a reset: the second compile of an id is opened, told from the first, and compared with it", () =>
  visit(resets, async (page, { open }) => {
    await open("index.html#/");
    await says(page.locator("main"), /4 compiles\s+4 ✓ compiled\s+2 functions\s+2 ✓ compiled\s+19\.9 s compile time/);
    await page.locator("main table a.chip", { hasText: /0\/0\s#2/ }).click();
    await eventually(() => hash(page), "#/c/0%2F0%232");
    await says(page.locator("header.head h1"), /0\/0 #2\s+f/);
    assert.match(
      await page.locator("header.head h1 .chip").getAttribute("title"),
      /torch\._dynamo\.reset\(\) resets the ids: this is the 2nd of 2 compiles called 0\/0/,
    );
    await says(page.locator(".summary"), /62\.5 ms compile time/);
    await says(panel(page, "Caches"), /AOTAutograd\s+✓ hit/);
    await panel(page, "Same id 0/0")
      .getByRole("link", { name: /0\/0\s#1/ })
      .click();
    await eventually(() => hash(page), "#/c/0%2F0");
    await says(page.locator(".summary"), /18\.3 s compile time/);
    await says(panel(page, "Caches"), /AOTAutograd\s+✗ miss/);
    await page.goBack();
    await page.locator(".artifacts a", { hasText: "dynamo_output_graph" }).first().click();
    await viewer(page);
    await page.locator(".artifact").getByRole("link", { name: "Compare" }).click();
    await room(page, "Compare");
    await page.locator(".partners a", { hasText: /^0\/0\s#1$/ }).click();
    await soon(async () => assert.match(await hash(page), /a=0%2F0%232%2F0&b=0%2F0%2F0/));
    await page.locator(".graph-diff .says").waitFor();
  }));

test("old addresses open the first generation; what was never compiled is said", () =>
  visit(resets, async (page, { open }) => {
    await open("index.html#/c/1%2F0?tab=artifacts");
    await says(page.locator("header.head h1"), /1\/0 #1\s+bypassed/);
    await open("index.html#/c/1%2F0%233");
    await says(page.locator("main"), /No such compile/);
  }));

test("search and timeline find one generation, or all of an id", () =>
  visit(resets, async (page, { open }) => {
    const found = async () => [...new Set(await chips(page.locator("main a.chip")))].sort();
    await open("index.html#/search?q=def&id=0%2F0%232");
    await eventually(found, ["✓ 0/0 #2"]);
    await says(page.locator("main"), /of 1 compile\b/);
    await open("index.html#/search?q=def&id=0%2F0");
    await says(page.locator("main"), /of 2 compiles/);
    await open("index.html#/timeline?view=table&q=dynamo%200%2F0%232");
    await soon(async () => assert.deepEqual([...new Set(await chips(rows(page).locator("a.chip")))], ["✓ 0/0 #2"]));
  }));

test("pages of their own lead back to their generation", () =>
  visit(resets, async (page, { open }) => {
    const report = JSON.parse(readFileSync(join(resets, "report.json"), "utf8"));
    const second = report.compiles.find((compile) => compile.key === "0/0#2");
    await open(second.artifacts.find((item) => item.name === "compilation_metrics").url);
    await page.getByRole("link", { name: "[0/0#2]" }).click();
    await says(page.locator("header.head h1"), /0\/0 #2/);
  }));

test("without scripts generations are told apart", () =>
  visit(resets, { javaScriptEnabled: false }, async (page, { open }) => {
    await open("index.html");
    const heads = await page.locator("h3").allInnerTexts();
    assert.deepEqual(heads, [
      "[0/0] f · ok",
      "[1/0] bypassed · ok",
      "[0/0] f · ok · generation 2",
      "[1/0] bypassed · ok · generation 2",
      "[-/-]",
    ]);
    assert.match(await page.locator("main").innerText(), /4 compiles[^]*Records outside of compiles/);
  }));

test("two processes of one log have their own 0/0", () =>
  visit(
    reportOf("processes", () => {
      const one = [
        start(id(0)),
        artifact("one", "text of the first"),
        metrics(id(0), { co_name: "first", duration_us: 1000 }),
      ].join("");
      const other = [
        start(id(0)),
        artifact("two", "text of the second"),
        metrics(id(0), { co_name: "second", duration_us: 2000 }),
      ]
        .join("")
        .replaceAll(" 1500233 ", " 1500300 ");
      return one + other;
    }),
    async (page, { open }) => {
      await open("index.html#/compiles?sort=id");
      await eventually(() => chips(rows(page).locator("a.chip")), ["✓ 1500233:0/0", "✓ 1500300:0/0"]);
      await rows(page).nth(1).locator("a.chip").click();
      await eventually(() => hash(page), "#/c/1500300%3A0%2F0");
      await says(page.locator("header.head h1"), /1500300:0\/0\s+second/);
      await says(page.locator(".summary"), /2\.00 ms compile time[^]*process\s+1500300/);
    },
  ));

test("processes of two containers have one ID: each is called by its file", () =>
  visit(
    folderReport("containers", (folder) => {
      for (const name of ["one", "two"])
        writeFileSync(
          join(folder, `${name}.log`),
          [start(id(0)), artifact(name, `text of ${name}`), metrics(id(0), { co_name: name, duration_us: 1000 })].join(
            "",
          ),
        );
    }),
    async (page, { open }) => {
      await open("index.html#/compiles?sort=id");
      await eventually(() => chips(rows(page).locator("a.chip")), ["✓ 1500233:0/0", "✓ 1500233.2:0/0"]);
      await rows(page).nth(1).locator("a.chip").click();
      await eventually(() => hash(page), "#/c/1500233.2%3A0%2F0");
      await says(page.locator("header.head h1"), /1500233\.2:0\/0\s+two/);
      await says(page.locator(".summary"), /process\s+1500233\.2 of two\.log/);
      await open("index.html#/log");
      await says(page.locator("main"), /1500233 one\.log[^]*1500233\.2 two\.log/);
    },
  ));

test("records without a compile id are grouped by their caller, and their artifacts open", () =>
  visit(sampleReport("provenance_aot"), async (page, { open }) => {
    await open("index.html#/");
    await page.getByRole("link", { name: "15 records" }).click();
    await eventually(() => hash(page), "#/stacks?view=unattributed");
    const group = panel(page, "provenance_aot.py:27");
    await says(group, /15 records, 14 artifacts/);
    await group
      .getByText(/written by run_pre_grad_passes/)
      .first()
      .click();
    await says(group, /provenance_aot\.py:27 in <module>/);
    await page.getByLabel("Filter function").fill("after_post_nothing");
    await says(page.locator("main"), /No matching stacks/);
    await page.getByLabel("Filter function").fill("aoti inductor_post_grad");
    await group.getByRole("link", { name: "inductor_post_grad_graph" }).click();
    await viewer(page);
    await says(page.locator(".artifact header"), /inductor_post_grad_graph/);
  }));

test("ids that never were compiled are no compiles", () =>
  visit(sampleReport("export_ok"), async (page, { open }) => {
    await open("index.html#/");
    await says(page.locator("main"), /2 compiles\s+2 ○ ops not counted/);
    assert.doesNotMatch(await page.locator("main").innerText(), /no metrics|did not finish/);
    await open("index.html#/compiles");
    await says(page.locator("header.head .sub"), /^2 compiles, 4 other ids/); // two strict exports trace 0/0
    await says(page.getByRole("group", { name: "Status" }), /ops not counted 2/);
    assert.doesNotMatch(
      await page.locator("main").innerText(),
      /empty graph|\bfirst\b/,
      "what was not compiled has no reason why it was",
    );
  }));

/** A frame of zstd with blocks that are not compressed: Node 20 can't compress with zstd. */
function storedZstd(bytes) {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]); // the length has four bytes, and is the window
  head.writeUInt32LE(bytes.length, 5);
  const parts = [head];
  for (let at = 0; at < bytes.length; at += 1 << 17) {
    const block = bytes.subarray(at, at + (1 << 17));
    const last = at + block.length === bytes.length ? 1 : 0;
    parts.push(Buffer.from([last | ((block.length << 3) & 255), (block.length >> 5) & 255, block.length >> 13]), block);
  }
  return Buffer.concat(parts);
}

/** A copy of a report whose summary was changed. */
function changed(name, of, change) {
  const out = join(work, name);
  cpSync(of, out, { recursive: true });
  const file = join(out, "data", "report.js");
  const [, key, base64] = /tl\.put\("([^"]+)", ?"([^"]+)"\)/.exec(readFileSync(file, "utf8"));
  const report = JSON.parse(Buffer.from(decompress(Buffer.from(base64, "base64"))).toString());
  change(report);
  writeFileSync(file, `tl.put("${key}","${storedZstd(Buffer.from(JSON.stringify(report))).toString("base64")}");\n`);
  return out;
}

test("a report that contradicts the log says so, on the overview and at the log", () =>
  visit(
    changed("checks", resets, (report) => {
      report.checks = [
        { name: "phases", compile: "0/0#2", expected: 62493, found: 93000 },
        { name: "records_by_kind", compile: null, expected: 635, found: 634 },
        { name: "from_the_future", compile: null, expected: 1, found: 2 },
      ];
      report.more_checks = 4;
    }),
    async (page, { open }) => {
      for (const place of ["index.html#/", "index.html#/log"]) {
        await open(place);
        const notice = panel(page, "Inconsistent numbers");
        await says(
          notice,
          /7 failed checks[^]*0\/0 #2\s+The phases take longer than the compile\s+62\.5 ms[^]*93\.0 ms[^]*all\s+Records by kind do not add up\s+635[^]*634[^]*from_the_future\s+1[^]*2/,
        );
      }
      await panel(page, "Inconsistent numbers")
        .getByRole("link", { name: /0\/0\s#2/ })
        .click();
      await eventually(() => hash(page), "#/c/0%2F0%232");
      await open("index.html#/");
    },
  ));

test("a report that agrees with the log has no such notice, and run time is no compile time", () =>
  visit(
    changed("runtime", resets, (report) => {
      report.totals.runtime_us = 240_000;
    }),
    async (page, { open }) => {
      await open("index.html#/");
      await says(page.locator(".bars"), /19\.9 s compile time[^]*\+ 240 ms at run time/);
      assert.equal(await panel(page, "Inconsistent numbers").count(), 0);
    },
  ));

test("what was open when the log ended stands at its compile", () =>
  visit(sampleReport("killed"), async (page, { open }) => {
    await open("index.html#/c/1%2F0");
    const open_spans = panel(page, "Unfinished spans");
    await says(
      open_spans,
      /12 spans · Timeline[^]*dynamo\s+began 1\.90 s before the last event[^]*Scheduler\.__init__\s+began with the last event/,
    );
    await open_spans.getByRole("link", { name: "Timeline" }).click();
    await room(page, "Timeline");
    await soon(async () => assert.match(await hash(page), /v=/));
    await open("index.html#/c/0%2F0");
    await page.locator(".summary").waitFor();
    assert.equal(await open_spans.count(), 0);
  }));

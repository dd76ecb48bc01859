// The Log page: the size of the log by record kind, and what could not be read.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { artifact, hostileLog, id, record } from "./lib/log.mjs";
import { folderReport, reportOf, sampleFolder, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const tiles = (page) => page.locator(".treemap .tile");
const names = (page) => tiles(page).evaluateAll((all) => all.map((tile) => tile.title));

async function log(page, open, query = "") {
  await open(`index.html#/log${query}`);
  await room(page, "Log");
  await tiles(page).first().waitFor();
}

test("areas by kind, as large as their bytes; a click leads to the artifacts of the kind", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await log(page, open);
    const kinds = JSON.parse(readFileSync(join(sampleReport("gpt2"), "report.json"), "utf8")).log.kinds.sort(
      (a, b) => b.bytes - a.bytes,
    );
    const areas = await tiles(page).evaluateAll((all) =>
      all.map((tile) => {
        const r = tile.getBoundingClientRect();
        return { title: tile.title, area: r.width * r.height };
      }),
    );
    const area = (kind) => areas.find((tile) => tile.title.startsWith(`${kind.name ?? kind.key}:`)).area;
    assert.ok(Math.abs(area(kinds[0]) / area(kinds[3]) / (kinds[0].bytes / kinds[3].bytes) - 1) < 0.05);
    await tiles(page).filter({ hasText: "inductor_output_code" }).click();
    await room(page, "Files");
    assert.match(await hash(page), /q=inductor_output_code/);
  }));

test("by compile id, and by kind within compile ids; bytes or records", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await log(page, open);
    const facts = JSON.parse(readFileSync(join(sampleReport("training"), "report.json"), "utf8")).log;
    await page.getByRole("button", { name: "by compile id" }).click();
    await eventually(async () => (await names(page))[0].startsWith(`${facts.by_compile[0].id}:`), true);
    assert.match(await hash(page), /by=compile/);
    await page.getByRole("button", { name: "records", exact: true }).click();
    const most = [...facts.by_compile].sort((a, b) => b.records - a.records)[0];
    await eventually(async () => (await names(page))[0].startsWith(`${most.id}: ${most.records}`), true);
    await page.getByRole("button", { name: "by both" }).click();
    await eventually(
      async () => (await names(page)).some((name) => name.startsWith(`${most.id}, chromium_event: `)),
      true,
    );
    await page.reload();
    await eventually(
      async () => (await names(page)).some((name) => name.startsWith(`${most.id}, chromium_event: `)),
      true,
    );
    await tiles(page).first().click();
    await eventually(async () => /#\/c\//.test(await hash(page)), true);
  }));

test("what this version does not know is marked by a word, not by a color alone", () =>
  visit(
    reportOf("unknown-kind", () =>
      [record({ brand_new: {}, ...id(0) }, "x".repeat(5000)), artifact("known", "y")].join(""),
    ),
    async (page, { open }) => {
      await log(page, open);
      assert.ok((await names(page)).some((name) => /^\? unknown kind: brand_new/.test(name)));
      assert.match(await page.locator("table.kinds").innerText(), /\? unknown\s+brand_new/);
    },
  ));

test("faults of a log keep their lines", () =>
  visit(sampleReport("disk_full"), async (page, { open }) => {
    await log(page, open);
    const { faults } = JSON.parse(readFileSync(join(sampleReport("disk_full"), "report.json"), "utf8")).log;
    assert.ok(faults.length > 0);
    const row = page.locator("table.faults tbody tr").first();
    assert.match(await row.innerText(), new RegExp(`^${faults[0].what}`));
    assert.match(await row.innerText(), /truncated after it was written/);
    assert.equal(await row.locator("td").last().innerText(), `${faults[0].line}`);
  }));

test("on a phone nothing stands out at the side", () =>
  visit(sampleReport("gpt2"), { viewport: { width: 390, height: 844 } }, async (page, { open }) => {
    await log(page, open, "?by=both");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }));

for (const width of [390, 1440])
  test(`at ${width} px no label of the map is cut off, and a name breaks after an underscore`, () =>
    visit(sampleReport("gpt2"), { viewport: { width, height: 844 } }, async (page, { open }) => {
      for (const query of ["", "?by=both", "?of=records"]) {
        await log(page, open, query);
        const cut = await page
          .locator(".tile")
          .evaluateAll((all) =>
            all.filter((tile) => tile.scrollHeight > tile.clientHeight + 1).map((t) => t.innerText),
          );
        assert.deepEqual(cut, [], query);
      }
      const name = page.locator(".kinds a", { hasText: "inductor_provenance_tracking_kernel_stack_traces" });
      assert.ok(await name.locator("wbr").count());
      assert.ok(await name.evaluate((link) => link.getBoundingClientRect().right <= innerWidth));
    }));

test("several files and processes: each is listed, and a fault names its file", () =>
  visit(
    folderReport("processes", (folder) => {
      for (const [name, process, more] of [
        ["dedicated_log_torch_trace_a.log", 11, ""],
        ["dedicated_log_torch_trace_b.log", 12, "rubbish\n"],
      ])
        writeFileSync(
          join(folder, name),
          record({ dynamo_start: { stack: [{ line: 1, name: "f", filename: 0 }] }, ...id(0) }).replace(
            /^(\S+ \S+) \d+/,
            `$1 ${process}`,
          ) + more,
        );
    }),
    async (page, { open }) => {
      await log(page, open);
      const text = (title) => page.locator(".panel", { has: page.locator("h2", { hasText: title }) }).innerText();
      assert.match(await text("Files"), /trace_a\.log[^]*trace_b\.log/);
      assert.match(await text("Processes"), /compiles are identified by process ID[^]*11\s+1\s+1[^]*12\s+1\s+1/);
      assert.match(await text("Warnings"), /unrecognized line in dedicated_log_torch_trace_b\.log[^]*1\s+2/);
    },
  ));

/** The warnings as the page lists them, and as report.json has them: kind, count, first lines. */
const listed = (page) =>
  page
    .locator("table.faults tbody tr")
    .evaluateAll((rows) =>
      rows.map(({ cells }) => [cells[0].querySelector("b").textContent, cells[1].textContent, cells[2].textContent]),
    );
const expected = (faults) =>
  [...new Set(faults.map((fault) => fault.what))].map((what) => {
    const those = faults.filter((fault) => fault.what === what);
    return [
      what,
      those.reduce((n, fault) => n + fault.count, 0).toLocaleString("en-US"),
      those.map((fault) => fault.line).join(", "),
    ];
  });

/** Each log of a run that was cut: within an envelope, a payload, a letter, or before its head. */
const cutLogs = readdirSync(sampleFolder("truncated")).filter((name) => name.endsWith(".log"));
test("there are truncated logs", () => assert.ok(cutLogs.length >= 4, `${cutLogs}`));
for (const name of cutLogs) {
  const cut = () => reportOf(`cut ${name}`, () => readFileSync(join(sampleFolder("truncated"), name)));
  test(`truncated, ${name}: what the log holds is drawn, and its faults have their lines`, () =>
    visit(cut(), async (page, { open }) => {
      await open("index.html#/log");
      await room(page, "Log");
      const { log } = JSON.parse(readFileSync(join(cut(), "report.json"), "utf8"));
      if (!log.kinds.length) {
        await page.getByText("No records").waitFor();
        assert.equal(await tiles(page).count(), 0);
        return;
      }
      await tiles(page).first().waitFor();
      assert.deepEqual(await listed(page), expected(log.faults));
      const counters = await page.locator(".panel", { has: page.locator("h2", { hasText: "Counters" }) }).innerText();
      assert.deepEqual(
        [...counters.matchAll(/[\d,]+$/gm)].map(String),
        Object.values(log.counters)
          .filter(Boolean)
          .map((n) => n.toLocaleString("en-US")),
      );
    }));
}

test("a hostile log: unknown kinds and names stay text, every fault is listed", () => {
  const broken = 'V1121 15:18:15.925000 1500233 torch/a.py:10] {"dynamo_start": {broken\n';
  const wrong = record({ dynamo_output_graph: {}, ...id(0) }, "a graph").replace("a graph", "another");
  const report = reportOf("hostile-sizes", () =>
    [hostileLog(), broken, wrong, record({ "<img src=x onerror=alert(1)>": {}, ...id(0) }, "y".repeat(3000))].join(""),
  );
  return visit(report, async (page, { open }) => {
    await log(page, open);
    const facts = JSON.parse(readFileSync(join(report, "report.json"), "utf8")).log;
    assert.ok(facts.faults.length >= 2, `${facts.faults.length} faults`);
    assert.deepEqual(await listed(page), expected(facts.faults));
    assert.ok(
      (await names(page)).some((name) => name.startsWith("? unknown kind: <img")),
      `${await names(page)}`,
    );
    for (const by of ["compile", "both"]) await log(page, open, `?by=${by}`);
  });
});

test("a kind of the table leads where its area leads", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await log(page, open);
    await page.locator("table.kinds").getByRole("link", { name: "aot_joint_graph" }).click();
    await eventually(() => hash(page), "#/files?q=aot_joint_graph");
  }));

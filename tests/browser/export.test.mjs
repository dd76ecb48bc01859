// The room of exports: what stood in the way, what to do about it, and what the expression is made of.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { id, intern, metrics, record, start } from "./lib/log.mjs";
import { fileReport, reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const cards = (page) => page.locator(".card.export");
const kinds = (page) => cards(page).locator("header .chip").allInnerTexts();
const open_ = (report, body) =>
  visit(report, async (page, tools) => {
    await tools.open("index.html#/export");
    await room(page, "Export");
    await body(page, tools);
  });

// What draft_export itself said of these programs (tests/data/logs/draft_export/README.md).
const DRAFTS = {
  missing: ["✕ missing fake kernel"],
  mismatched: ["✕ mismatched fake kernel"],
  data_dependent: ["✕ data-dependent"],
  specialises: ["! guard evaluated"],
  all: ["✕ missing fake kernel", "✕ data-dependent", "✕ mismatched fake kernel", "✕ data-dependent"],
};
for (const [name, expected] of Object.entries(DRAFTS)) {
  for (const options of [[], ["--export"]]) {
    test(`draft_export ${name} ${options}: ${expected.length} of ${expected.length}, and the program`, () =>
      open_(sampleReport(`draft_export/${name}`, ...options), async (page) => {
        await eventually(() => kinds(page), expected);
        assert.equal(await page.getByText(/^Program of/).count(), 1);
        assert.equal(
          await page
            .locator("nav.rooms a", { hasText: "Export" })
            .innerText()
            .then((text) => text.replace(/\D/g, "")),
          `${expected.length}`,
        );
      }));
  }
}

test("the overview says how an export without failures ended, with code as code", () =>
  visit(sampleReport("export_ok"), async (page, { open }) => {
    await open("index.html#/");
    const outcome = page.locator(".panel", { hasText: "No failures in the log" });
    await eventually(
      () => outcome.locator("code").allInnerTexts(),
      ["TORCH_DTRACE", "TORCH_TRACE", "strict=False", "export_ok.py:29", "export_ok.py:30"],
    );
    assert.doesNotMatch(await outcome.innerText(), /`/);
  }));

test("each call of torch.export has its own outcome, and a link to what ended it", () =>
  open_(sampleReport("export_errors"), async (page) => {
    await page.getByText("7 of 8 exports failed").first().waitFor();
    const rows = page.locator(".export-calls tbody tr");
    await eventually(() => rows.count(), 8);
    assert.match(await rows.first().innerText(), /0\/0\s+strict\s+✕ failed\s+.*export_errors\.py:35/);
    assert.match(await rows.last().innerText(), /not strict\s+not logged/);
    await rows.nth(2).getByRole("link", { name: "✕ failed" }).click();
    await eventually(() => hash(page), "#/export?n=1");
  }));

test("a decision on data: where, with what, what to do, and the tree", () =>
  open_(sampleReport("draft_export/data_dependent"), async (page) => {
    const card = cards(page).first();
    await card.getByText("if n > 10:").first().waitFor();
    assert.match(await card.locator(".todo").innerText(), /torch\._check\(n > 10\)/);
    assert.match(await card.locator(".values").innerText(), /n\s+u0/);
    assert.deepEqual(await card.locator(".exprs .expr > code").allInnerTexts(), ["u0 > 10", "u0"]);
    assert.match(await card.locator(".exprs .expr").nth(1).innerText(), /from tensor data/);
    await card.getByRole("button", { name: "stacks" }).first().click();
    await card
      .locator(".exprs")
      .getByText(/User stack, 3 frames/)
      .first()
      .waitFor();
  }));

test("a guard says its symbol's source", () =>
  open_(sampleReport("draft_export/specialises"), async (page) => {
    await eventually(() => kinds(page), ["! guard evaluated"]);
    assert.match(await cards(page).first().locator(".values").innerText(), /s77\s+L\['x'\]\.size\(\)\[0\]/);
    assert.match(await cards(page).first().locator(".exprs").innerText(), /s77\s*is\s*L\['x'\]/);
  }));

test("an export that fails by itself: what torch said, and advice for each", () =>
  open_(sampleReport("export_errors"), async (page) => {
    await eventually(
      () => kinds(page),
      ["✕ missing fake kernel", "✕ other error", "✕ data-dependent", "✕ constraint violation"],
    );
    assert.match(await cards(page).nth(0).locator(".todo").innerText(), /register_fake\("exp::no_fake"\)/);
    assert.match(await cards(page).nth(1).locator(".todo").innerText(), /torch\.cond/);
    assert.match(await cards(page).nth(3).locator(".todo").innerText(), /Dim\.AUTO/);
  }));

test("an export without failures says so", () =>
  open_(sampleReport("export_ok"), async (page) => {
    await page.getByText("No failures in the log").waitFor(); /* TORCH_TRACE has no programs */
    const said = ["TORCH_DTRACE", "TORCH_TRACE", "strict=False", "export_ok.py:29", "export_ok.py:30"];
    assert.deepEqual(await page.locator(".outcome code").allInnerTexts(), said);
    await page.getByText(/Whether the export succeeded is not in the log/).waitFor();
    await page.getByText("0 failures, no exported program in the log").waitFor();
    assert.equal(await cards(page).count(), 0);
  }));

test("filter by kind and text, in the address; the overview leads here", () =>
  visit(sampleReport("draft_export/all"), async (page, { open }) => {
    await open("index.html#/");
    await room(page, "Overview");
    await page.locator("main a.chip", { hasText: "2 data-dependent expressions" }).click();
    await room(page, "Export");
    await eventually(() => kinds(page), ["✕ data-dependent", "✕ data-dependent"]);
    await page.getByRole("searchbox").fill("u1 < 100");
    await eventually(() => kinds(page), ["✕ data-dependent"]);
    await page.getByRole("button", { name: /data-dependent/ }).click();
    assert.doesNotMatch(await hash(page), /kind/);
    await page.getByRole("searchbox").fill("");
    await eventually(async () => (await kinds(page)).length, 4);
    await page.getByText(/^Program of/).click();
    await page.locator(".cm-line", { hasText: "ExportedProgram" }).first().waitFor();
  }));

test("a log of torch.compile has no such room", () =>
  visit(sampleReport("simple"), async (page, { open }) => {
    await open("index.html#/");
    await room(page, "Overview");
    assert.equal(await page.locator("nav.rooms a", { hasText: "Export" }).count(), 0);
    await open("index.html#/export");
    await page.getByText("No torch.export in this log").waitFor();
  }));

test("an export by torch._dynamo.export is no torch.export, and named", () =>
  visit(fileReport("../corpus/dynamo_export"), async (page, { open }) => {
    await open("index.html#/export");
    await page.getByText("Exported by torch._dynamo.export").waitFor();
    assert.deepEqual(await page.locator("main .chip[href]").allInnerTexts(), ["✓\n0/0\u00a0#1", "✓\n1/0\u00a0#1"]);
  }));

test("--export: pages of guards without scripts, and the list in index.html", () => {
  const report = sampleReport("dtrace", "--export");
  return visit(report, { javaScriptEnabled: false }, async (page, { open }) => {
    await open("index.html");
    await page.getByRole("heading", { name: "Export" }).waitFor();
    const links = page.locator("td a", { hasText: "symbolic_guard_information" });
    assert.equal(await links.count(), 12);
    await page.locator("td a", { hasText: "symbolic_guard_information_8.html" }).click();
    await page.getByRole("heading", { name: "Guard evaluated: 2*s77 <= s17 + s86" }).waitFor();
    const text = await page.locator("main").innerText();
    for (const part of [
      "dynamic_shapes.py:47 in guards",
      "2*s77 > s17 + s86 = gt(2*s77, s17 + s86)",
      "s17 + s86 = add(s17, s86)",
      "L['x'].size()[0]",
    ])
      assert.ok(text.includes(part), part);
  });
});

test("--export: no failures, said without scripts", () =>
  visit(sampleReport("export_ok", "--export"), { javaScriptEnabled: false }, async (page, { open }) => {
    await open("index.html");
    await page.getByText(/No failures/).waitFor();
  }));

test("--export: everything else is there besides", () => {
  const report = sampleReport("draft_export/all", "--export");
  const names = readdirSync(report, { recursive: true }).map(String);
  for (const name of [
    "raw.log",
    "raw.jsonl",
    "report.json",
    "chromium_events.json",
    "compile_directory.json",
    "-_5_0_0/exported_program_0.txt",
  ])
    assert.ok(existsSync(join(report, name)), name);
  assert.equal(names.filter((name) => /symbolic_guard_information_\d+\.html$/.test(name)).length, 2);
  assert.equal(JSON.parse(readFileSync(join(report, "report.json"), "utf8")).export.failure_count, 4);
});

test("text of the log stays text; cycles and deep chains end", () => {
  const s = "<script>alert(1)</script>";
  const at = id(0);
  const frames = [{ line: 1, name: s, filename: 0, loc: s }];
  const log = [
    intern(`${s}.py`, 0),
    start(at),
    record({
      expression_created: {
        method: s,
        result: s,
        result_id: 1,
        arguments: [s],
        argument_ids: [2, 1],
        user_stack: frames,
        stack: frames,
      },
      ...at,
    }),
    record({
      expression_created: { method: "add", result: "loop", result_id: 2, arguments: ["x"], argument_ids: [1] },
      ...at,
    }),
    record({
      guard_added: {
        prefix: "eval",
        expr: s,
        expr_node_id: 1,
        user_stack: frames,
        stack: frames,
        symbol_to_sources: { [s]: s },
        frame_locals: { loc: s, locals: { [s]: [s, 3, null] }, symbols: { a: [s] } },
      },
      ...at,
    }),
    record({ missing_fake_kernel: { op: s }, ...at }),
    record({ mismatched_fake_kernel: { op: s, reason: s }, ...at }),
    metrics(at),
  ].join("");
  return visit(reportOf("export hostile", log), async (page, { open }) => {
    await open("index.html#/export");
    await eventually(async () => (await kinds(page)).length, 3);
    assert.match(await cards(page).first().locator(".exprs").innerText(), /expanded above/);
    assert.match(await cards(page).first().locator(".exprs").innerText(), /<script>/);
  });
});

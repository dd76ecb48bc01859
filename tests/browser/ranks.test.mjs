// Several ranks: what the landing page says, the pictures, the aligned schedules, and the diff of two ranks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { manyRanksLogs } from "./lib/log.mjs";
import { bigTest, folderReport, sampleFolder, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const desync = folderReport("ranks4_desync");
const logOf = (rank) =>
  join(
    sampleFolder("ranks4_desync"),
    readdirSync(sampleFolder("ranks4_desync")).find((file) => file.includes(`_rank_${rank}_`)),
  );
/** Ranks that did the same, of which one has no log and one an empty one. */
const alike = (name, extra = () => undefined) =>
  folderReport(name, (folder) => {
    for (const rank of [0, 1, 3])
      copyFileSync(logOf(0), join(folder, `dedicated_log_torch_trace_rank_${rank}_x.log.zst`));
    extra(folder);
  });

const groups = async (page, aspect) => {
  await page.locator(".by-aspect").evaluate((details) => (details.open = true));
  const chips = await page.locator(`#aspect-${aspect} .groups .rank-chip`).allInnerTexts();
  return chips.map((text) => text.replace(/\s*\(\d+\)$/, "").trim()).sort();
};

const causes = (page) => page.locator(".cause h3").allInnerTexts();

test("the landing page says first why the ranks diverge, then in what", () =>
  visit(desync, async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    assert.match(await page.locator(".verdict h2").innerText(), /Rank divergence: 5 root causes/);
    // As the program says: tests/data/scripts/ranks4_desync.py.
    assert.deepEqual(await causes(page), [
      "Rank 1 compiles extra, the others do not",
      "Rank 2 takes a different branch at ranks4_desync.py:33, with first == False",
      "Rank 0 misses the cache for cached, the others hit it",
      "Rank 3 compiles local with different input sizes",
      "Rank 3 recompiles local for the size 5 of x at index 0, the others do not",
    ]);
    const branch = page.locator(".cause", { hasText: "different branch" });
    assert.match(
      (await branch.locator("tr").first().innerText()).replace(/\s+/g, " "),
      /0, 1, 3 1\/0 on rank 0 ranks4_desync\.py:30 in a: .*all_reduce/,
    );
    assert.match(
      await branch.locator(".consequences").innerText(),
      /collectives[^]*all_gather_into_tensor, all_reduce_/,
    );
    assert.deepEqual(await branch.locator(".consequences code").allInnerTexts(), [
      "f",
      "first == True",
      "first == False",
      "f",
      "all_gather_into_tensor, all_reduce_",
      "f",
    ]);
    assert.match(
      await page.locator(".verdict header p").first().innerText(),
      /different collectives .*may hang or time out/,
    );
    assert.match(await page.locator(".verdict .alike").innerText(), /Execution order: not comparable on ranks 1–3/);
    assert.deepEqual(await groups(page, "compile_ids"), ["0, 2", "1", "3"]);
    assert.deepEqual(await groups(page, "cache"), ["0", "1–3"]);
    assert.deepEqual(await groups(page, "collectives"), ["0, 1, 3", "2"]);
    assert.deepEqual(await groups(page, "tensor_meta"), ["0, 1", "2", "3"]);
    assert.equal(
      await page.locator("#aspect-execution_order").count(),
      0,
      "cached graphs go by the ids of other compiles",
    );
    const ids = await page.locator("#aspect-compile_ids .first").innerText();
    assert.match(ids, /reduce at .*:17/);
    assert.match(ids, /extra at .*:22/);
    assert.match(
      await page.locator(".rank-finding", { hasText: "recompiled" }).first().innerText(),
      /local recompiled once[^]*3/,
    );
    const order = await page.locator(".by-aspect .aspect h3").allInnerTexts();
    assert.deepEqual(order.slice(0, 2), ["Collectives", "Compile ids"], "what hangs a job comes first");
  }));

test("a bad log costs only its rank, and the page says which and why", () => {
  const bad = alike("ranks_bad", (folder) => {
    writeFileSync(
      join(folder, "dedicated_log_torch_trace_rank_4_x.log.gz"),
      Buffer.from("1f8b08000000000000031234", "hex"),
    );
    const whole = readFileSync(logOf(1));
    writeFileSync(join(folder, "dedicated_log_torch_trace_rank_2_x.log.zst"), whole.subarray(0, whole.length / 2));
  });
  return visit(bad, async (page, { open }) => {
    await open("index.html");
    const said = await page.locator(".lacking").innerText();
    assert.match(said, /✕ bad log\s+rank 4 is left out: [^]*gzip/i);
    assert.match(said, /≠ damaged\s+rank 2: [^]*zstd/i);
    const row = page.locator(".ranks-table .grid-row", { hasText: "rank 4" });
    assert.match(await row.innerText(), /✕ bad log/);
    assert.equal(await row.getByRole("link").count(), 0, "there is nothing to go to");
    await page.locator(".ranks-table .grid-row", { hasText: "rank 3" }).getByRole("link").click();
    await room(page, "Overview");
  });
});

test("the table of ranks leads to each rank's report, and that leads back", () =>
  visit(desync, async (page, { open }) => {
    await open("index.html");
    const row = page.locator(".ranks-table .grid-row", { hasText: "rank 3" });
    assert.match(await row.innerText(), /✓ ok\s+5\s+0/);
    await row.getByRole("link").click();
    await room(page, "Overview");
    assert.match(page.url(), /rank_3\/index\.html/);
    await page.locator(".rooms .up a", { hasText: "All ranks" }).click();
    await room(page, "All ranks");
    assert.ok(!page.url().includes("rank_3"));
  }));

test("from a compile of a rank to the same one of another rank", () =>
  visit(desync, async (page, { open }) => {
    await open("rank_2/index.html#/c/1%2F0");
    await page.locator(".rooms .up a", { hasText: "Diff" }).click();
    await room(page, "Diff");
    await page.locator(".graph-diff .says").waitFor();
    assert.equal(await page.getByLabel("Left", { exact: true }).inputValue(), "rank_2");
    assert.equal(await page.getByLabel("Compile of rank 2").inputValue(), "1/0");
  }));

test("ranks × ids: a picture that keys and the mouse walk", () =>
  visit(desync, async (page, { open }) => {
    await open("index.html#/ranks");
    await room(page, "Compile matrix");
    assert.match(
      await page.locator(".matrix-legend").innerText(),
      /compiled 18[^]*not compiled 6[^]*different function 4/,
    );
    for (const key of ["ArrowDown", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowLeft"])
      await page.keyboard.press(key);
    await eventually(
      () => page.locator(".matrix-legend .said").innerText(),
      "rank 0 · 0/0 · ✓ compiled · 34.9\u00a0s · reduce at /home/user/src/ranks4_desync.py:17",
    );
    await page.keyboard.press("ArrowDown");
    assert.match(await page.locator(".matrix-legend .said").innerText(), /rank 1 .* ≠ extra at/);
    await page.getByRole("button", { name: "by time" }).click();
    // The selection comes into the address a moment later: before or after the color.
    await eventually(
      async () => (await hash(page)).split(/[?&]/).sort(),
      ["#/ranks", "by=time", "cell=rank_1%2C0%2F0"],
    );
    await page.keyboard.press("Enter");
    await room(page, "0/0");
    assert.match(page.url(), /rank_1\/index\.html#\/c\/0%2F0/);
  }));

test("collectives: aligned, so that another order is seen; equal ones under other ids are no difference", () =>
  visit(desync, async (page, { open }) => {
    await open("index.html#/ranks/collectives");
    await room(page, "Collectives");
    const heads = await page.getByRole("columnheader").allInnerTexts();
    assert.deepEqual(
      heads.slice(2),
      ["ranks 0, 1, 3, ids of rank 0", "rank 2"],
      "rank 1 issues the same, under other ids",
    );
    assert.match(await page.locator(".notice").first().innerText(), /2 reordered/);
    const cells = await page
      .locator(".grid-row")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.innerText.trim())));
    assert.deepEqual(
      cells.filter((row) => /all_reduce_/.test(row[1])).map((row) => row[3].replace(/\s+/g, " ")),
      ["✓ 0/0", "⇅ moved away", "⇅ 1/0 moved here"],
    );
    await page.getByLabel(/differences only/).check();
    await eventually(() => page.locator(".grid-row").count(), 4);
  }));

test("execution order: graphs from a cache are not compared", () =>
  visit(desync, async (page, { open }) => {
    await open("index.html#/ranks/order");
    await room(page, "Execution order");
    assert.match(await page.locator(".notice").innerText(), /not comparable\s+ranks 1–3 ran cached graphs/i);
    assert.equal(await page.locator(".grid-row", { hasText: "✓" }).count(), 0);
    assert.match((await page.locator(".grid-row").nth(1).innerText()).replace(/\s+/g, " "), /2\/0 cached/);
  }));

test("execution order: functions are compared, not ids", () =>
  visit(folderReport("ranks2_sizes"), async (page, { open }) => {
    await open("index.html#/ranks/order");
    await room(page, "Execution order");
    assert.match(await page.locator(".notice").innerText(), /same collectives in the same order/);
    assert.equal(await page.locator(".grid-row", { hasText: "✓" }).count(), 2);
  }));

/** Rank 1 stops in the middle of a compile; rank 2 has no schedules; rank 3 is of another PyTorch. */
const ended = folderReport("ended", (folder) => {
  const log = execFileSync("zstd", ["-dc", logOf(0)], { maxBuffer: 1 << 28 }).toString("latin1");
  const records = log.split(/\n(?=[VIWEC]\d{4} )/);
  const write = (rank, text) =>
    writeFileSync(join(folder, `dedicated_log_torch_trace_rank_${rank}_x.log`), text, "latin1");
  const begun = records.findIndex(
    (record) =>
      record.includes('"frame_id": 3') &&
      record.includes('"name": "Scheduler.__init__"') &&
      record.includes('"ph": "B"'),
  );
  assert.ok(begun > 0);
  write(0, log);
  write(1, `${records.slice(0, begun + 1).join("\n")}\n`);
  write(
    2,
    `${records.filter((record) => !record.includes("inductor_collective_schedule") && !record.includes("dynamo_cpp_guards_str")).join("\n")}`,
  );
  write(3, log.replace(/"pytorch_version": "[^"]*"/, '"pytorch_version": "2.1.0"'));
});

test("a rank that stops, one that logs less, one of another job: each is said, none is a difference", () =>
  visit(ended, async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    assert.deepEqual(await causes(page), [
      "Rank 1 ends inside Scheduler.__init__ of 3/0, ranks 0 and 2 finished their compiles",
    ]);
    assert.match(
      (await page.locator(".ranks-ends tbody tr").first().innerText()).replace(/\s+/g, " "),
      /1 Scheduler\.__init__ 3\/0 .*in local .* earlier/,
    );
    assert.match(await page.locator(".ranks-table .grid-row", { hasText: "rank 1" }).innerText(), /✕ unfinished/);
    assert.match(
      await page.locator(".ranks-notes").innerText(),
      /log of rank 3 is from another job: PyTorch 2\.1\.0, not 2\.15\.0/,
    );
    assert.match(
      await page.locator(".verdict .alike").innerText(),
      /✓ Collectives[^]*✓ Guards( \(of common functions\))? \(not logged on rank 2\)/,
    );
    assert.match(
      await page.locator(".verdict header p").first().innerText(),
      /same collectives in the same order \(in the output code\)/,
    );
  }));

test("what is shown of logs together says of which: the matrix, the timeline, the times, the records", () =>
  visit(ended, async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    assert.match(
      await page.locator("aside").innerText(),
      /torch\s+2\.15\.0[^]*times: compared ranks[^]*max compile time\s[^]*min compile time\s/,
    );
    await open("index.html#/ranks");
    await room(page, "Compile matrix");
    assert.match(await page.locator("main").innerText(), /4 ranks × \d+ compile ids; rank 3 of another job/);
    await open("index.html#/timeline");
    await room(page, "Timeline");
    await page.locator(".notice", { hasText: "Rank 3 left out: its log is of another job" }).waitFor();
    assert.match(await page.locator(".totals .note").innerText(), /sum of 3 logs/);
    await open("index.html#/log");
    await room(page, "Log");
    const log = await page.locator("main").innerText();
    assert.doesNotMatch(log, /no line that TORCH_TRACE wrote|No records/);
    assert.match(log, /Each log has a Log page[^]*rank 0, rank 1, rank 2, rank 3/);
    await page.getByRole("link", { name: "rank 2", exact: true }).click();
    await page.locator(".kinds tbody tr").first().waitFor();
  }));

const missing = folderReport("ranks3_missing");

test("ranks that compile different functions are alike in those that all compile", () =>
  visit(missing, async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    const alike = await page.locator(".verdict .alike").innerText();
    assert.match(alike, /✓ Dynamo graphs \(of common functions\)/);
    assert.match(alike, /✓ Configuration\s*(✓|$)/);
  }));

test("recompiles are compared by their cause: one that a rank alone has shifts no others", () =>
  visit(folderReport("../corpus/ddp_last_batch"), async (page, { open }) => {
    await open("index.html");
    await page.locator(".verdict").waitFor();
    assert.deepEqual(await causes(page), [
      "Rank 1 recompiles inner (DistributedDataParallel) for the size 6 of args[0] at index 0, rank 0 does not",
    ]);
    assert.doesNotMatch(await page.locator(".cause .first").innerText(), /grad_mode/);
    await page.locator(".by-aspect summary").click();
    const recompiles = page.locator("#aspect-recompiles");
    assert.match(await recompiles.locator(".first").innerText(), /^First difference\n[^]*none[^]*actual 6/);
    assert.equal(await recompiles.locator(".more-of a").count(), 0, "nothing to compare it with");
    await page.locator("#aspect-guards .more-of a", { hasText: "Diff" }).click();
    await room(page, "Diff");
    await eventually(() => page.getByLabel("Compile of rank 1").inputValue(), "0/2");
    await open("index.html#/ranks/diff?a=rank_0&b=rank_1&id=4%2F1");
    await eventually(() => page.getByLabel("Compile of rank 1").inputValue(), "4/2");
  }));

test("runtime says why it is not available", () =>
  visit(desync, async (page, { open }) => {
    await open("index.html#/ranks/runtime");
    await room(page, "Runtime estimates");
    assert.match(await page.locator(".state").innerText(), /Not available[^]*All estimates are 0/);
  }));

test("diff: the artifacts of both ranks, and what always differs left out", () =>
  visit(desync, async (page, { open, requests }) => {
    await open("index.html#/ranks/diff?a=rank_0&b=rank_3&id=0%2F0&name=dynamo_cpp_guards_str");
    await room(page, "Diff");
    await page.locator(".chip", { hasText: "same except noise" }).waitFor();
    assert.ok(requests.some((url) => url.endsWith("rank_3/data/report.js")));
    await page.getByLabel("Show noise").check();
    await page.locator(".num .minus").waitFor();
    assert.ok((await page.locator(".diff-row.changed").count()) > 3);
    assert.ok((await page.locator(".diff-row b").count()) > 3, "what differs in a line is marked");
    await page.getByLabel("Show noise").uncheck();
    await page.locator(".chip", { hasText: "same except noise" }).waitFor();
  }));

test("diff: compiles answer to each other by their function, not by their id", () =>
  visit(desync, async (page, { open }) => {
    await open("index.html#/ranks/diff?a=rank_0&b=rank_1&id=1%2F0&name=inductor_collective_schedule");
    await page.locator(".notice", { hasText: "rank 0 compiled f as 1/0, rank 1 as 2/0" }).waitFor();
    assert.equal(await page.getByLabel("Compile of rank 1").inputValue(), "2/0");
    await page.locator(".chip", { hasText: "same" }).waitFor();
    await page.getByLabel("Right", { exact: true }).selectOption("rank_2");
    await eventually(() => page.getByLabel("Compile of rank 2").inputValue(), "1/0");
    await page.locator(".artifact .num .plus").waitFor();
    const added = await page.locator(".diff-row .t.plus").allInnerTexts();
    assert.ok(
      added.some((text) => /all_gather|all_reduce/.test(text)),
      `${added}`,
    );
    await page.getByRole("button", { name: "Split" }).click();
    await eventually(() => page.locator(".rows.unified").count(), 1);
    await page.keyboard.press("n");
    await eventually(() => page.locator(".diff-row.at").count(), 1);
    await page.getByRole("button", { name: "Swap left and right" }).click();
    await eventually(() => page.getByLabel("Left", { exact: true }).inputValue(), "rank_2");
    await eventually(() => page.getByLabel("Compile of rank 0").inputValue(), "1/0");
  }));

test("diff: the list tells which artifacts differ", () =>
  visit(desync, async (page, { open }) => {
    await open("index.html#/ranks/diff?a=rank_0&b=rank_3&id=2%2F0");
    await page.locator(".artifacts h2", { hasText: / differ$/ }).waitFor();
    const graph = page.locator(".artifacts a", { hasText: "dynamo_output_graph" });
    assert.match(await graph.getAttribute("title"), /identical|differs/);
    assert.ok((await page.locator(".diff-mark.differs, .diff-mark.a, .diff-mark.b").count()) > 0);
    assert.ok((await page.locator(".diff-mark.same").count()) > 3);
  }));

test("ranks that are missing, and logs that hold nothing", () =>
  visit(
    alike("lacking", (folder) => writeFileSync(join(folder, "dedicated_log_torch_trace_rank_4_x.log"), "")),
    async (page, { open }) => {
      await open("index.html");
      const text = await page.locator(".lacking").innerText();
      assert.match(text, /missing\s+Rank 2 has no log/);
      assert.match(text, /empty log\s+Rank 4/);
      assert.match(text, /Rank 4: no readable record in the log\. Not compared/);
      assert.match(await page.locator(".verdict h2").innerText(), /The logged ranks agree/);
    },
  ));

test("ranks whose logs end in different spans: what is not compared is not said to agree, and whose clock it is", () =>
  visit(folderReport("rank_causes/hangs_apart"), async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    const chips = await page.locator(".verdict .alike").innerText();
    assert.match(chips, /○ Dynamo graphs: not compared[^]*○ Guards: not compared/);
    assert.doesNotMatch(chips, /No graphs|No guards/);
    const ends = await page.locator(".ranks-ends").innerText();
    assert.match(ends, /Compile open for/);
    assert.match(ends, /clocks of the hosts, which may differ/);
  }));

test("ranks whose compiles all failed: nothing is said of graphs and collectives", () =>
  visit(folderReport("compiler_collective"), async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    const verdict = await page.locator(".verdict").innerText();
    assert.match(verdict, /Every compile failed on all ranks/);
    assert.match(verdict, /No graph was compiled, so the logs say nothing about collectives/);
    assert.doesNotMatch(verdict, /contain no collectives|✓ No graphs|✓ No collectives/);
    await open("index.html#/ranks/collectives");
    await page.getByText("No graph was compiled, so the logs say nothing about collectives.").waitFor();
  }));

test("ranks that agree: the page says so, and in what", () =>
  visit(alike("alike"), async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    assert.match(await page.locator(".verdict h2").innerText(), /The logged ranks agree/, "rank 2 is missing");
    assert.equal(await page.locator(".aspect").count(), 0);
    assert.match(await page.locator(".verdict .alike").innerText(), /✓ Compile ids[^]*✓ Cache results/);
    await open("index.html#/ranks/collectives");
    await page.locator(".notice", { hasText: "identical" }).waitFor();
    await open("index.html#/ranks?merge=1");
    await page.locator(".head .sub", { hasText: "1 pattern" }).waitFor();
  }));

test("two ranks with other sizes part in their tensors, in nothing that hangs", () =>
  visit(folderReport("ranks2_sizes"), async (page, { open }) => {
    await open("index.html");
    assert.deepEqual(await causes(page), ["Rank 0 and rank 1 compile g with different input sizes"]);
    await page.locator(".by-aspect summary").click();
    assert.match(
      await page.locator("#aspect-tensor_meta .first").innerText(),
      /0[^]*1\/0[^]*\[8,[^]*1[^]*1\/0[^]*\[1024,/,
    );
    for (const aspect of ["compile_ids", "collectives", "execution_order", "cache"])
      assert.equal(await page.locator(`#aspect-${aspect}`).count(), 0, aspect);
    assert.match(await page.locator(".verdict .alike").innerText(), /✓ Collectives[^]*✓ Compile ids/);
    await page.locator("#aspect-tensor_meta .more-of a", { hasText: "Diff" }).click();
    await room(page, "Diff");
    await page.locator(".diff-row b", { hasText: "1024" }).first().waitFor();
  }));

test("several ranks in one file: the first rank's report has the rooms of all ranks", () =>
  visit(sampleReport("interleaved"), async (page, { open }) => {
    await open("index.html");
    await room(page, "Overview");
    await page
      .locator(".rooms")
      .getByRole("link", { name: /^All ranks/ })
      .click();
    await room(page, "All ranks");
    assert.match(
      await page.locator(".verdict header").innerText(),
      /issue the same collectives in the same order \(in the Dynamo graphs\)/,
    );
    const text = await page.locator(".lacking").innerText();
    assert.match(text, /360 skipped lines in the log, which all ranks share/);
    assert.doesNotMatch(text, /log of rank 1/);
    assert.equal(await page.locator(".ranks-table .grid-row").count(), 3);
    await page.locator(".ranks-table").getByRole("link", { name: "rank 2" }).click();
    await room(page, "Overview");
    assert.match(page.url(), /rank_2\/index\.html/);
    await open("index.html#/ranks/diff");
    await page.locator(".graph-diff .says").waitFor();
  }));

test("every room of ranks opens from the navigation without a fault, on a phone too", () =>
  visit(desync, { viewport: { width: 390, height: 844 } }, async (page, { open }) => {
    await open("index.html");
    for (const [link, title] of [
      ["Compile matrix", "Compile matrix"],
      ["Collectives", "Collectives"],
      ["Execution order", "Execution order"],
      ["Runtime estimates", "Runtime estimates"],
      ["Diff", "Diff"],
      ["Log", "Log"],
      ["Overview", "All ranks"],
    ]) {
      await page.getByRole("button", { name: "Menu" }).click();
      await page
        .locator(".rooms")
        .getByRole("link", { name: new RegExp(`^${link}`) })
        .click();
      await room(page, title);
      assert.equal(await page.locator(".state.failed").count(), 0, title);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${title} is wider than the phone`,
      );
    }
  }));

bigTest("hundreds of ranks: groups as ranges, a table and a picture of what is in view", () =>
  visit(folderReport("many", manyRanksLogs), async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    assert.deepEqual(await groups(page, "compile_ids"), ["0–49, 51–76, 78–299", "50", "77"]);
    assert.ok((await page.locator(".ranks-table .grid-row").count()) < 60, "only the rows in view are in the document");
    await open("index.html#/ranks");
    await page.locator(".matrix canvas").waitFor();
    const drawn = await page.locator(".matrix canvas").boundingBox();
    assert.ok(drawn.height <= 720, "only what is in view is drawn");
    await page.getByLabel("merge equal ranks").check();
    await page.locator(".head .sub", { hasText: "3 patterns" }).waitFor();
  }),
);

/** The log of ranks that did the same, rank 1 of another configuration. */
const configured = folderReport("configured", (folder) => {
  const log = execFileSync("zstd", ["-dc", logOf(0)], { maxBuffer: 1 << 28 }).toString("latin1");
  const other = log
    .replaceAll('\\"max_autotune\\": false', '\\"max_autotune\\": true')
    .replaceAll('\\"max_autotune\\":false', '\\"max_autotune\\":true');
  assert.notEqual(log, other, "the log has such a setting");
  for (const rank of [0, 1, 2])
    writeFileSync(join(folder, `dedicated_log_torch_trace_rank_${rank}_x.log`), rank === 1 ? other : log, "latin1");
});

test("a configuration that differs between ranks: in the verdict, with the settings and their ranks", () =>
  visit(configured, async (page, { open }) => {
    await open("index.html");
    await room(page, "All ranks");
    assert.deepEqual(await groups(page, "configuration"), ["0, 2", "1"]);
    assert.deepEqual(await causes(page), ["Rank 1 has different settings: inductor.max_autotune"]);
    assert.match(await page.locator("#aspect-configuration .first").innerText(), /inductor\.max_autotune/);
    const row = page.locator(".ranks-config tr");
    assert.equal(await row.count(), 1);
    assert.match((await row.innerText()).replace(/\s+/g, " "), /inductor\.max_autotune false 0, 2 true 1/);
  }));

test("a rank's own page says in which group it is, opened alone or by way of all ranks", () =>
  visit(desync, async (page, { open }) => {
    await open("rank_3/index.html");
    await room(page, "Overview");
    const row = (title) => page.locator(".rank-place li", { hasText: title });
    const said = async (title) => (await row(title).innerText()).replace(/\s+/g, " ");
    await eventually(async () => /group C of 3 alone differs first at \[/.test(await said("Compile ids")), true);
    assert.equal(await row("Collectives").count(), 0, "most ranks are like this one");
    assert.match(await page.locator(".rank-place").innerText(), /Rank 3 compiles local with different input sizes/);
    await row("Compile ids").locator(".parts-at a").click();
    await eventually(() => hash(page), "#/c/0%2F0");
    await open("index.html");
    await page.locator(".ranks-table .grid-row", { hasText: "rank 1" }).getByRole("link").click();
    await eventually(async () => /group B of 3/.test(await said("Compile ids")), true);
    await page.locator(".rank-place").getByRole("link", { name: "All ranks" }).click();
    await page.locator("#aspect-compile_ids").waitFor({ state: "attached" });
  }));

test("ranks of one file have it too, ranks that agree have none", async () => {
  await visit(sampleReport("interleaved"), async (page, { open }) => {
    await open("rank_2/index.html");
    await page.locator(".rank-place li").first().waitFor();
  });
  await visit(alike("alike"), async (page, { open }) => {
    await open("rank_1/index.html");
    await room(page, "Overview");
    await page.locator(".finding, .state").first().waitFor();
    assert.equal(await page.locator(".rank-place").count(), 0);
  });
});

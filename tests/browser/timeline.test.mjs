// The timeline: what happened when, over real logs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, downloaded, eventually, hash, room, rows, soon, visit } from "./lib/browser.mjs";
import { id, intern, manySpansLog, record, start } from "./lib/log.mjs";
import { bigTest, folderReport, reportOf, sampleReport } from "./lib/report.mjs";
import { serve } from "./lib/server.mjs";

after(closeBrowser);
const gpt2 = sampleReport("gpt2");
const facts = (report) => JSON.parse(readFileSync(join(report, "report.json"), "utf8")).timeline;
const box = (page) => page.locator(".flame-box");
const detail = (page) => page.locator(".timeline-below .detail");
/** The span whose facts are shown. */
const chosen = (page, name) =>
  eventually(async () => (await detail(page).locator("h2").innerText()).split("\n")[0], name);
const inView = (page) => page.locator(".flame-tools .num").innerText();

async function timeline(page, open, query = "") {
  await open(`index.html#/timeline${query}`);
  await room(page, "Timeline");
  await box(page).waitFor();
}

/** How many colors a strip of the canvas has: a picture has several, an empty one has one. */
const colors = (page) =>
  page.locator(".flame-box canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, Math.min(canvas.height, 300));
    const seen = new Set();
    for (let i = 0; i < data.length; i += 16) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  });

test("the chart is drawn, with the numbers of report.json beside it", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open);
    const known = facts(gpt2);
    assert.match(
      await page.locator("header.head .sub").innerText(),
      new RegExp(`^${known.spans} spans and ${known.instants} instants in 68`),
    );
    await eventually(async () => (await colors(page)) > 5, true);
    const first = await page.locator(".totals .grid-row").first().innerText();
    assert.match(
      first,
      new RegExp(`${known.totals[0].name.replace(/[.]/g, "\\.")}\\s+${known.totals[0].count}\\s+49\\.1`),
    );
  }));

test("arrow keys go from span to span, and a span leads to its compile", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open);
    await box(page).focus();
    await page.keyboard.press("ArrowDown");
    await chosen(page, "dynamo");
    await page.keyboard.press("ArrowDown");
    await chosen(page, "entire_frame_compile");
    await eventually(async () => /fn_name\s+_compile\.compile_inner/.test(await detail(page).innerText()), true); // read when asked for
    await page.keyboard.press("ArrowUp");
    await chosen(page, "dynamo");
    await page.keyboard.press("ArrowRight");
    await chosen(page, "entire_backward_compile");
    await detail(page).locator("a.chip").click();
    await room(page, "0/0");
  }));

test("a click chooses the bar beneath the pointer, a second one fills the width with it; the state survives a reload", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open);
    await box(page).click({ position: { x: 60, y: 22 + 18 + 9 } });
    await chosen(page, "dynamo");
    await page.getByRole("button", { name: "Zoom to span" }).click();
    await eventually(async () => /^3\d/.test(await inView(page)), true);
    await eventually(async () => /v=\d+-\d+/.test(await hash(page)) && /s=\d/.test(await hash(page)), true);
    const seen = await inView(page);
    await page.reload();
    await box(page).waitFor();
    await eventually(() => inView(page), seen);
    assert.match(await detail(page).innerText(), /^dynamo/);
  }));

const scrolled = (page) => box(page).evaluate((element) => element.scrollTop);

test("the plain wheel scrolls, Ctrl+wheel zooms around the pointer, Shift+wheel pans", () =>
  visit(folderReport("ranks4_desync"), async (page, { open }) => {
    await timeline(page, open);
    const all = await inView(page);
    const { width } = await box(page).boundingBox();
    await box(page).hover({ position: { x: width / 2, y: 100 } });
    await page.mouse.wheel(0, 200);
    await eventually(async () => (await scrolled(page)) > 0, true, "scrolls");
    assert.equal(await inView(page), all);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -400);
    await page.keyboard.up("Control");
    await eventually(async () => (await inView(page)) !== all, true, "zooms");
    const view = async () => (/v=(\d+)-(\d+)/.exec(await hash(page)) ?? []).slice(1).map(Number);
    await eventually(async () => (await view()).length, 2);
    const [from, to] = await view();
    const { duration_us } = facts(folderReport("ranks4_desync"));
    assert.ok(Math.abs((from + to) / 2 / duration_us - 0.5) < 0.02, "what is under the pointer stays there");
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, 100);
    await page.keyboard.up("Shift");
    await eventually(async () => (await view())[0] > from, true, "pans");
  }));

test("keys and buttons zoom and pan; 0 shows all again", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open);
    const all = await inView(page);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await eventually(async () => (await inView(page)) !== all, true);
    await box(page).focus();
    await page.keyboard.press("0");
    await eventually(() => inView(page), all);
    for (const [near, far] of [
      ["w", "s"],
      ["+", "-"],
    ]) {
      await page.keyboard.press(near);
      await eventually(async () => (await inView(page)) !== all, true, near);
      await page.keyboard.press(far);
      await eventually(() => inView(page), all, far);
    }
    await page.keyboard.press("0"); // the address follows each change a little later: let it forget those above
    await eventually(async () => /v=/.test(await hash(page)), false);
    await page.keyboard.press("w"); // once
    await eventually(async () => /v=/.test(await hash(page)), true);
    const from = async () => Number(/v=(\d+)-/.exec(await hash(page))?.[1] ?? -1);
    const before = await from();
    await page.keyboard.press("d");
    await eventually(async () => (await from()) > before, true);
    const right = await from();
    const place = await box(page).boundingBox();
    await page.mouse.move(place.x + 300, place.y + 200);
    await page.mouse.down();
    await page.mouse.move(place.x + 500, place.y + 200, { steps: 5 });
    await page.mouse.up();
    await eventually(async () => (await from()) < right, true);
  }));

/** Touches as a browser makes them of fingers. */
async function touch(page, steps) {
  const session = await page.context().newCDPSession(page);
  const points = (list) => list.map(([x, y], id) => ({ x, y, id }));
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: points(steps[0]) });
  for (const step of steps.slice(1))
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: points(step) });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

test("one finger moves, two come nearer and go farther, a tap chooses", () =>
  visit(gpt2, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page, { open }) => {
    await timeline(page, open);
    const all = await inView(page);
    const { x, y, width } = await box(page).boundingBox();
    const row = y + 100;
    const mid = x + width / 2;
    const fingers = (half) => [
      [mid - half, row],
      [mid + half, row],
    ];
    await touch(page, [20, 40, 60, 80, 100, 120].map(fingers));
    await eventually(async () => /v=\d+-\d+/.test(await hash(page)), true);
    const view = async () =>
      /v=(\d+)-(\d+)/
        .exec(await hash(page))
        .slice(1)
        .map(Number);
    const duration = facts(gpt2).duration_us;
    // The address may be that of an earlier moment of the gesture.
    const times = async () => (([from, to]) => duration / (to - from))(await view());
    await eventually(async () => Math.abs((await times()) - 6) < 0.1, true);
    const [from, to] = await view();
    assert.ok(
      (from + to) / 2 > duration * 0.4 && (from + to) / 2 < duration * 0.6,
      "what was between the fingers stays there",
    );
    await touch(
      page,
      [100, 60, 20, -20, -60].map((dx) => [[mid + dx, row]]),
    );
    // The bar stays beneath the finger.
    const moved = async () => ((await view())[0] - from) / (to - from);
    await eventually(async () => Math.abs((await moved()) - 160 / width) < 0.05, true);
    const [left, right] = await view();
    assert.ok(Math.abs(right - left - (to - from)) < 10, "moving keeps the width");
    await touch(page, [120, 90, 60, 30, 20, 12].map(fingers));
    await touch(page, [120, 90, 60, 30, 20, 12].map(fingers));
    await eventually(() => inView(page), all);
    await touch(page, [[[mid, y + 40]]]);
    await eventually(async () => /s=\d/.test(await hash(page)), true);
  }));

test("search marks names and compile ids, and goes from one to the next", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open);
    await page.keyboard.press("/");
    await page.keyboard.type("compile_file");
    await eventually(() => page.locator(".timeline-find .num").innerText(), "60 found");
    await page.keyboard.press("Enter");
    await chosen(page, "compile_file");
    const first = await hash(page);
    await page.keyboard.press("Enter");
    await eventually(async () => (await hash(page)) !== first, true);
    await page.getByRole("searchbox").fill("0/1 dynamo");
    await eventually(async () => /^[1-9]\d* found$/.test(await page.locator(".timeline-find .num").innerText()), true);
    await page.getByRole("searchbox").fill("no such thing");
    await eventually(() => page.locator(".timeline-find .num").innerText(), "0 found");
  }));

test("totals are sorted, a name in them marks its spans, a range has totals of its own", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open);
    const totals = page.locator(".totals");
    await totals.getByRole("columnheader", { name: "Count" }).getByRole("button").click();
    await eventually(async () => /sort=-count/.test(await hash(page)), true);
    const counts = (await totals.locator(".grid-row").allInnerTexts())
      .slice(0, 5)
      .map((text) => Number(text.split(/\s+/)[1]));
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => b - a),
    );
    await totals.getByRole("button", { name: "compile_file" }).click();
    await eventually(() => page.locator(".timeline-find .num").innerText(), "60 found");
    const whole = await totals.locator(".note").innerText();
    const place = await box(page).boundingBox();
    await page.keyboard.down("Shift");
    await page.mouse.move(place.x + 100, place.y + 100);
    await page.mouse.down();
    await page.mouse.move(place.x + 200, place.y + 100, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await eventually(async () => /in the range/.test(await totals.locator(".note").innerText()), true);
    assert.notEqual(await totals.locator(".note").innerText(), whole);
    assert.match(await hash(page), /r=\d+-\d+/);
    await box(page).focus();
    await page.keyboard.press("Escape");
    await eventually(async () => /in the range/.test(await totals.locator(".note").innerText()), false);
  }));

test("the same as a table, which is sorted and leads to the detail", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open, "?q=%3Dcompile_file");
    await page.getByRole("button", { name: "Table" }).click();
    const table = page.getByRole("grid", { name: "Spans" });
    await eventually(() => table.getAttribute("aria-rowcount"), "61");
    await table.getByRole("button", { name: "Duration" }).click();
    await eventually(async () => /5\.43.s/.test(await table.locator(".grid-row").first().innerText()), true);
    await table.locator(".grid-row").first().locator(".mono").first().click();
    await chosen(page, "compile_file");
  }));

test("one click saves the file for Perfetto", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open);
    const link = page.getByRole("link", { name: "Perfetto trace" });
    assert.equal(await link.getAttribute("download"), "chromium_events.json");
    assert.match(await link.getAttribute("href"), /chromium_events\.json$/);
    assert.match(await link.getAttribute("title"), /ui\.perfetto\.dev/);
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const events = JSON.parse(await downloaded(download));
    assert.equal(download.suggestedFilename(), "chromium_events.json");
    const spans = events.filter((event) => event.ph === "X");
    assert.equal(spans.length, facts(gpt2).spans);
    assert.equal(Math.min(...spans.map((span) => span.ts)), facts(gpt2).start_us);
    assert.ok(
      spans.some(
        (span) =>
          span.name === "entire_frame_compile" &&
          span.args.compile_id === "0/1" &&
          span.args.fn_name === "_compile.compile_inner",
      ),
    );
  }));

test("a bar says its compile id and function, and its phase", () =>
  visit(gpt2, async (page, { open }) => {
    await timeline(page, open);
    await eventually(
      async () =>
        /Dynamo\s+AOTAutograd\s+graph passes\s+Inductor/.test(await page.locator(".flame-legend").innerText()),
      true,
    );
    await box(page).hover({ position: { x: 60, y: 22 + 18 + 9 } });
    await eventually(
      async () => /^\[0\/0\] wrapper \(GPT2LMHeadModel\)\ndynamo\n/.test(await page.locator(".flame-tip").innerText()),
      true,
    );
    await box(page).click({ position: { x: 60, y: 22 + 18 + 9 } });
    await eventually(
      async () => /function\s+wrapper \(GPT2LMHeadModel\)\s+phase\s+Dynamo/.test(await detail(page).innerText()),
      true,
    );
    await box(page).focus();
    await page.keyboard.press("ArrowRight");
    await eventually(
      async () => /function\s+wrapper \(GPT2LMHeadModel\)\s+phase\s+backward/.test(await detail(page).innerText()),
      true,
    );
  }));

/** How many rows the chart has. */
const chartRows = (page) =>
  box(page)
    .locator("div")
    .evaluate((element) => Math.round((element.clientHeight - 22) / 18));

test("tracks collapse by click, by key and all together; a span that is hidden is shown when it is selected", () =>
  visit(folderReport("ranks4_desync"), async (page, { open }) => {
    await timeline(page, open);
    const all = await chartRows(page);
    assert.ok(all > 40, `${all}`);
    await box(page).click({ position: { x: 300, y: 22 + 9 } });
    await eventually(async () => /fold=0/.test(await hash(page)), true);
    await eventually(async () => (await chartRows(page)) < all, true);
    const one = await chartRows(page);
    await page.reload();
    await box(page).waitFor();
    await eventually(() => chartRows(page), one);
    await page.getByRole("button", { name: "Expand all" }).click();
    await eventually(() => chartRows(page), all);
    await box(page).focus();
    await page.keyboard.press("Shift+C");
    await eventually(() => chartRows(page), 8, "a heading and a row for each of four ranks");
    await page.keyboard.press("ArrowDown");
    await eventually(async () => /s=0/.test(await hash(page)), true);
    assert.equal(await chartRows(page), 8);
    await page.keyboard.press("ArrowDown");
    await eventually(
      async () => /fold=1%2C2%2C3|fold=1,2,3/.test(await hash(page)),
      true,
      "its child is selected, and its track expanded",
    );
    await page.keyboard.press("c");
    await eventually(() => chartRows(page), 8);
  }));

test("several ranks: a lane each, on one clock; an id leads to the rank's page", () => {
  const ranks = folderReport("ranks4_desync");
  return visit(ranks, async (page, { open }) => {
    await timeline(page, open);
    const lanes = facts(ranks).lanes;
    assert.equal(new Set(lanes.map((lane) => lane.rank)).size, 4);
    const { spans, instants } = facts(ranks);
    const sum = `${spans.toLocaleString("en-US")} spans and ${instants.toLocaleString("en-US")} instants in `;
    await eventually(async () => (await page.locator("header.head .sub").innerText()).startsWith(sum), true);
    await page.getByRole("button", { name: "Table" }).click();
    await page.getByRole("grid", { name: "Spans" }).getByRole("button", { name: "Track", exact: true }).click();
    await page
      .getByRole("grid", { name: "Spans" })
      .getByRole("button", { name: /^Track/ })
      .click();
    await eventually(async () => /rank 3/.test(await rows(page).first().innerText()), true);
    await rows(page).first().locator(".mono").first().click();
    await detail(page).locator("dd a").first().click();
    await page.waitForURL(/rank_3\/index\.html#\/c\//);
  });
});

test("one log of several ranks: all of them are drawn, and the totals are of all", () => {
  const log = sampleReport("interleaved");
  return visit(log, async (page, { open }) => {
    await timeline(page, open);
    const own = facts(log);
    assert.ok(Number(/^\d+/.exec(await page.locator("header.head .sub").innerText())[0]) > own.spans);
    const dynamo = (totals) => totals.find((total) => total.name === "dynamo").count;
    const all = ["", "rank_0", "rank_2"].reduce((n, dir) => n + dynamo(facts(join(log, dir)).totals), 0);
    const row = page
      .locator(".totals .grid-row")
      .filter({ has: page.getByRole("button", { name: "dynamo", exact: true }) });
    await page.locator(".totals").getByRole("columnheader", { name: "Total time" }).getByRole("button").click();
    await eventually(async () => (await row.innerText()).split(/\s+/)[1], String(all));
  });
});

test("one log of several ranks: the file for Perfetto holds all of them, from the file system and over HTTP", async () => {
  const report = sampleReport("interleaved");
  const host = await serve(report);
  const saved = (base) =>
    new Promise((resolve, reject) =>
      visit(base, { acceptDownloads: true }, async (page, { open }) => {
        await timeline(page, open);
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Perfetto trace" }).click(),
        ]);
        assert.equal(download.suggestedFilename(), "chromium_events.json");
        resolve(JSON.parse(await downloaded(download)));
      }).catch(reject),
    );
  try {
    const wanted = ["", "rank_0", "rank_2"].reduce((n, dir) => n + facts(join(report, dir)).spans, 0);
    for (const base of [report, `${host.url}index.html`]) {
      const spans = (await saved(base)).filter((event) => event.ph === "X");
      assert.equal(spans.length, wanted, base);
      assert.equal(new Set(spans.map((span) => span.pid)).size, 3, base);
    }
  } finally {
    await host.close();
  }
});

test("a run that was killed: what never ended is drawn to the end, and said", () =>
  visit(sampleReport("killed"), async (page, { open }) => {
    await timeline(page, open);
    assert.match(
      await page.locator(".notice").innerText(),
      /Open when the log ended: dynamo › entire_frame_compile › .* › Scheduler\.__init__ \(the innermost began with the last event\)/,
    );
    await page.locator(".notice").getByRole("button", { name: "backend_compile" }).click();
    await soon(async () => assert.match(await detail(page).innerText(), /backend_compile[^]*1\/0[^]*no end event/));
    await box(page).focus();
    await page.keyboard.press("ArrowDown");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await eventually(async () => /no end event/.test(await detail(page).innerText()), true);
  }));

test("a log without events says so", () =>
  visit(
    reportOf("no-events", () => [intern("/a.py", 0), start(id(0))].join("")),
    async (page, { open }) => {
      await open("index.html#/timeline");
      await room(page, "Timeline");
      assert.match(await page.locator("main").innerText(), /No events in this log/);
    },
  ));

test("hostile names and times hurt nothing", () =>
  visit(
    reportOf("bad-events", () => {
      const at = Date.UTC(2026, 10, 21, 15, 18, 15) * 1000;
      const event = (more) =>
        record({ chromium_event: {}, ...id(0) }, JSON.stringify({ pid: 0, tid: 0, cat: "x", ...more }));
      return [
        event({
          name: "<script>alert(1)</script>",
          ph: "B",
          ts: at,
          args: { x: "</script><img src=x onerror=alert(1)>", compile_id: "<b>" },
        }),
        event({ name: "__proto__", ph: "X", ts: at + 10, dur: 5, args: { __proto__: null, constructor: 1 } }),
        event({ name: "far", ph: "B", ts: 1 }),
        event({ name: "far", ph: "X", ts: -5, dur: 1e300 }),
        event({ name: "x", ph: "X", ts: at, dur: -1 }),
        event({ name: "n".repeat(5000), ph: "X", ts: at + 20, dur: 9 }),
      ].join("");
    }),
    async (page, { open }) => {
      await timeline(page, open);
      assert.match(await page.locator("header.head .sub").innerText(), /^3 spans/);
      assert.match(await page.locator(".notice.calm").innerText(), /3 events left out/);
      assert.match(await page.locator(".totals").innerText(), /<script>alert\(1\)<\/script>/);
      await box(page).focus();
      await page.keyboard.press("ArrowDown");
      await eventually(async () => /onerror/.test(await detail(page).innerText()), true);
    },
  ));

bigTest("200,000 spans: all are there, and keys move among them", () =>
  visit(reportOf("many-events", manySpansLog), async (page, { open }) => {
    await timeline(page, open);
    assert.match(await page.locator("header.head .sub").innerText(), /^200,000 spans/);
    const all = await inView(page);
    await box(page).focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press("w");
    await eventually(async () => (await inView(page)) !== all, true, "zoomed in");
    await eventually(async () => (await colors(page)) > 3, true, "and drawn");
  }),
);

test("on a phone nothing stands out at the side", () =>
  visit(gpt2, { viewport: { width: 390, height: 844 } }, async (page, { open }) => {
    await timeline(page, open, "?s=12");
    await detail(page).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }));

test("on a phone names of nested spans keep their beginning and their end", () =>
  visit(gpt2, { viewport: { width: 390, height: 844 } }, async (page, { open }) => {
    await open("index.html#/timeline?view=table&q=post_grad_passes");
    const name = page.locator(".grid-row .midcut", { hasText: "pass.post_grad_passes." }).first();
    await name.scrollIntoViewIfNeeded();
    assert.ok(await name.evaluate((span) => span.getBoundingClientRect().width > 150));
    assert.ok(await name.evaluate((span) => span.getBoundingClientRect().right <= innerWidth));
  }));

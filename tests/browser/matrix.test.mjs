// The compile matrix of a thousand ranks: what the pointer, the keys, a finger and the Find box say, select and open.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, room, soon, visit } from "./lib/browser.mjs";
import { factLines, folderReport, sampleFolder, TLPARSE, writeFacts } from "./lib/report.mjs";

const scratch = mkdtempSync(join(tmpdir(), "tlparse-matrix-"));
after(async () => {
  await closeBrowser();
  rmSync(scratch, { recursive: true, force: true });
});

/** Three compiles on each of 1,000 ranks; rank 500 lacks the first, and rank 333 takes three times as long. */
const thousand = (() => {
  let made;
  return () => {
    if (made) return made;
    const [base, all, out] = ["base.facts", "all.facts", "out"].map((name) => join(scratch, name));
    execFileSync(TLPARSE, ["facts", sampleFolder("rank_causes/branch"), "-o", base], { stdio: "ignore" });
    const lines = factLines(base);
    const log = JSON.parse(lines.find((line) => line.startsWith('{"log"')));
    const logs = Array.from({ length: 1000 }, (_, rank) => {
      const file = `dedicated_log_torch_trace_rank_${rank}_x.log`;
      const compiles = log.compiles.slice(rank === 500 ? 1 : 0);
      const times = log.times_us.slice(rank === 500 ? 1 : 0).map((us) => (rank === 333 ? 3 * us : us));
      return JSON.stringify({
        ...log,
        compiles,
        times_us: times,
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
    writeFacts(all, [lines[0], ...definitions, ...logs, JSON.stringify({ logs: 1000 })]);
    execFileSync(TLPARSE, ["merge", all, "--full", "none", "-o", out], { stdio: "ignore" });
    return (made = out);
  };
})();

const ask = (page) => ({
  said: () => page.locator(".said").innerText(),
  tip: () => page.locator(".matrix-tip").innerText(),
  view: () => page.locator(".in-view").innerText(),
  find: (text) => page.getByLabel("Find a rank by its number").fill(text),
  box: () => page.locator(".matrix").boundingBox(),
  rowHigh: () =>
    page.locator(".matrix .extent").evaluate((extent, rows) => extent.getBoundingClientRect().height / rows, 1000),
});
const rankOf = (text) => /^ranks? ([\d–]+)/.exec(text)?.[1];
const opened = (page) =>
  soon(async () => {
    const rank = /log=rank_(\d+)/.exec(page.url())?.[1];
    assert.ok(rank, page.url());
    return rank;
  });

test("the pointer: what is said moves nothing, follows zooming and scrolling, and is what a click opens", () =>
  visit(thousand(), { viewport: { width: 1280, height: 720 } }, async (page, { open }) => {
    const { said, tip, box } = ask(page);
    await open("index.html#/ranks");
    await page.locator(".matrix canvas").waitFor();
    await page.getByTitle("All ranks (0)").click();
    const before = await box();
    await page.mouse.move(before.x + 90, before.y + 300);
    await page.locator(".matrix-tip").waitFor();
    assert.deepEqual(await box(), before);
    const first = rankOf(await tip());
    await page.keyboard.down("Control");
    for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -240);
    await page.keyboard.up("Control");
    await soon(async () => assert.ok(Math.abs(rankOf(await tip()) - first) <= 2)); // it stays below the pointer
    await soon(async () => assert.ok((await ask(page).rowHigh()) > 10));
    const near = rankOf(await tip());
    await page.mouse.wheel(0, 600);
    await soon(async () => assert.ok(rankOf(await tip()) - near > 10));
    assert.equal(rankOf(await said()), rankOf(await tip()));
    const named = rankOf(await tip());
    await page.mouse.down();
    await page.mouse.up();
    assert.equal(await opened(page), named);
  }));

test("by time, ranks are not merged; by status, merged times are a range, and a rank is found in its row", () =>
  visit(thousand(), async (page, { open }) => {
    const { said, find } = ask(page);
    await open("index.html#/ranks?by=time&merge=1");
    await page.locator(".head .sub", { hasText: "1,000 ranks ×" }).waitFor();
    assert.ok(await page.getByLabel("merge equal ranks").isDisabled());
    await find("333");
    await soon(async () => assert.match(await said(), /^rank 333 · 0\/0 · ✓ compiled · 6\.\d+\ss/));
    await page.keyboard.press("Escape");
    await page.locator(".matrix").focus();
    await page.keyboard.press("0");
    await page.getByRole("button", { name: "by status" }).click();
    await page.locator(".head .sub", { hasText: "2 patterns ×" }).waitFor();
    await soon(async () => assert.ok((await ask(page).rowHigh()) * 1000 > 2 * 26)); // the two rows can be read
    await find("517");
    await soon(async () =>
      assert.match(await said(), /^ranks 0–499, 501–999 · 0\/0 · ✓ compiled · 2\.\d+\ss to 6\.\d+\ss/),
    );
    await page.keyboard.press("Enter");
    assert.equal(await opened(page), "517");
  }));

test("zoom goes from all ranks to one, by keys, buttons and the wheel, about the selected cell", () =>
  visit(thousand(), async (page, { open }) => {
    const { said, find, view, box, rowHigh } = ask(page);
    await open("index.html#/ranks");
    await find("517");
    await eventually(async () => rankOf(await said()), "517");
    await page.locator(".matrix").focus();
    await page.keyboard.press("0");
    await eventually(view, "");
    for (let i = 0; i < 12; i++) await page.keyboard.press("+");
    await eventually(view, "rank 517 of 1,000");
    const { height } = await box();
    assert.ok((await rowHigh()) > 0.7 * height);
    for (let i = 0; i < 12; i++) await page.getByTitle("Zoom out (-)").click();
    await eventually(view, "");
    const place = await box();
    await page.mouse.move(place.x + 90, place.y + 300);
    await page.keyboard.down("Control");
    for (let i = 0; i < 16; i++) await page.mouse.wheel(0, -240);
    await page.keyboard.up("Control");
    await soon(async () => assert.match(await view(), /^rank \d+ of 1,000$/));
    // Columns: what is cut off is said, and a button shows it.
    for (let i = 0; i < 12; i++) await page.getByTitle(/^Wider columns/).click();
    await page.setViewportSize({ width: 700, height: 720 });
    await page.getByRole("button", { name: /id.* →/ }).waitFor();
    await page.getByRole("button", { name: /id.* →/ }).click();
    await page.getByRole("button", { name: /← .*id/ }).waitFor();
    await page.locator(".matrix").focus();
    for (let i = 0; i < 12; i++) await page.keyboard.press("<");
    await page.getByRole("button", { name: /id.* →/ }).waitFor({ state: "detached" });
  }));

test("arrow keys start in view, and Back brings zoom and selection back", () =>
  visit(thousand(), async (page, { open }) => {
    const { said, find, view } = ask(page);
    await open("index.html#/ranks");
    await page.locator(".matrix canvas").waitFor();
    await page.keyboard.press("0");
    for (let i = 0; i < 5; i++) await page.keyboard.press("+");
    await soon(async () => assert.match(await view(), /^ranks 4\d\d to 5\d\d of 1,000/));
    await page.keyboard.press("ArrowDown");
    await soon(async () => assert.match(await said(), /^rank (49\d|50\d) /));
    await find("517");
    await eventually(async () => rankOf(await said()), "517");
    const seen = await view();
    await page.keyboard.press("Enter");
    assert.equal(await opened(page), "517");
    await page.goBack();
    await room(page, "Compile matrix");
    await eventually(async () => rankOf(await said()), "517");
    await eventually(view, seen);
    await page.reload();
    await eventually(async () => rankOf(await said()), "517");
  }));

test("Find says what it does not find, and selects nothing then", () =>
  visit(thousand(), async (page, { open }) => {
    const { said, find } = ask(page);
    await open("index.html#/ranks");
    await find("rank 517");
    await eventually(async () => rankOf(await said()), "517");
    for (const text of ["1500", "abc", "-1", "500-510"]) {
      await find(text);
      await eventually(said, `No rank ${text}`);
      assert.equal(await page.locator(".about a").count(), 0);
    }
    await find("");
    await eventually(said, "Point at a cell or use the arrow keys; Enter opens the compile.");
    await page.locator(".matrix").focus();
    await page.keyboard.press("/");
    assert.ok(await page.getByLabel("Find a rank by its number").evaluate((box) => box === document.activeElement));
  }));

test("a finger: the first tap says what a cell is, the second opens it", () =>
  visit(
    thousand(),
    { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true },
    async (page, { open }) => {
      const { said, box } = ask(page);
      await open("index.html#/ranks");
      await page.locator(".matrix canvas").waitFor();
      assert.doesNotMatch(await said(), /key|Enter|Point/);
      const { x, y } = await box();
      await page.touchscreen.tap(x + 90, y + 200);
      await soon(async () => assert.match(await said(), /^rank \d+ · 0\/0 · ✓ compiled/));
      const named = rankOf(await said());
      await page.locator(".about a", { hasText: "Open" }).waitFor();
      assert.doesNotMatch(page.url(), /log=/);
      assert.deepEqual({ x, y }, { x: (await box()).x, y: (await box()).y });
      await page.touchscreen.tap(x + 90, y + 200);
      assert.equal(await opened(page), named);
    },
  ));

test("names of rows are whole, and not drawn over each other", () =>
  visit(thousand(), async (page, { open }) => {
    // What was drawn last, with the place on the canvas.
    await page.addInitScript(() => {
      const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        window.drawn = [];
        return clearRect.apply(this, box);
      };
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        window.drawn.push({ text, x, y });
        return fillText.call(this, text, x, y);
      };
    });
    const names = () => page.evaluate(() => window.drawn.filter(({ text }) => /^rank \d+$/.test(text)));
    await open("index.html#/ranks");
    await ask(page).find("483");
    await page.locator(".matrix").focus();
    await page.keyboard.press("0");
    await eventually(ask(page).view, "");
    await soon(async () => {
      const shown = await names();
      assert.ok(shown.length > 20 && shown.some(({ text }) => text === "rank 483"), JSON.stringify(shown));
      const places = shown.map(({ y }) => y);
      places.reduce((before, y) => (assert.ok(y - before >= 12, `${before} and ${y}`), y));
    });
    // The upper half of "rank 0" has as much ink as the lower one has, more or less.
    const [{ text, x, y }] = await names();
    assert.equal(text, "rank 0");
    const ink = await page.locator(".matrix canvas").evaluate(
      (canvas, [x, y]) => {
        const rows = (from) => canvas.getContext("2d").getImageData(x - 40, from, 40, 5).data;
        return [rows(Math.floor(y) - 5), rows(Math.floor(y))].map(
          (data) => data.filter((n, i) => i % 4 === 3 && n).length,
        );
      },
      [x, y],
    );
    assert.ok(ink[0] > 0.4 * ink[1], ink.join());
  }));

test("the legend counts each cell once, and the Keys dialog has the keys of the picture", () =>
  visit(folderReport("ranks4_desync"), async (page, { open }) => {
    await open("index.html#/ranks");
    const kinds = page.locator(".matrix-legend .kinds > span:has(b)");
    await kinds.first().waitFor();
    const texts = await kinds.allInnerTexts();
    const counted = texts.filter((text) => !/of which/.test(text)).map((text) => Number(/\d+$/.exec(text)));
    assert.equal(
      counted.reduce((sum, n) => sum + n, 0),
      24,
      texts.join(),
    );
    assert.match(texts.at(-1), /of which\s+≠ different function 4/);
    await page
      .getByRole("button", { name: "Help", exact: true })
      .or(page.locator(".head button[aria-expanded]"))
      .first()
      .click();
    const help = page.locator("#roomhelp");
    await help.getByText(/Not compiled: .*≠: /).waitFor();
    assert.match(await help.innerText(), /empty graph/);
    assert.doesNotMatch(await help.innerText(), /○ no ops/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.locator("dialog[open]").getByText("in the compile matrix: zoom ranks").waitFor();
  }));

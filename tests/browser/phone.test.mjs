// On a phone: every room of several reports fits the screen, a finger hits what it aims at, and nothing lies over the content.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, test } from "node:test";
import { closeBrowser, visit } from "./lib/browser.mjs";
import { folderReport, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, reducedMotion: "reduce" };
const LEAST = 24; // CSS pixels, WCAG 2.2 target size

/** Runs in the page: what is wider than the screen, and controls that are too small. Links within text, and those with enough space around, are excepted by WCAG. */
function look(least) {
  const wide = [...document.querySelectorAll("html, body, main, .room")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `${e.className || e.tagName} is ${e.scrollWidth} wide`);
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest("[aria-hidden=true], .skip");
  const controls = [...document.querySelectorAll("button, select, input, summary, a[href]")].filter(seen);
  const boxes = controls.map((e) => ({ e, target: e.matches("input[type=checkbox], input[type=radio]") ? e.closest("label") ?? e : e })).map(({ e, target }) => ({ e, box: target.getBoundingClientRect() })).filter(({ box }) => box.width && box.bottom > 0 && box.top < innerHeight);
  const inText = (e) => e.tagName === "A" && getComputedStyle(e).display.startsWith("inline") && !getComputedStyle(e).display.includes("flex");
  const drawn = (e) => e.matches(".treemap .tile"); // as large as its bytes: the size is what it says, and the table beneath has the same kinds
  const middle = ({ box }) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const alone = (one) => boxes.every((other) => other === one || one.e.contains(other.e) || other.e.contains(one.e) || Math.hypot(middle(one)[0] - Math.max(other.box.left, Math.min(middle(one)[0], other.box.right)), middle(one)[1] - Math.max(other.box.top, Math.min(middle(one)[1], other.box.bottom))) >= least / 2);
  const small = boxes.filter((one) => (one.box.width < least - 0.5 || one.box.height < least - 0.5) && !inText(one.e) && !drawn(one.e) && !alone(one)).map(({ e, box }) => `${e.tagName} ${(e.getAttribute("aria-label") ?? e.textContent).slice(0, 30)} is ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`);
  const heading = document.querySelector("main h1");
  const at = heading?.getBoundingClientRect();
  const top = at && document.elementFromPoint(at.left + Math.min(10, at.width / 2), at.top + at.height / 2);
  const covered = !heading || heading === top || heading.contains(top) ? [] : [`the heading lies beneath ${top?.className || top?.tagName}`];
  return [...wide, ...covered, ...new Set(small)];
}

const REPORTS = {
  gpt2: () => sampleReport("gpt2"), graph_breaks: () => sampleReport("graph_breaks"), export_errors: () => sampleReport("export_errors", "--export"),
  vllm_like: () => sampleReport("vllm_like"), provenance_jit: () => sampleReport("provenance_jit"), ranks4_desync: () => folderReport("ranks4_desync"),
};
const logs = process.env.TLPARSE_LOGS ?? new URL("../data/logs", import.meta.url).pathname;

for (const [name, make] of Object.entries(REPORTS)) {
  test(`${name}: every room`, { skip: !readdirSync(logs).includes(name) && `no sample log ${name}` }, () => visit(make(), PHONE, async (page, { open }) => {
    await open("index.html");
    await page.locator("main h1").first().waitFor();
    const rooms = await page.locator(".rooms #rooms a").evaluateAll((links) => links.map((a) => a.getAttribute("href")).filter((href) => href.startsWith("#/")));
    assert.ok(rooms.length >= 5, `${rooms.length} rooms`);
    const compile = await page.locator('main a[href^="#/c/"]').first().getAttribute("href", { timeout: 2000 }).catch(() => null);
    const found = [];
    for (const at of [...rooms, ...(compile ? [compile, `${compile}/0`] : []), ...(rooms.includes("#/search") ? ["#/search?q=aten"] : [])]) {
      await page.evaluate((hash) => { location.hash = hash; }, at);
      await page.waitForTimeout(at.includes("q=") ? 1500 : 350);
      for (const fault of await page.evaluate(look, LEAST)) found.push(`${at}  ${fault}`);
    }
    assert.deepEqual(found, []);
  }));
}

test("the provenance page", () => {
  const report = sampleReport("provenance_jit");
  return visit(report, PHONE, async (page, { open }) => {
    await open(readdirSync(report).find((file) => file.startsWith("provenance_tracking_0")) ?? readdirSync(report).find((file) => file.startsWith("provenance_tracking")));
    await page.waitForTimeout(800);
    assert.deepEqual(await page.evaluate(look, LEAST), []);
  });
});

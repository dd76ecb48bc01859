// Measures the page in headless chromium over file://, each figure the median of the rounds, and prints a table in Markdown.
//   node bench/page.mjs TLPARSE GPT2_LOG [--rounds 5]
// Views: from the page's load event to the first room in the document; a report of 10,000 compile ids; an artifact of 5 MB that is
// scrolled through (the longest time between two frames, and frames in which the editor showed no line); what large reports take to
// answer: the list of 10,000, the timeline of 200,000 spans, the picture of 300 ranks, two graphs of 5 MB; 10,000 modules and a file of
// 20,000 lines, from the click that opens them to their rows, and scrolled; bytes before the first view.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { browser, closeBrowser } from "../tests/browser/lib/browser.mjs";
import { bigLog, linesLog, manyLog, manyRanksLogs, manySpansLog, modulesLog, twoGraphsLog } from "../tests/browser/lib/log.mjs";

const [tlparse, gpt2] = process.argv.slice(2);
if (!tlparse || !gpt2) {
  console.error("usage: page.mjs TLPARSE GPT2_LOG [--rounds N]");
  process.exit(2);
}
const at = process.argv.indexOf("--rounds");
const ROUNDS = at > 0 ? Number(process.argv[at + 1]) : 5;
const work = mkdtempSync(join(tmpdir(), "tlparse-page-"));
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

function report(name, log) {
  const out = join(work, name);
  execFileSync(tlparse, [log, "-o", out, "--no-browser"], { stdio: "ignore" });
  return out;
}

function written(name, text) {
  const log = join(work, `${name}.log`);
  writeFileSync(log, text);
  return log;
}

/** A fresh page that notes when it was loaded, when its first room was there, and which files it asked for. */
async function visit(folder, hash, body) {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const files = new Set();
  page.on("request", (request) => request.url().startsWith("file:") && files.add(fileURLToPath(request.url().replace(/[?#].*/, ""))));
  await page.addInitScript(() => {
    globalThis.seen = { room: 0, load: 0 };
    addEventListener("load", () => (globalThis.seen.load = performance.now()));
    new MutationObserver((_, observer) => {
      if (!document.querySelector("main h1")) return;
      observer.disconnect();
      requestAnimationFrame(() => (globalThis.seen.room = performance.now()));
    }).observe(document, { childList: true, subtree: true });
  });
  try {
    await page.goto(`file://${folder}/index.html${hash}`);
    await page.waitForFunction(() => globalThis.seen.room > 0);
    return await body(page, files, await page.evaluate(() => globalThis.seen));
  } finally {
    await context.close();
  }
}

/** After the page's load event (0 where the room was there before it), and after the navigation began. */
async function firstView(folder) {
  const times = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await visit(folder, "", (_page, _files, seen) => seen));
  return { load: median(times.map(({ room, load }) => Math.max(0, room - load))), start: median(times.map(({ room }) => room)) };
}

/** Code and styles that are loaded before the first view; the data of the report is not the page's. */
const loaded = (folder) => visit(folder, "", (_page, files) => [...files].filter((file) => /\/assets\//.test(file)).reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0));

/** From a new address to what is shown there and drawn, and the median time of a frame while that is scrolled. */
/** From the list that leads there, after it was shown. */
async function openedAndScrolled(folder, list, hash, ready, scrolled) {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++)
    rounds.push(await visit(folder, list, (page) => page.evaluate(async ({ hash, ready, scrolled }) => {
      await new Promise((done) => setTimeout(done, 1000));
      const frame = () => new Promise(requestAnimationFrame);
      const start = performance.now();
      location.hash = hash;
      while (!document.querySelector(ready)) await new Promise((done) => setTimeout(done));
      await frame();
      const opened = performance.now() - start;
      await new Promise((done) => setTimeout(done, 500));
      const box = document.querySelector(scrolled);
      const frames = [];
      let last = await frame();
      for (let n = 1; n <= 120; n++) {
        box.scrollTop = Math.min(box.scrollHeight, n * 100);
        const now = await frame();
        frames.push(now - last);
        last = now;
      }
      frames.sort((a, b) => a - b);
      return { opened, frame: frames[Math.floor(frames.length / 2)] };
    }, { hash, ready, scrolled })));
  return { opened: median(rounds.map(({ opened }) => opened)), frame: median(rounds.map(({ frame }) => frame)) };
}

const scrolledOnce = (folder) => visit(folder, "#/c/0%2F0/0", async (page) => {
  await page.locator(".cm-line").first().waitFor();
  return page.evaluate(async () => {
    const scroller = document.querySelector(".cm-scroller");
    const box = scroller.getBoundingClientRect();
    let longest = 0;
    let blank = 0;
    let last = await new Promise(requestAnimationFrame);
    for (let i = 1; i <= 120; i++) {
      scroller.scrollTop = (scroller.scrollHeight * i) / 120;
      const now = await new Promise(requestAnimationFrame);
      longest = Math.max(longest, now - last);
      last = now;
      await new Promise((done) => setTimeout(done)); // what was painted is in the document now
      if (!document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest(".cm-line")) blank++;
    }
    return { longest, blank };
  });
});

/** The longest frame, and blank ones in all rounds. */
async function scrolled(folder) {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await scrolledOnce(folder));
  return { longest: median(rounds.map(({ longest }) => longest)), blank: rounds.reduce((sum, { blank }) => sum + blank, 0) };
}

/** Runs in the page: the milliseconds until two frames after each of `steps` (`step` is given each). */
const stepTimes = (page, step, steps) => page.evaluate(async ([source, steps]) => {
  const step = eval(source);
  const took = [];
  for (const one of steps) {
    const start = performance.now();
    step(one);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    took.push(performance.now() - start);
  }
  return took;
}, [String(step), steps]);

/** The median of the rounds of the longest of the steps. */
async function longestStep(folder, hash, ready, step, steps) {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++)
    rounds.push(await visit(folder, hash, async (page) => {
      await page.locator(ready).first().waitFor();
      return Math.max(...(await stepTimes(page, step, steps)));
    }));
  return median(rounds);
}

/** The longest time for which the page stood still while two artifacts are compared. */
async function comparing(folder) {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++)
    rounds.push(await visit(folder, "", async (page) => {
      await page.evaluate(() => {
        let last = performance.now();
        globalThis.longest = 0;
        setInterval(() => {
          const now = performance.now();
          globalThis.longest = Math.max(globalThis.longest, now - last);
          last = now;
        }, 10);
        location.hash = "#/compare?a=0/0/0&b=0/1/0";
      });
      await page.locator(".diff-row").first().waitFor();
      return page.evaluate(() => globalThis.longest);
    }));
  return median(rounds);
}

const toHash = (hash) => (location.hash = hash);
const pressKey = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const scrollMatrix = (by) => (document.querySelector(".matrix").scrollTop += by);

try {
  const ranks = join(work, "ranks");
  mkdirSync(ranks);
  manyRanksLogs(ranks);
  const big = report("gpt2", gpt2);
  const scroll = await scrolled(report("big", written("big", bigLog(5_500_000))));
  const gpt2View = await firstView(big);
  const many = report("many", written("many", manyLog(10_000)));
  const manyView = await firstView(many);
  const listed = await longestStep(many, "#/compiles", ".grid-row", toHash, ["#/compiles?sort=-time", "#/compiles?sort=-time&group=none", "#/compiles?q=fn_19&fold=all", "#/compiles?group=status"]);
  const span = await longestStep(report("spans", written("spans", manySpansLog())), "#/timeline", ".flame-box", pressKey, [..."wwwwwwdddddd"]);
  const matrix = await longestStep(report("ranks-report", ranks), "#/ranks", ".matrix canvas", scrollMatrix, Array(10).fill(120));
  const diffed = await comparing(report("graphs", written("graphs", twoGraphsLog())));
  const modules = await openedAndScrolled(report("modules", written("modules", modulesLog(1429))), "#/help", "#/modules?q=linear", ".modules .grid-row", ".modules .grid-scroll");
  const lines = await openedAndScrolled(report("lines", written("lines", linesLog(20_000))), "#/code", "#/code/line?file=/home/user/long.py&line=17770", "section[aria-label=Source] .cm-line", "section[aria-label=Source] .cm-scroller");
  const rows = [
    ["First view of the gpt2 report, after load", gpt2View.load, 300, "ms"],
    ["– since navigation start", gpt2View.start, null, "ms"],
    ["First view of 10,000 compile ids, after load", manyView.load, 1000, "ms"],
    ["– since navigation start", manyView.start, null, "ms"],
    ["Longest frame while scrolling through 5 MB", scroll.longest, 200, "ms"],
    ["Frames without lines, of 120 per round", scroll.blank, 0, ""],
    ["10,000 compile ids: slowest of sort, filter and group", listed, 1500, "ms"],
    ["Timeline of 200,000 spans: slowest of 12 steps", span, 250, "ms"],
    ["Matrix of 300 ranks: slowest of 10 steps", matrix, 250, "ms"],
    ["Longest pause while comparing 5 MB with 5 MB", diffed, 1500, "ms"],
    ["10,000 modules: opened", modules.opened, 300, "ms"],
    ["– a frame while they are scrolled, median", modules.frame, 17, "ms"],
    ["A file of 20,000 lines: opened", lines.opened, 300, "ms"],
    ["– a frame while it is scrolled, median", lines.frame, 17, "ms"],
    ["Code and styles before the first view, gzip", (await loaded(big)) / 1024, 150, "KiB"],
  ];
  console.log("| page | measured | bound |\n|---|---:|---:|");
  for (const [what, value, bound, unit] of rows) console.log(`| ${what} | ${value.toFixed(value < 10 && unit ? 1 : 0)} ${unit} | ${bound === null ? "" : `≤ ${bound} ${unit}`} |`.replace(/ +\|/g, " |"));
  process.exitCode = rows.some(([, value, bound]) => bound !== null && value > bound) ? 1 : 0;
} finally {
  await closeBrowser();
  rmSync(work, { recursive: true, force: true });
}

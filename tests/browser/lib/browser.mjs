// A browser that notices what must not happen: dialogs, errors in the console, requests to anywhere else.
// One browser serves all suites of a run, which suites.mjs ends. A suite that runs alone starts and ends its own.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]; // the first one takes less than half the CPU
const ARGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(
    " ",
  );

/** How to start the browser: CHROMIUM, or the first of PROGRAMS that is installed. */
export const program = () => ({
  executablePath: process.env.CHROMIUM ?? PROGRAMS.find((path) => existsSync(path)) ?? PROGRAMS[0],
  args: ARGS,
});

/** Milliseconds by which frames and timers of the page come late, as on a busy machine: this shows the tests that look before the page has answered. */
const LATE = Number(process.env.TL_BROWSER_LATE ?? 0);
const beLate = (by) => {
  const { requestAnimationFrame: frame, setTimeout: timer } = window;
  window.requestAnimationFrame = (then) => timer(() => frame(then), by);
  window.setTimeout = (then, after = 0, ...rest) => timer(then, after + by, ...rest);
};

let launched;
export const browser = () => (launched ??= chromium.launch(program()));
export const endBrowser = async () => (await launched)?.close();
/** At the end of a suite. */
export const closeBrowser = async () => process.env.TL_SUITES || endBrowser();

/** Opens a page of the report in a fresh context, gives it to `body`, and then asks whether it behaved. */
export async function visit(base, options, body) {
  if (typeof options === "function") return visit(base, {}, options);
  const { expectErrors, ...context } = options;
  const home = base.startsWith("http") ? base.replace(/[^/]*(\?.*)?$/, "") : `${pathToFileURL(base).href}/`;
  const ctx = await (await browser()).newContext({ viewport: { width: 1280, height: 720 }, ...context });
  const page = await ctx.newPage();
  if (LATE) await page.addInitScript(beLate, LATE);
  const faults = [];
  const requests = [];
  const failed = [];
  page.setDefaultTimeout(30_000);
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on(
    "console",
    (message) =>
      message.type() === "error" &&
      !/favicon/.test(message.location().url) &&
      faults.push(`console: ${message.text()}`),
  );
  page.on("request", (request) => {
    const url = request.url();
    requests.push(url);
    if (!url.startsWith(home) && !url.startsWith("blob:") && !url.startsWith("data:") && !/favicon\.ico/.test(url))
      faults.push(`request to ${url}`);
  });
  page.on(
    "requestfailed",
    (request) => request.failure()?.errorText !== "net::ERR_ABORTED" && failed.push(request.url()),
  ); // aborted: the page was left meanwhile
  const open = async (path) => {
    await page.goto(base.startsWith("http") ? new URL(path, base).href : home + path);
  };
  try {
    await body(page, { open, requests, failed });
  } finally {
    await ctx.close();
  }
  if (!expectErrors) assert.deepEqual(faults, []);
  return faults;
}

/** The page's report is there: its heading is shown. */
export async function room(page, title) {
  await page.locator("main h1", { hasText: title }).first().waitFor();
}

/** Whether a list holds something, and the test is true of all of it. `every()` alone is true of an empty list. */
export const allOf = (list, test) => list.length > 0 && list.every(test);

export const hash = (page) => page.evaluate(() => location.hash);
export const rows = (page) => page.locator(".grid-row");

/** The text of a file that the page let the reader save. */
export async function downloaded(download) {
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Waits until the page rests: nothing that it loads is under way, and its document has not changed for some frames. */
export const settled = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const REST = 8; // frames
        let still = 0;
        let last = performance.getEntriesByType("resource").length;
        const observer = new MutationObserver(() => {
          still = 0;
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        const look = () => {
          const loaded = performance.getEntriesByType("resource").length;
          const busy =
            document.readyState !== "complete" || document.querySelector("[aria-busy=true]") || loaded !== last;
          last = loaded;
          still = busy ? 0 : still + 1;
          if (still < REST) return requestAnimationFrame(look);
          observer.disconnect();
          done();
        };
        look();
      }),
  );

/** Waits until the assertions of `body` hold; throws as the last of them did. */
export async function soon(body) {
  for (const until = Date.now() + 30_000; ; await new Promise((done) => setTimeout(done, 50))) {
    try {
      return await body();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

/** Waits until `get` gives `wanted`; says what it gave last. */
export const eventually = (get, wanted, what = "") =>
  soon(async () => assert.deepEqual(await get(), wanted, what || undefined));

/** The viewer shows its text and has measured its lines: their numbers stand beside them, and what is clicked is what is hit. */
export async function viewer(page) {
  await page.locator(".cm-line").first().waitFor();
  const off = () =>
    page.evaluate(() => {
      const top = (element) => element?.getBoundingClientRect().top ?? NaN;
      const [line] = [...document.querySelectorAll(".cm-line")].slice(2, 3);
      const number = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].find(
        (element) => element.textContent === "3" && element.offsetHeight,
      );
      return line && number ? Math.abs(top(line) - top(number)) : 0; // further down, or fewer lines: nothing to compare
    });
  await soon(async () => assert.ok((await off()) < 2));
}

// A browser that notices what must not happen: dialogs, errors in the console, requests to anywhere else.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const ARGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(" ");

let launched;
export const browser = () => (launched ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS }));
export const closeBrowser = async () => (await launched)?.close();

/** Opens a page of the report in a fresh context, gives it to `body`, and then asks whether it behaved. */
export async function visit(base, options, body) {
  if (typeof options === "function") return visit(base, {}, options);
  const { expectErrors, ...context } = options;
  const home = base.startsWith("http") ? base.replace(/[^/]*(\?.*)?$/, "") : `${pathToFileURL(base).href}/`;
  const ctx = await (await browser()).newContext({ viewport: { width: 1280, height: 720 }, ...context });
  const page = await ctx.newPage();
  const faults = [];
  const requests = [];
  const failed = [];
  page.setDefaultTimeout(15_000);
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && !/favicon/.test(message.location().url) && faults.push(`console: ${message.text()}`));
  page.on("request", (request) => {
    const url = request.url();
    requests.push(url);
    if (!url.startsWith(home) && !url.startsWith("blob:") && !url.startsWith("data:") && !/favicon\.ico/.test(url)) faults.push(`request to ${url}`);
  });
  page.on("requestfailed", (request) => failed.push(request.url()));
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

export const hash = (page) => page.evaluate(() => location.hash);
export const rows = (page) => page.locator(".grid-row");

/** Waits until `get` gives `wanted`; says what it gave last. */
export async function eventually(get, wanted, what = "") {
  const until = Date.now() + 8000;
  let last;
  do {
    last = await get();
    try {
      assert.deepEqual(last, wanted);
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  } while (Date.now() < until);
  assert.deepEqual(last, wanted, what);
}

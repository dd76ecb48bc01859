// axe-core finds nothing to complain of, in any room of several reports, in light and dark.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { closeBrowser, visit } from "./lib/browser.mjs";
import { folderReport, sampleLog, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const run = (page, options) => page.evaluate(async (given) => (await globalThis.axe.run(document, { ...given, resultTypes: ["violations"], preload: false })).violations.flatMap((v) => v.nodes.slice(0, 3).map((node) => `${v.id}: ${node.target.join(" ")} ${node.failureSummary.split("\n")[1]?.trim() ?? ""}`)), options);

/** In light by all rules; in dark, where nothing but the colours is another, by those of contrast. */
async function violations(page, at, dark = true) {
  const found = [];
  await page.emulateMedia({ colorScheme: "light" });
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE); // not a script element: the page's CSP forbids those
  for (const violation of await run(page, {})) found.push(`${at}  ${violation}`);
  if (!dark) return found;
  await page.emulateMedia({ colorScheme: "dark" });
  for (const violation of await run(page, { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } })) found.push(`${at}, dark  ${violation}`);
  return found;
}

/** The addresses of all rooms that the page's navigation leads to. */
const roomsOf = (page) => page.locator(".rooms #rooms a").evaluateAll((links) => links.map((a) => a.getAttribute("href")).filter((href) => href.startsWith("#/")));

const REPORTS = {
  gpt2: () => sampleReport("gpt2"), recompiles: () => sampleReport("recompiles"), errors: () => sampleReport("errors"), "ranks4_desync": () => folderReport("ranks4_desync"),
  "export_errors": () => sampleReport("export_errors", "--export"), vllm: () => sampleReport("vllm_like"),
  runs: () => sampleReport("graph_breaks", sampleLog("recompiles")),
};
/** Contrast is slow to look for, and rooms share their colours: in dark, reports that together have every chip and picture. */
const DARK = ["gpt2", "errors", "ranks4_desync", "export_errors"];
const logs = process.env.TLPARSE_LOGS ?? new URL("../data/logs", import.meta.url).pathname;

for (const [name, make] of Object.entries(REPORTS)) {
  const folder = { vllm: "vllm_like", runs: "graph_breaks" }[name] ?? name;
  const absent = !readdirSync(logs).includes(folder) && `no sample log ${folder}`;
  test(`${name}: every room, ${DARK.includes(name) ? "light and dark" : "light"}`, { skip: absent }, () => visit(make(), { reducedMotion: "reduce" }, async (page, { open }) => {
    await open("index.html");
    await page.locator("main h1").first().waitFor();
    const rooms = await roomsOf(page);
    assert.ok(rooms.length >= (name === "runs" ? 4 : 5), `${rooms.length} rooms`);
    const compile = await page.locator('main a[href^="#/c/"]').first().getAttribute("href", { timeout: 2000 }).catch(() => null);
    const found = [];
    for (const at of [...rooms, ...(compile ? [compile, `${compile}/0`] : [])]) {
      await page.evaluate((hash) => { location.hash = hash; }, at);
      await page.waitForTimeout(350);
      found.push(...await violations(page, at, DARK.includes(name)));
    }
    assert.deepEqual(found, []);
  }));
}

/** The pages that C writes whole, one of each sort. */
const plainPages = (folder) => {
  const pages = readdirSync(folder, { recursive: true }).map(String).filter((file) => file.endsWith(".html") && !/(^|\/)index\.html$/.test(file)).sort();
  const sorts = new Map(pages.map((file) => [file.replace(/.*\//, "").replace(/[\d_]+.*$|\.html$/, ""), file]));
  return [...sorts.values()];
};

for (const name of ["recompiles", "errors", "provenance_jit", "provenance_aot", "export_errors", "vllm_like"]) {
  test(`${name}: pages of their own, light and dark`, { skip: !readdirSync(logs).includes(name) && `no sample log ${name}` }, () => {
    const folder = sampleReport(name, ...(name.startsWith("export") ? ["--export"] : []));
    return visit(folder, { reducedMotion: "reduce" }, async (page, { open }) => {
      const files = plainPages(folder);
      const found = [];
      for (const file of files) {
        await open(file.split("/").map(encodeURIComponent).join("/"));
        await page.waitForTimeout(300);
        found.push(...await violations(page, file));
      }
      assert.ok(files.length > 0);
      assert.deepEqual(found, []);
    });
  });
}

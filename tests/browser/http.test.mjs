// Every room over HTTP, below a path of a static host: nothing is asked of another host, nothing is missing, the console is silent.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, test } from "node:test";
import { closeBrowser, visit } from "./lib/browser.mjs";
import { folderReport, sampleReport } from "./lib/report.mjs";
import { serve } from "./lib/server.mjs";

after(closeBrowser);
const REPORTS = {
  gpt2: () => sampleReport("gpt2"), export_errors: () => sampleReport("export_errors", "--export"), vllm_like: () => sampleReport("vllm_like"),
  interleaved: () => sampleReport("interleaved"), ranks4_desync: () => folderReport("ranks4_desync"), // of each sort of report one
};
const logs = process.env.TLPARSE_LOGS ?? new URL("../data/logs", import.meta.url).pathname;

for (const [name, make] of Object.entries(REPORTS)) {
  test(`${name}: every room`, { skip: !readdirSync(logs).includes(name) && `no sample log ${name}` }, async () => {
    const host = await serve(make(), "/a/b/run 7/");
    const missing = [];
    try {
      // visit() fails on requests to elsewhere and on errors in the console, as of a file that is not there.
      await visit(encodeURI(`${host.url}index.html`), async (page, { open, failed }) => {
        page.on("response", (response) => response.status() >= 400 && !/favicon/.test(response.url()) && missing.push(response.url()));
        await open("index.html");
        await page.locator("main h1").first().waitFor();
        const rooms = await page.locator(".rooms #rooms a").evaluateAll((links) => links.map((a) => a.getAttribute("href")).filter((href) => href.startsWith("#/")));
        assert.ok(rooms.length >= 5, `${rooms.length} rooms`);
        const compile = await page.locator('main a[href^="#/c/"]').first().getAttribute("href", { timeout: 2000 }).catch(() => null);
        for (const at of [...rooms, ...(compile ? [compile, `${compile}/0`] : []), ...(rooms.includes("#/search") ? ["#/search?q=e"] : [])]) {
          await open(`index.html?${rooms.indexOf(at)}${at}`); // anew, as from a link that was sent
          await page.locator("main h1").first().waitFor();
          await page.waitForTimeout(200);
          if (at.includes("q=")) await page.locator(".search-hit mark").first().waitFor();
          assert.equal(await page.locator("main .state.failed").count(), 0, at);
        }
        assert.deepEqual(failed.filter((url) => !/favicon/.test(url)), []);
      });
      assert.deepEqual(missing, []);
      assert.ok(host.asked.every((url) => url.startsWith("/a/b/run%207/") || url === "/favicon.ico"), `${host.asked}`);
    } finally {
      await host.close();
    }
  });
}

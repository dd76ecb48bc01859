// Any host and any path: below a folder of a web server, with a query that must be passed on; and folders that were copied in part.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { allOf, closeBrowser, room, rows, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";
import { serve } from "./lib/server.mjs";

const report = sampleReport("recompiles");
const scratch = mkdtempSync(join(tmpdir(), "tlparse-hosts-"));
after(async () => {
  await closeBrowser();
  rmSync(scratch, { recursive: true, force: true });
});

test("below a path, with a token: every script and link of the page carries it", async () => {
  const host = await serve(report);
  try {
    await visit(`${host.url}index.html?token=x%2Fy`, async (page, { open }) => {
      await open("index.html?token=x%2Fy#/compiles?group=none&q=by_automatic");
      await room(page, "Compiles");
      await rows(page).first().click();
      await page
        .locator(".artifacts")
        .getByRole("link", { name: /dynamo_output_graph/ })
        .click();
      await page.locator(".cm-line").first().waitFor();
      const loaded = host.asked.filter((url) => /data\/(compiles|-)|viewer\.js/.test(url));
      assert.ok(loaded.length >= 3, `${host.asked}`);
      for (const url of loaded) assert.match(url, /\?token=x%2Fy$/);
      await page.locator(".artifact a.button", { hasText: "File" }).click();
      await page.waitForURL(/\.txt\?token=x%2Fy$/);
      const own = readdirSync(report, { recursive: true })
        .map(String)
        .find((name) => /inductor_output_code.*\.html$/.test(name));
      await open(`${own}?token=x%2Fy`);
      await page.getByRole("link", { name: "Report" }).click();
      await page.waitForURL(/index\.html\?token=x%2Fy/);
      await room(page, "Overview");
    });
  } finally {
    await host.close();
  }
});

test("from the file system nothing else is asked for, in a folder with a name that needs quoting", async () => {
  const odd = join(scratch, "a b #1 100% ü?");
  cpSync(report, odd, { recursive: true });
  await visit(odd, { offline: true }, async (page, { open, requests }) => {
    await open("index.html#/c/4%2F0/1");
    await page.locator(".cm-line").first().waitFor();
    assert.ok(allOf(requests, (url) => url.startsWith("file://")));
  });
});

test("a part that is missing is named, and the rest of the page works", async () => {
  const part = join(scratch, "part");
  cpSync(report, part, { recursive: true });
  for (const name of readdirSync(join(part, "data"))) if (name !== "report.js") rmSync(join(part, "data", name));
  await visit(part, { expectErrors: true }, async (page, { open }) => {
    await open("index.html#/c/0%2F0");
    await page.getByText("data/compiles.0.js could not be loaded: was the whole folder copied?").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await room(page, "Compiles");
  });
});

test("a damaged part, and a report without its summary, say so", async () => {
  const damaged = join(scratch, "damaged");
  cpSync(report, damaged, { recursive: true });
  writeFileSync(join(damaged, "data", "compiles.0.js"), 'tl.put("compiles/0","KLUv/SAA");');
  await visit(damaged, { expectErrors: true }, async (page, { open }) => {
    await open("index.html#/c/0%2F0");
    await page.getByText(/data\/compiles\.0\.js is damaged/).waitFor();
    rmSync(join(damaged, "data", "report.js"));
    await open("index.html?again");
    await page.getByText(/data\/report\.js could not be loaded/).waitFor();
  });
});

// A report that was made from facts: of most ranks, only what they are compared by is here.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeBrowser, room, visit } from "./lib/browser.mjs";
import { sampleFolder, TLPARSE } from "./lib/report.mjs";

const scratch = mkdtempSync(join(tmpdir(), "tlparse-facts-"));
after(async () => {
  await closeBrowser();
  rmSync(scratch, { recursive: true, force: true });
});

/** The report of the facts of a recorded job, with these full reports. */
function merged(full) {
  const out = join(scratch, full);
  execFileSync(TLPARSE, ["facts", sampleFolder("ranks4_desync"), "-o", `${out}.facts`], { stdio: "ignore" });
  execFileSync(TLPARSE, ["merge", `${out}.facts`, "--full", full, "-o", out], { stdio: "ignore" });
  return out;
}

test("each link to a rank leads to its report, or says where its log is", async () => {
  const report = merged("1");
  const { ranks } = JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
  const { host, paths } = ranks[3].elsewhere;
  await visit(report, { offline: true }, async (page, { open }) => {
    let seen = 0;
    for (const at of [
      "",
      "ranks",
      "ranks/collectives",
      "ranks/order",
      "ranks/runtime",
      "ranks/diff",
      "timeline",
      "log",
    ]) {
      await open(`index.html#/${at}`);
      await page.locator("main h1").first().waitFor();
      for (const href of await page.locator("a[href]").evaluateAll((links) => links.map((link) => link.href))) {
        const path = decodeURIComponent(new URL(href).pathname);
        if (!path.includes("/rank_")) continue;
        seen++;
        assert.ok(existsSync(path), `${at}: ${href}`);
      }
    }
    assert.ok(seen > 3, `${seen} links`);
    await open("index.html");
    await page.getByText("Rank 1 has a full report.").waitFor();
    await page.locator(".grid").getByRole("link", { name: "rank 3", exact: true }).click();
    const panel = page.locator(".panel.elsewhere");
    await panel.getByRole("heading", { name: "The log of rank 3 is not here" }).waitFor();
    const text = await panel.innerText();
    assert.ok(text.includes(host) && text.includes(paths[0]) && text.includes("--full 3 --logs DIR"), text);
    await page.locator(".grid").getByRole("link", { name: "rank 1", exact: true }).click();
    await room(page, "Overview");
  });
});

test("without full reports, pages of events and artifacts say so", async () => {
  await visit(merged("none"), { offline: true }, async (page, { open }) => {
    await open("index.html#/timeline");
    await page.getByText("No rank has a full report").waitFor();
    await open("index.html#/ranks/diff");
    await page.locator("main h1").first().waitFor();
    await open("index.html");
    await page.getByText("Made from the facts of 4 logs. No rank has a full report.").waitFor();
  });
});

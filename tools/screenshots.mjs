// Takes the screenshots of README.md and of the documentation site: reports of committed logs, in headless Chromium.
//   node tools/screenshots.mjs [NAME...]    only the files of doc/ whose names contain one of these
// Needs a built tlparse and the npm packages of web/ (./dev build) and Chromium (./dev setup test).
// Environment: TLPARSE the binary (default: build/tlparse), CHROMIUM the browser (default: that of the browser tests).
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { program } from "../tests/browser/lib/browser.mjs";

const TOP = fileURLToPath(new URL("..", import.meta.url));
const { chromium } = createRequire(new URL("../web/package.json", import.meta.url))("playwright-core");

const SMALL = { width: 1040, height: 560 };

/**
 * `file` is below doc/, `log` is a folder of tests/data/logs or a path below tests/data, `hash` the address in the report, `title` the
 * heading to wait for.
 */
const SCREENSHOTS = [
  { file: "screenshot.png", log: "graph_breaks", hash: "#/", title: "Overview" },
  { file: "screenshot-recompiles.png", log: "recompiles", hash: "#/recompiles", title: "Recompiles" },
  { file: "screenshot-timeline.png", log: "gpt2", hash: "#/timeline", title: "Timeline", colorScheme: "dark" },
  { file: "site/images/tutorial-overview.png", log: "tutorial/before", hash: "#/", title: "Overview", viewport: SMALL },
  {
    file: "site/images/tutorial-recompiles.png",
    log: "tutorial/before",
    hash: "#/recompiles",
    title: "Recompiles",
    viewport: SMALL,
  },
];

const wanted = process.argv.slice(2);
const chosen = SCREENSHOTS.filter(({ file }) => !wanted.length || wanted.some((name) => file.includes(name)));
if (!chosen.length) {
  console.error(`screenshots.mjs: no screenshot is named ${wanted.join(" or ")}`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), "tlparse-screenshots-"));
const browser = await chromium.launch({
  ...program(),
  args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none"],
});
try {
  for (const { file, log, hash, title, colorScheme = "light", viewport = { width: 1280, height: 720 } } of chosen) {
    const report = join(work, log);
    const folder = join(TOP, "tests/data", log.includes("/") ? log : `logs/${log}`);
    const command = [folder, "-o", report, "--overwrite", "--no-browser"];
    execFileSync(process.env.TLPARSE ?? join(TOP, "build/tlparse"), command, { stdio: "ignore" });
    const page = await browser.newPage({
      viewport,
      colorScheme,
      reducedMotion: "reduce",
      locale: "en-US",
      timezoneId: "UTC",
    });
    await page.goto(`${pathToFileURL(report)}/index.html${hash}`);
    await page.locator("main h1", { hasText: title }).first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // canvases are drawn
    await page.screenshot({ path: join(TOP, "doc", file), animations: "disabled" });
    await page.close();
    console.log(`doc/${file}`);
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}

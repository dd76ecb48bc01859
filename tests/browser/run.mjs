// Runs the suites of this folder, several at a time, in one browser, and ends with the total. suites.mjs is the process that does.
//   node run.mjs [--all] [NAME…]   only the suites whose name begins with one of these; NAME:TEXT only its tests whose title holds the text
//   node run.mjs --list            names the suites
// --all adds what takes long because it is large (big() of lib/report.mjs).
// Environment: TLPARSE the binary (default: ../../build/tlparse), TLPARSE_LOGS a folder of sample logs (default: ../data/logs), CHROMIUM the browser.
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const names = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs"))
  .map((name) => name.replace(".test.mjs", ""))
  .sort();
if (options.includes("--list")) {
  process.stdout.write(`${names.join("\n")}\n`);
  process.exit();
}
if (options.includes("--all")) process.env.TL_ALL = "1";

const wanted = words.map((word) => word.split(":", 1)[0]);
const chosen = names.filter((name) => !words.length || wanted.some((word) => name.startsWith(word)));
const unknown = wanted.filter((word) => !names.some((name) => name.startsWith(word)));
if (unknown.length) {
  process.stdout.write(`no suite ${unknown.join(" ")} (run.mjs --list)\n0 passed, 1 failed\n`);
  process.exit(1);
}
/** The texts of the titles of a suite that are chosen, or null: all. */
const titles = (name) => {
  const texts = words.filter((word) => name.startsWith(word.split(":", 1)[0])).map((word) => word.split(/:(.*)/s)[1]);
  return texts.length && texts.every((text) => text !== undefined) ? texts : null;
};
const LONG_FIRST = ["walk", "share", "timeline", "ranks", "provenance", "compile", "search"]; // the others fill the time that one of them leaves
const rank = (name) => LONG_FIRST.indexOf(name) + 1 || LONG_FIRST.length + 1;
process.env.TL_SUITES = JSON.stringify({
  suites: chosen.sort((a, b) => rank(a) - rank(b)).map((name) => ({ name, titles: titles(name) })),
  concurrency: 2 * availableParallelism(), // a suite waits for the page more than half of its time
});

let passed = 0;
let failed = 0;
let skipped = 0;
const files = [join(here, "suites.mjs")];
const stream = run({ files, timeout: 2_400_000 });
const count = (data, good) => {
  if (files.includes(data.name)) return; // a file is no test
  if (data.details?.type === "suite") {
    if (!good && data.details.error?.failureType !== "subtestsFailed") failed++; // what follows its tests failed
    return;
  }
  if (data.skip || data.todo) skipped++;
  else if (good) passed++;
  else failed++;
};
stream.on("test:pass", (data) => count(data, true));
stream.on("test:fail", (data) => {
  if (files.includes(data.name))
    failed++; // the process itself failed
  else count(data, false);
});
const shown = stream.compose(new spec());
shown.on("end", () => {
  process.stdout.write(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`); // the last line, for whoever sums up
  process.exitCode = failed || !passed ? 1 : 0;
});
shown.pipe(process.stdout, { end: false });

// Runs all suites of this folder, two at a time (they wait for the browser more than they work), and ends with the total.
//   node run.mjs [NAME…]    only the suites whose name holds one of these
// Environment: TLPARSE the binary (default: ../../build/tlparse), TLPARSE_LOGS a folder of sample logs (default: ../data/logs).
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const wanted = process.argv.slice(2);
const files = readdirSync(here).filter((name) => name.endsWith(".test.mjs") && (!wanted.length || wanted.some((word) => name.includes(word)))).sort().map((name) => join(here, name));

let passed = 0;
let failed = 0;
const stream = run({ files, concurrency: 2, timeout: 900_000 });
const count = (data, good) => {
  if (data.details?.type === "suite" || files.includes(data.name)) return; // a file or a group is no test
  if (data.skip || data.todo) return;
  good ? passed++ : failed++;
};
stream.on("test:pass", (data) => count(data, true));
stream.on("test:fail", (data) => {
  if (files.includes(data.name)) failed++; // the file itself failed to run
  else count(data, false);
});
const shown = stream.compose(new spec());
shown.on("end", () => {
  process.stdout.write(`${passed} passed, ${failed} failed\n`); // the last line, for whoever sums up
  process.exitCode = failed ? 1 : 0;
});
shown.pipe(process.stdout, { end: false });

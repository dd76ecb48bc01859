// Reports for the tests: of sample logs, and of logs that are written here.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
export const TLPARSE = resolve(process.env.TLPARSE ?? join(here, "../../build/tlparse"));
const LOGS = resolve(process.env.TLPARSE_LOGS ?? join(here, "../data/logs"));
const work = mkdtempSync(join(tmpdir(), "tlparse-browser-"));
const made = new Map();

process.on("exit", () => rmSync(work, { recursive: true, force: true }));

/** The log of a sample: the first in the folder of that name, packed or not. */
export function sampleLog(name) {
  const folder = join(LOGS, name);
  const log = existsSync(folder) && readdirSync(folder).find((file) => /\.log(\.gz|\.zst)?$/.test(file));
  if (!log) throw new Error(`no sample log ${folder}/*.log[.zst]: set TLPARSE_LOGS`);
  return join(folder, log);
}

/** The folder of the report of a sample; made once in a process. */
export function sampleReport(name, ...options) {
  return report(`${name} ${options.join(" ")}`, () => sampleLog(name), options);
}

/** The folder of the report of a log given as a Buffer or a text. */
export function reportOf(name, bytes) {
  return report(`own ${name}`, () => {
    const log = join(work, `${name}.log`);
    writeFileSync(log, typeof bytes === "function" ? bytes() : bytes);
    return log;
  });
}

/** The report of a file below the samples. */
export const fileReport = (path) => report(`file ${path}`, () => join(LOGS, path));

const SHARED = resolve(process.env.TLPARSE_TRACES ?? join(here, "../../../shared/traces"));

/** The report of a trace that lies beside the project: of one log, or of all in its folder. Null where it is not there. */
export function traceReport(path) {
  const place = join(SHARED, path);
  if (!existsSync(place)) return null;
  const logs = statSync(place).isDirectory() ? readdirSync(place).filter((file) => file.endsWith(".log")) : [];
  return report(`trace ${path}`, () => (logs.length === 1 ? join(place, logs[0]) : place));
}

/** The report of the folders of two samples of ranks, as two jobs. */
export const jobsReport = (one, other) => report(`jobs ${one} ${other}`, () => sampleFolder(one), [sampleFolder(other)]);

/** The folder with the logs of a sample. */
export const sampleFolder = (name) => join(LOGS, name);

/** The folder of the report of all logs of a sample, or of those that `fill` puts into an empty folder. */
export function folderReport(name, fill) {
  return report(`folder ${name}`, () => {
    if (!fill) return sampleFolder(name);
    const folder = join(work, `logs ${name}`);
    mkdirSync(folder);
    fill(folder);
    return folder;
  });
}

function report(key, log, options = []) {
  if (!made.has(key)) {
    const out = join(work, `r${made.size}`, "report");
    mkdirSync(join(out, ".."));
    execFileSync(TLPARSE, [log(), "-o", out, "--overwrite", "--no-browser", ...options], { stdio: ["ignore", "ignore", "ignore"], timeout: 120_000 });
    made.set(key, out);
  }
  return made.get(key);
}

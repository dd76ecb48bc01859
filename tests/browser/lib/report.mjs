// Reports for the tests: of sample logs, and of logs that are written here.
// Those of sample logs are kept in build/test, where all suites share them: tests/tools/samples.py says how, and writes the same
// folder. Nothing may modify a report in it: copy it first.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { test } from "./test.mjs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
export const TLPARSE = resolve(process.env.TLPARSE ?? join(here, "../../build/tlparse"));
const LOGS = resolve(process.env.TLPARSE_LOGS ?? join(here, "../data/logs"));
const PROFILED = join(here, "../data/profiled");
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

/** The trace of torch.profiler of a program in tests/data/profiled. */
export const profileOf = (name) => join(PROFILED, name, `${name}.json.gz`);

/** The folder of the report of such a program with profiles: its own, or those that are given. */
export function profiledReport(name, profiles = null) {
  const folder = join(PROFILED, name);
  const logs = readdirSync(folder).filter((file) => file.endsWith(".log.zst"));
  const log = logs.length > 1 ? folder : join(folder, logs[0]);
  profiles ??= [logs.length > 1 ? folder : profileOf(name)];
  return report(
    `profiled ${name} ${profiles.join(" ")}`,
    () => log,
    profiles.flatMap((path) => ["--profile", path]),
  );
}

/** The same for a program in the corpus that was profiled on a GPU. */
export const profiledOnGpu = (name) =>
  profiledReport(`../corpus/${name}`, [join(PROFILED, "../corpus", name, "profile.json.gz")]);

/** The path of a file for a test, with that content. */
export function fileOf(name, content) {
  const path = join(work, name);
  writeFileSync(path, content);
  return path;
}

/** The folder of the report of a log given as a Buffer or a text, or by a function that makes it. */
export function reportOf(name, bytes) {
  return report(`own ${name} ${bytes}`, () => {
    const log = join(work, `${name}.log`);
    writeFileSync(log, typeof bytes === "function" ? bytes() : bytes);
    return log;
  });
}

/** The report of a file below the samples. */
export const fileReport = (path) => report(`file ${path}`, () => join(LOGS, path));

/** The report of the folders of two samples of ranks, as two jobs. */
export const jobsReport = (one, other) =>
  report(`jobs ${one} ${other}`, () => sampleFolder(one), [sampleFolder(other)]);

/** The folder with the logs of a sample. */
export const sampleFolder = (name) => join(LOGS, name);

/** The folder of the report of all logs of a sample, or of those that `fill` puts into an empty folder. */
export function folderReport(name, fill) {
  return report(`folder ${name} ${fill}`, () => {
    if (!fill) return sampleFolder(name);
    const folder = join(work, `logs ${name}`);
    mkdirSync(folder);
    fill(folder);
    return folder;
  });
}

const KEPT = join(
  resolve(process.env.TLPARSE_TEST_WORK ?? join(here, "../../build/test")),
  "reports",
  createHash("sha256").update(readFileSync(TLPARSE)).digest("hex").slice(0, 16),
);

/** The folder of the report of a log, a folder of logs, or of several (further ones in `options`). */
function report(key, log, options = []) {
  if (!made.has(key)) {
    const sources = [log(), ...options];
    const inside = sources.map((word) => (word.startsWith(`${LOGS}/`) ? relative(LOGS, word) : word));
    const shared = sources[0].startsWith(`${LOGS}/`);
    const home = shared
      ? join(KEPT, createHash("sha256").update(inside.join("\n")).digest("hex").slice(0, 20))
      : join(work, `r${made.size}`);
    if (!existsSync(join(home, "run.json"))) build(home, sources);
    made.set(key, join(home, "out"));
  }
  return made.get(key);
}

/**
 * The report of a sample with a configuration of the user, by the name of both. `parsers` has programs in Python, by kind of
 * record.
 */
export function configuredReport(name, sample, { parsers = {}, ...members }) {
  const key = `configured ${name} ${JSON.stringify({ sample, parsers, ...members })}`;
  if (!made.has(key)) {
    const home = join(work, `r${made.size}`);
    const config = join(work, `config ${name}`);
    mkdirSync(join(config, "tlparse"), { recursive: true });
    const commands = Object.entries(parsers).map(([kind, program]) => {
      writeFileSync(join(config, `${kind}.py`), program);
      return [kind, ["python3", join(config, `${kind}.py`)]];
    });
    const content = { ...members, parsers: Object.fromEntries(commands) };
    writeFileSync(join(config, "tlparse/config.json"), JSON.stringify(content));
    build(home, [sampleLog(sample)], { XDG_CONFIG_HOME: config });
    made.set(key, join(home, "out"));
  }
  return made.get(key);
}

function build(home, sources, env = { XDG_CONFIG_HOME: join(work, "no-config") }) {
  mkdirSync(join(home, ".."), { recursive: true });
  const half = mkdtempSync(join(home, "../part-"));
  const done = spawnSync(TLPARSE, [...sources, "-o", join(half, "out"), "--no-browser"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
    timeout: 120_000,
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`${TLPARSE} ${sources.join(" ")}: exit status ${done.status}, ${done.stderr}`);
  writeFileSync(
    join(half, "run.json"),
    JSON.stringify({ status: done.status, stderr: done.stderr.replaceAll(half, "WORK") }),
  );
  try {
    renameSync(half, home);
  } catch {
    // another process was quicker
    rmSync(half, { recursive: true, force: true });
  }
}

/** A folder with one.html and nothing else: what `tlparse share` makes of logs. `change`, if given, changes its text. */
export function shared(name, logs, options = [], change = null) {
  const key = `shared ${name} ${[...logs, ...options].join(" ")} ${change}`;
  if (!made.has(key)) {
    const folder = join(work, `one ${made.size}`);
    mkdirSync(folder);
    const file = join(folder, "one.html");
    const done = spawnSync(TLPARSE, ["share", ...logs, "-o", file, ...options], { timeout: 120_000, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`share ${logs.join(" ")}: exit status ${done.status}, ${done.stderr}`);
    if (change) writeFileSync(file, change(readFileSync(file, "utf8")));
    made.set(key, folder);
  }
  return made.get(key);
}

/** Declares a test that takes long because its log is large: it runs with --all only. */
export const bigTest = process.env.TL_ALL ? test : () => undefined;

/** Logs that may not be redistributed, where they are present. */
const TRACES = resolve(process.env.TLPARSE_TRACES ?? join(here, "../../../shared/traces"));

/** The report of such a log, or of all in its folder; null where it is absent. */
export function traceReport(path) {
  const place = join(TRACES, path);
  return existsSync(place) ? report(`trace ${path}`, () => place) : null;
}

/** The lines of a facts file, which is zstd. */
export const factLines = (file) =>
  execFileSync("zstd", ["-dcq", file], { maxBuffer: 1 << 28 })
    .toString()
    .trimEnd()
    .split("\n");

/** Writes them. */
export const writeFacts = (file, lines) => execFileSync("zstd", ["-1qfo", file], { input: `${lines.join("\n")}\n` });

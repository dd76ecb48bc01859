// Rules of this front end that neither compiler nor linter knows. Prints what breaks them; exit status 1 when anything does.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const RULES = [
  [
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|srcdoc/,
    "text of a log must never become markup",
  ],
  [/new Function\(|setTimeout\(\s*["'`]/, "no code from text: the CSP forbids it"],
  [
    /\bfetch\(|XMLHttpRequest|(?<!typeof )\bimport\(["'`]|new Worker\((?!blobUrl\))|EventSource|WebSocket|sendBeacon/,
    "refused on file://, or leaves the report",
  ],
  [/["'`]https?:\/\/(?!www\.w3\.org)/, "no addresses of other hosts"],
];
const files = readdirSync(join(web, "src"), { recursive: true })
  .map(String)
  .filter((name) => /\.(ts|tsx|css)$/.test(name) && !name.includes("generated"))
  .map((name) => join(web, "src", name));
let faults = 0;
const fault = (file, line, text) => {
  faults++;
  console.error(`${relative(web, file)}:${line}: ${text}`);
};
for (const file of files) {
  const lines = readFileSync(file, "utf8").split("\n");
  if (lines.length > (file.endsWith(".css") ? 750 : 600))
    fault(file, lines.length, `${lines.length} lines: too much for one file`);
  lines.forEach((line, i) => {
    if (file.endsWith(".test.ts")) return;
    const code = line.replace(/^\s*(\/\/|\*|\/\*).*$/, "");
    for (const [pattern, why] of RULES) if (pattern.test(code)) fault(file, i + 1, why);
  });
}
const lock = join(web, "package-lock.json");
readFileSync(lock, "utf8")
  .split("\n")
  .forEach((line, i) => {
    if (/"resolved"|registry/.test(line)) fault(lock, i + 1, "an address of a registry in the lock file");
  });
process.exit(faults ? 1 : 0);

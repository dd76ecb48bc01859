// Rules for what ESLint does not read: styles, the lock file, and what tests and tools hold. Prints what breaks them; exit
// status 1 when anything does. The rules for code are in ../eslint.config.mjs.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
let faults = 0;
const fault = (file, line, text) => {
  faults++;
  console.error(`${relative(web, file)}:${line}: ${text}`);
};
const each = (file, check) =>
  readFileSync(file, "utf8")
    .split("\n")
    .forEach((line, i) => check(line, i + 1));

for (const name of readdirSync(join(web, "src"), { recursive: true }).map(String)) {
  if (!name.endsWith(".css")) continue;
  const file = join(web, "src", name);
  const lines = readFileSync(file, "utf8").split("\n").length;
  if (lines > 750) fault(file, lines, `${lines} lines: too long for one file`);
  each(file, (line, n) => {
    if (/@import|https?:\/\//.test(line)) fault(file, n, "no addresses of other hosts");
  });
}
each(join(web, "package-lock.json"), (line, n) => {
  if (/"resolved"|registry/.test(line)) fault(join(web, "package-lock.json"), n, "an address of a registry");
});
process.exit(faults ? 1 : 0);

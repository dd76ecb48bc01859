// Builds dist/: one classic script per bundle, because a page opened from the file system may load neither modules nor
// import(). Bundles that are loaded later register themselves on the global `tl` and take preact from it.
import { readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const bundles = [
  { name: "app", entry: "src/app/app.ts" },
  { name: "viewer", entry: "src/ui/viewer/bundle.ts" },
  { name: "worker", entry: "src/lib/worker/worker.ts" },
  { name: "highlight", entry: "src/standalone/highlight-bundle.ts" },
  { name: "parsers", entry: "src/ui/parsers/bundle.ts" },
  { name: "help", entry: "src/ui/help-bundle.ts" },
  { name: "live", entry: "src/lib/live.ts" },
  { name: "drawing", entry: "src/app/drawing-bundle.ts" },
  { name: "one", entry: "src/one/loader.ts" },
];
const used = new Map(); // package name -> its folder

/** Remembers which packages end up in a bundle, for notices.txt. */
const notePackages = {
  name: "note-packages",
  generateBundle(_options, output) {
    for (const chunk of Object.values(output)) {
      for (const id of Object.keys(chunk.modules ?? {})) {
        const found = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replace(/\\/g, "/"));
        if (found) used.set(found[2], found[1]);
      }
    }
  },
};

rmSync(dist, { recursive: true, force: true });
for (const { name, entry } of bundles) {
  await build({
    root: here,
    configFile: false,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [notePackages],
    build: {
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      lib: {
        entry: join(here, entry),
        formats: ["iife"],
        name: `tl_${name}`,
        fileName: () => `${name}.js`,
        cssFileName: name,
      },
    },
  });
}
// What these do runs in a worker, or in the page where there may be none: a function's text is that worker's program, so their code is there once.
for (const name of ["worker", "drawing"]) {
  const file = join(dist, `${name}.js`);
  writeFileSync(
    file,
    `(()=>{function make(){${readFileSync(file, "utf8")};return tl_${name}}tl.register("${name}",{...make(),program:"("+make+")().serve(self)"})})();\n`,
  );
}
writeFileSync(join(dist, "notices.txt"), notices());

function notices() {
  const parts = [...used.keys()].sort().map((name) => {
    const folder = used.get(name);
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "license", "LICENCE"].map((f) => join(folder, f)).find(existsSync);
    if (!file) throw new Error(`${name}: no licence file to quote`);
    return `${name} ${about.version} (${about.license})\n\n${readFileSync(file, "utf8").trim()}\n`;
  });
  return `The page of a tlparse report holds code of these packages.\n\n${parts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

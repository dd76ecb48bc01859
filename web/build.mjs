// Builds dist/: one classic script per bundle, because a page opened from the file system may load neither modules nor
// import(). Bundles that are loaded later register themselves on the global `tl` and take preact from it.
import { readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const bundles = [
  { name: "viewer", entry: "src/app/viewer-bundle.ts" },
  { name: "worker", entry: "src/lib/worker/worker.ts" },
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

/** The path of a module within the project: the same in every folder, and with packages that are a link. */
const nameOf = (id) => id.replace(/^.*\/node_modules\//, "node_modules/").replace(here, "");

/** The bundle `pages` takes each module that the app has, too, from `tl.shared`, which the app's last statement fills with what is taken. */
const shared = {
  modules: new Map(), // of the app: path -> what is taken: name -> name in `tl.shared`, which does not depend on the order of transforms
  noteApp: {
    name: "note-app",
    generateBundle(_options, output) {
      for (const chunk of Object.values(output))
        for (const [nth, id] of Object.keys(chunk.modules ?? {})
          .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
          .entries())
          shared.modules.set(id, Object.assign(new Map(), { nth }));
    },
  },
  take: {
    name: "take-shared",
    enforce: "post",
    async transform(code, id) {
      const edits = [];
      for (const node of this.parse(code).body) {
        const source = node.source && (await this.resolve(node.source.value, id))?.id;
        const names = shared.modules.get(source);
        if (!names) continue;
        if (node.type !== "ImportDeclaration") throw new Error(`${id}: re-exports ${source}, which the app has`);
        const taken = node.specifiers.map(({ type, imported, local }) => {
          if (type === "ImportNamespaceSpecifier")
            throw new Error(`${id}: imports all of ${source}, which the app has`);
          const name = type === "ImportDefaultSpecifier" ? "default" : imported.name;
          names.set(name, `${name}_${names.nth}`);
          return `${names.get(name)}:${local.name}`;
        });
        edits.push([node.start, node.end, taken.length ? `const {${taken.join(",")}} = window.tl.shared;` : ""]);
      }
      for (const [start, end, text] of edits.reverse()) code = code.slice(0, start) + text + code.slice(end);
      return edits.length ? { code, map: null } : null;
    },
  },
  give: {
    name: "give-shared",
    transform(code, id) {
      if (id !== join(here, "src/app/app.ts")) return null;
      const taken = [...shared.modules].filter(([, names]) => names.size);
      const imports = taken.map(([path, names]) => {
        const list = [...names].sort().map(([name, as]) => `${name} as ${as}`);
        return `import {${list.join(",")}} from ${JSON.stringify(path)};`;
      });
      const all = taken.flatMap(([, names]) => [...names.values()].sort());
      return { code: `${imports.join("\n")}\n${code}\nwindow.tl.shared = {${all.join(",")}};`, map: null };
    },
  },
};

rmSync(dist, { recursive: true, force: true });
await bundled("app", "src/app/app.ts", [shared.noteApp], false);
await bundled("pages", "src/app/pages-bundle.ts", [notePackages, shared.take]);
await bundled("app", "src/app/app.ts", [notePackages, shared.give]);
for (const { name, entry } of bundles) await bundled(name, entry, [notePackages]);

async function bundled(name, entry, plugins, write = true) {
  await build({
    root: here,
    configFile: false,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins,
    build: {
      write,
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

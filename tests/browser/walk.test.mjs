// One walk over every page of reports of every sort, served over HTTP below a path: opened from its address, each page shows no
// error, asks for nothing elsewhere and misses no file, is accessible (axe-core, light and dark), and fits a screen; on a phone
// it fits too, a finger hits what it aims at, and nothing covers the heading.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { closeBrowser, settled, visit } from "./lib/browser.mjs";
import { hooksReport } from "./lib/hooks.mjs";
import { addresses, goTo, shown } from "./lib/pages.mjs";
import { folderReport, sampleLog, sampleReport } from "./lib/report.mjs";
import { serve } from "./lib/server.mjs";

after(closeBrowser);
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const DESKTOP = {
  viewport: { width: 1280, height: 720 },
  reducedMotion: "reduce",
};
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
  reducedMotion: "reduce",
};
const LEAST = 24; // CSS pixels, WCAG 2.2 target size
const BELOW = "/a/b/run 7/";

/** The reports. `axe`: in which schemes axe-core looks at them. It is slow, and pages share their components and colors, so only reports
 *  that together have every page are looked at, and in dark those that have every chip and picture. `pages`: the fewest pages that the
 *  navigation may lead to. */
const REPORTS = {
  gpt2: { make: () => sampleReport("gpt2"), axe: ["light", "dark"] },
  errors: { make: () => sampleReport("errors"), axe: ["light", "dark"] },
  ranks4_desync: {
    make: () => folderReport("ranks4_desync"),
    axe: ["light", "dark"],
  },
  export_errors: {
    make: () => sampleReport("export_errors", "--export"),
    axe: ["light", "dark"],
  },
  recompiles: { make: () => sampleReport("recompiles"), axe: ["light"] },
  graph_breaks: { make: () => sampleReport("graph_breaks") },
  vllm_like: { make: () => sampleReport("vllm_like"), axe: ["light"] },
  provenance_jit: { make: () => sampleReport("provenance_jit") },
  "graph_breaks with hooks": { make: hooksReport, axe: ["light", "dark"] },
  interleaved: { make: () => sampleReport("interleaved") },
  "graph_breaks and recompiles, compared": {
    make: () => sampleReport("graph_breaks", sampleLog("recompiles")),
    axe: ["light"],
    pages: 4,
  },
};

const axe = (page, options) =>
  page.evaluate(
    async (given) =>
      (
        await globalThis.axe.run(document, {
          ...given,
          resultTypes: ["violations"],
          preload: false,
        })
      ).violations.flatMap((v) =>
        v.nodes
          .slice(0, 3)
          .map((node) => `${v.id}: ${node.target.join(" ")} ${node.failureSummary.split("\n")[1]?.trim() ?? ""}`),
      ),
    options,
  );

/** Loading axe-core and its first calls, before the engine has compiled it, take longer than all others: call this without loading the
 *  document again. In light by all rules; in dark, where nothing but the colors differs, by those of contrast. */
async function violations(page, schemes) {
  if (!schemes.length) return [];
  await page.emulateMedia({ colorScheme: "light" });
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE); // not a script element: the page's CSP forbids those
  const found = await axe(page, {});
  if (!schemes.includes("dark")) return found;
  await page.emulateMedia({ colorScheme: "dark" });
  const more = await axe(page, {
    runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
  });
  return [...found, ...more.map((violation) => `dark, ${violation}`)];
}

/** Runs in the page: what is wider than the screen. */
const tooWide = () =>
  [...document.querySelectorAll("html, body, main, .room")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1)
    .map((e) => `${e.className || e.tagName} is ${e.scrollWidth} wide`);

/** Runs in the page: tables that a phone would have to scroll sideways. Text whose lines are kept, as code and diffs, may be wider. */
const wideTables = () =>
  [...document.querySelectorAll("main .tablebox, main .grid-scroll, main .panel")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1)
    .map((e) => `${e.className} is ${e.scrollWidth} wide, ${e.clientWidth} are visible`);

/** Runs in the page: empty states that take more than one line. */
const longStates = () =>
  [...document.querySelectorAll("main p.state")]
    .filter((e) => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(e);
      return e.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom) > 1.5 * parseFloat(lineHeight);
    })
    .map((e) => `more than one line: ${e.innerText}`);

/** Runs in the page: controls that are too small, and what covers the heading. Links within text, and those with enough space around, are excepted by WCAG. */
function touch(least) {
  const seen = (e) =>
    e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest("[aria-hidden=true], .skip");
  const controls = [...document.querySelectorAll("button, select, input, summary, a[href]")].filter(seen);
  const boxes = controls
    .map((e) => ({
      e,
      target: e.matches("input[type=checkbox], input[type=radio]") ? (e.closest("label") ?? e) : e,
    }))
    .map(({ e, target }) => ({ e, box: target.getBoundingClientRect() }))
    .filter(({ box }) => box.width && box.bottom > 0 && box.top < innerHeight);
  const inText = (e) =>
    e.tagName === "A" &&
    getComputedStyle(e).display.startsWith("inline") &&
    !getComputedStyle(e).display.includes("flex");
  const drawn = (e) => e.matches(".treemap .tile"); // as large as its bytes: the size is what it says, and the table beneath has the same kinds
  const middle = ({ box }) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const alone = (one) =>
    boxes.every(
      (other) =>
        other === one ||
        one.e.contains(other.e) ||
        other.e.contains(one.e) ||
        Math.hypot(
          middle(one)[0] - Math.max(other.box.left, Math.min(middle(one)[0], other.box.right)),
          middle(one)[1] - Math.max(other.box.top, Math.min(middle(one)[1], other.box.bottom)),
        ) >=
          least / 2,
    );
  const small = boxes
    .filter(
      (one) =>
        (one.box.width < least - 0.5 || one.box.height < least - 0.5) && !inText(one.e) && !drawn(one.e) && !alone(one),
    )
    .map(
      ({ e, box }) =>
        `${e.tagName} ${(e.getAttribute("aria-label") ?? e.textContent).slice(0, 30)} is ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`,
    );
  const heading = document.querySelector("main h1");
  const at = heading?.getBoundingClientRect();
  const top = at && document.elementFromPoint(at.left + Math.min(10, at.width / 2), at.top + at.height / 2);
  const covered =
    !heading || heading === top || heading.contains(top)
      ? []
      : [`the heading is covered by ${top?.className || top?.tagName}`];
  return [...covered, ...new Set(small), ...(boxes.length ? [] : ["no control was found"])];
}

/** Visits a report over HTTP; then nothing may be missing, nor anything asked for outside it. */
async function served(folder, options, body) {
  const host = await serve(folder, BELOW);
  const missing = [];
  try {
    // visit() fails on requests to elsewhere and on errors in the console.
    await visit(encodeURI(`${host.url}index.html`), options, async (page, { open, failed }) => {
      page.on(
        "response",
        (response) => response.status() >= 400 && !/favicon/.test(response.url()) && missing.push(response.url()),
      );
      await body(page, open);
      assert.deepEqual(
        failed.filter((url) => !/favicon/.test(url)),
        [],
      );
    });
    assert.deepEqual(missing, []);
    assert.deepEqual(
      host.asked.filter((url) => !url.startsWith(encodeURI(BELOW)) && url !== "/favicon.ico"),
      [],
    );
    assert.ok(host.asked.length > 1, `only ${host.asked} was asked for`);
  } finally {
    await host.close();
  }
}

for (const [name, { make, axe: schemes = [], pages = 5 }] of Object.entries(REPORTS)) {
  test(`${name}: every page${schemes.map((scheme) => `, ${scheme}`).join("")}`, () =>
    served(make(), DESKTOP, async (page, open) => {
      await open("index.html");
      const found = [];
      const all = await addresses(page, pages);
      const add = (at, faults) => found.push(...faults.map((fault) => `${at}  ${fault}`));
      for (const [n, at] of all.entries()) {
        await open(`index.html?${n}${at}`); // loaded again, as from a link that was sent
        found.push(...(await shown(page, at)));
        add(at, await page.evaluate(tooWide));
        add(at, await page.evaluate(longStates));
      }
      for (const at of schemes.length ? all : []) {
        await goTo(page, at);
        found.push(...(await shown(page, at)));
        add(at, await violations(page, schemes));
      }
      assert.deepEqual(found, []);
    }));

  test(`${name}: every page on a phone`, () =>
    served(make(), PHONE, async (page, open) => {
      await open("index.html");
      const found = [];
      for (const at of await addresses(page, pages)) {
        await goTo(page, at);
        found.push(...(await shown(page, at)));
        for (const fault of [
          ...(await page.evaluate(tooWide)),
          ...(await page.evaluate(wideTables)),
          ...(await page.evaluate(touch, LEAST)),
        ])
          found.push(`${at}  ${fault}`);
      }
      assert.deepEqual(found, []);
    }));
}

/** The pages that C writes whole, one of each sort. */
const standalone = (folder) => {
  const pages = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".html") && !/(^|\/)index\.html$/.test(file))
    .sort();
  const sorts = new Map(pages.map((file) => [file.replace(/.*\//, "").replace(/[\d_]+.*$|\.html$/, ""), file]));
  return [...sorts.values()];
};

for (const name of ["recompiles", "errors", "provenance_jit", "provenance_aot", "export_errors", "vllm_like"]) {
  test(`${name}: standalone pages, light and dark`, () => {
    const folder = sampleReport(name, ...(name.startsWith("export") ? ["--export"] : []));
    const files = standalone(folder);
    assert.ok(files.length > 0);
    return served(folder, DESKTOP, async (page, open) => {
      const found = [];
      for (const file of files) {
        await open(file.split("/").map(encodeURIComponent).join("/"));
        await settled(page);
        for (const fault of await violations(page, ["light", "dark"])) found.push(`${file}  ${fault}`);
      }
      assert.deepEqual(found, []);
    });
  });
}

test("the provenance page on a phone", () => {
  const report = sampleReport("provenance_jit");
  const [file] = readdirSync(report)
    .filter((name) => name.startsWith("provenance_tracking"))
    .sort();
  return served(report, PHONE, async (page, open) => {
    await open(file);
    await settled(page);
    assert.deepEqual([...(await page.evaluate(tooWide)), ...(await page.evaluate(touch, LEAST))], []);
  });
});

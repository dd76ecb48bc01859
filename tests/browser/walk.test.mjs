// One walk over every page of reports of every sort, served over HTTP below a path: each page shows no error, also opened from its
// address, asks for nothing elsewhere and misses no file, is accessible (axe-core, light and dark), and fits a screen; on a phone it
// fits too, a finger hits what it aims at, and nothing covers the heading.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, settled, visit } from "./lib/browser.mjs";
import { hooksReport } from "./lib/hooks.mjs";
import { addresses, goTo, shown } from "./lib/pages.mjs";
import { folderReport, profiledReport, sampleLog, sampleReport } from "./lib/report.mjs";
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
 *  that together have every page are looked at, and in dark those that have every chip and picture. `sent`: each page is also loaded from
 *  its address, as from a link that was sent: those reports have every page. `pages`: the fewest pages that the navigation may lead to. */
const REPORTS = {
  gpt2: { make: () => sampleReport("gpt2"), axe: ["light", "dark"], sent: true },
  errors: { make: () => sampleReport("errors"), axe: ["light", "dark"] },
  ranks4_desync: {
    make: () => folderReport("ranks4_desync"),
    axe: ["light", "dark"],
    sent: true,
  },
  export_errors: {
    make: () => sampleReport("export_errors", "--export"),
    axe: ["light", "dark"],
    sent: true,
  },
  recompiles: { make: () => sampleReport("recompiles"), axe: ["light"] },
  graph_breaks: { make: () => sampleReport("graph_breaks") },
  vllm_like: { make: () => sampleReport("vllm_like"), axe: ["light"], sent: true },
  provenance_jit: { make: () => sampleReport("provenance_jit") },
  "graph_breaks with hooks": { make: hooksReport, axe: ["light", "dark"], sent: true },
  "breaks with a profile": { make: () => profiledReport("breaks"), axe: ["light", "dark"] },
  "training with a profile": { make: () => profiledReport("training"), axe: ["light"], sent: true },
  interleaved: { make: () => sampleReport("interleaved") },
  "graph_breaks and recompiles, compared": {
    make: () => sampleReport("graph_breaks", sampleLog("recompiles")),
    axe: ["light"],
    sent: true,
    pages: 4,
  },
};

/** Runs in the page, which has axe-core: the violations of all rules but those of contrast. */
const byRules = async (contrast) => {
  const rules = Object.fromEntries(contrast.map((id) => [id, { enabled: false }]));
  const done = await globalThis.axe.run(document, { rules, resultTypes: ["violations"], preload: false });
  return done.violations;
};

/** Runs in the page, which has axe-core: the violations of contrast. Of texts whose contrast depends on the same colors and sizes only
 *  one is looked at in the lifetime of the document, because the rule takes more time than all others. */
const byContrast = async ({ contrast, scheme }) => {
  const known = ((globalThis.knownContrast ??= {})[scheme] ??= new Set());
  const behind = (e) => {
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(e);
    const shown = backgroundColor !== "rgba(0, 0, 0, 0)" || backgroundImage !== "none" || opacity !== "1";
    return (
      (shown ? `${backgroundColor} ${backgroundImage} ${opacity};` : "") +
      (e.parentElement ? behind(e.parentElement) : "")
    );
  };
  const look = (e) => {
    const { color, fill, fontSize, fontWeight, textDecorationLine } = getComputedStyle(e);
    const around = e.tagName === "A" && e.parentElement ? getComputedStyle(e.parentElement).color : "";
    return [e.tagName, color, fill, fontSize, fontWeight, textDecorationLine, around, behind(e)].join(" ");
  };
  const hasText = (e) => e.value || [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const fresh = [...document.querySelectorAll("body *")].filter((e) => {
    if (!hasText(e) || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const one = look(e);
    return !known.has(one) && known.add(one);
  });
  if (!fresh.length) return [];
  const options = { runOnly: { type: "rule", values: contrast }, resultTypes: ["violations"], preload: false };
  return (await globalThis.axe.run({ include: fresh }, options)).violations;
};

const CONTRAST = ["color-contrast", "link-in-text-block"];

/** Loading axe-core and its first calls, before the engine has compiled it, take longer than all others: call this without loading the
 *  document again. In dark, nothing but the colors differs. */
async function violations(page, schemes) {
  if (!schemes.length) return [];
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE); // not a script element: the page's CSP forbids those
  const found = [];
  // What axe-core returns refers to elements, which only the page has.
  const add = async (prefix, body, argument) => {
    const text = `(${body})(${JSON.stringify(argument)}).then((list) => list.flatMap((v) => v.nodes.slice(0, 3).map((node) =>
      v.id + ": " + node.target.join(" ") + " " + (node.failureSummary.split("\\n")[1] ?? "").trim())))`;
    found.push(...(await page.evaluate(text)).map((fault) => prefix + fault));
  };
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme });
    if (scheme === "light") await add("", byRules, CONTRAST);
    await add(scheme === "light" ? "" : "dark, ", byContrast, { contrast: CONTRAST, scheme });
  }
  return found;
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

for (const [name, { make, axe: schemes = [], sent = false, pages = 5 }] of Object.entries(REPORTS)) {
  test(`${name}: every page${schemes.map((scheme) => `, ${scheme}`).join("")}`, () =>
    served(make(), DESKTOP, async (page, open) => {
      await open("index.html");
      const found = [];
      const all = await addresses(page, pages);
      const add = (at, faults) => found.push(...faults.map((fault) => `${at}  ${fault}`));
      for (const [n, at] of sent ? all.entries() : []) {
        await open(`index.html?${n}${at}`);
        found.push(...(await shown(page, at)));
      }
      for (const at of all) {
        await goTo(page, at);
        found.push(...(await shown(page, at)));
        add(at, await page.evaluate(tooWide));
        add(at, await page.evaluate(longStates));
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

test("axe-core finds a wrong color, also after it has seen the page, and in dark; and a control without a name", () =>
  served(sampleReport("simple"), DESKTOP, async (page, open) => {
    await open("index.html");
    await shown(page, "#/");
    assert.deepEqual(await violations(page, ["light", "dark"]), []);
    await page.evaluate(() => {
      document.querySelector("main h1").style.color = "light-dark(#ccc, #333)";
      document.querySelector("main").append(document.createElement("button"));
    });
    const found = await violations(page, ["light", "dark"]);
    assert.deepEqual(found.map((fault) => fault.replace(/: .*/, "")).sort(), [
      "button-name",
      "color-contrast",
      "dark, color-contrast",
    ]);
  }));

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

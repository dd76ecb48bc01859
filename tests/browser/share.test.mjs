// The one HTML of `tlparse share`, opened as from an attachment: from a folder that holds nothing else, without a network. Every page shows what it shows
// in the folder of the report; nothing is requested, no policy is violated, and no link is dead.
import assert from "node:assert/strict";
import { statSync, readFileSync } from "node:fs";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, settled, visit, viewer } from "./lib/browser.mjs";
import { addresses, goTo, shown } from "./lib/pages.mjs";
import { sampleFolder, sampleLog, shared } from "./lib/report.mjs";

after(closeBrowser);
const OFFLINE = { offline: true, reducedMotion: "reduce" };

/** Opens the file; every request but that of the file itself is a fault. */
const alone = (folder, body) =>
  visit(folder, OFFLINE, async (page, { open, requests }) => {
    await body(page, open);
    assert.deepEqual(
      requests.filter((url) => !/^blob:|^about:|^data:/.test(url) && !/\/one\.html(\?\w+)?(#.*)?$/.test(url)),
      [],
    );
  });

/** Runs in the page: links that lead out of the file. */
const leavingLinks = () =>
  [...document.querySelectorAll("a[href]")]
    .map((a) => a.getAttribute("href"))
    .filter((href) => !href.startsWith("#") && !/^https?:/.test(href));

/** Every page, by links, or loaded again for each, as from a link that was sent. Loading unpacks the whole file, and all reports do it alike. */
async function walk(page, open, least, { word = "aten", loaded = false, look = async () => undefined } = {}) {
  await open("one.html");
  const found = [];
  const all = (await addresses(page, least)).map((at) => at.replace("q=aten", `q=${word}`));
  for (const [n, at] of all.entries()) {
    await (loaded ? open(`one.html?${n}${at}`) : goTo(page, at));
    found.push(...(await shown(page, at)));
    found.push(...(await page.evaluate(leavingLinks)).map((href) => `${at}  leads to ${href}`));
    await look(at);
  }
  assert.deepEqual(found, []);
}

const SINGLE = {
  gpt2: 10,
  errors: 10,
  recompiles: 10,
  vllm_like: 10,
  provenance_jit: 10,
  export_errors: 5,
};
for (const [name, least] of Object.entries(SINGLE))
  test(`${name}: every page of the one HTML`, () =>
    alone(shared(name, [sampleLog(name)], name.startsWith("export") ? ["--export"] : []), (page, open) =>
      walk(page, open, least, { loaded: name === "gpt2" }),
    ));

test("gpt2 is smaller than 2.5 MB", () => {
  assert.ok(statSync(`${shared("gpt2", [sampleLog("gpt2")])}/one.html`).size < 2_500_000);
});

test("ranks: every page, and those of a rank", () =>
  alone(shared("ranks4_desync", [sampleFolder("ranks4_desync")]), async (page, open) => {
    await walk(page, open, 5, { loaded: true });
    await open("one.html?ranks#/@rank_2/");
    await page.locator(".up a").first().waitFor();
    const all = (await addresses(page, 10)).filter((at) => at !== "#/@/ranks/all");
    assert.ok(
      all.every((at) => at.startsWith("#/@rank_2/")),
      all.join(" "),
    );
    for (const [n, at] of all.entries()) {
      await open(`one.html?r${n}${at}`);
      assert.deepEqual(await shown(page, at), []);
    }
    // A link without a report stays in it, and the way up leads to the top.
    await goTo(page, "#/compiles");
    await eventually(() => hash(page), "#/@rank_2/compiles");
    await page.locator(".up a").first().click();
    await page.locator("main h1").first().waitFor();
    await eventually(() => hash(page), "#/@/ranks/all");
    await page.locator(".up").waitFor({ state: "detached" });
    await page.goBack();
    await page.locator(".up a").first().waitFor();
    await eventually(() => hash(page), "#/@rank_2/compiles");
  }));

test("runs: every page of the comparison", () =>
  alone(shared("two runs", [sampleLog("graph_breaks"), sampleLog("recompiles")]), (page, open) => walk(page, open, 4)));

test("ranks that were left out say so", () =>
  alone(shared("few ranks", [sampleFolder("ranks4_desync")], ["--max-size", "900K"]), async (page, open) => {
    await open("one.html#/@rank_3/");
    await page.getByText("This report is not in the file").waitFor();
    await page.getByText("Other reports").click();
    await page.locator("main h1", { hasText: "All ranks" }).waitFor();
  }));

test("a standalone page in its frame: lines of the provenance, and the ways out of it", () =>
  alone(shared("provenance_jit", [sampleLog("provenance_jit")]), async (page, open) => {
    await open("one.html#/compiles");
    await page.locator('main a[href^="#/c/"]').first().click();
    await page.locator("a.button", { hasText: "Provenance" }).first().click();
    const frame = page.frameLocator("iframe.standalone-page");
    await frame.locator(".prov .pane").first().waitFor();
    await frame.locator(".prov .pane [id^=p0L]").nth(8).click();
    await frame.locator(".prov .held").waitFor();
    const links = await frame.locator("a[href]").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    assert.ok(links.length > 1 && links.every((href) => href.startsWith("#")), links.join(" "));
    await frame.locator("header nav a").last().click();
    await eventually(async () => (await hash(page)).startsWith("#/c/"), true);
  }));

/** Runs in the page: its document without the content of scripts. */
const markup = () => {
  const copy = document.documentElement.cloneNode(true);
  for (const script of copy.querySelectorAll("script")) script.replaceChildren();
  return copy.outerHTML;
};

const SECRETS = /by_shape|hard_limit|recompiles\.py|home\/user/;
test("a redacted report: every page, without names, paths and graphs of shapes", () =>
  alone(shared("redacted", [sampleLog("recompiles")], ["--redact", "paths,code,config,names"]), async (page, open) => {
    const look = async (at) => {
      assert.doesNotMatch(await page.evaluate(markup), SECRETS, at);
    };
    await walk(page, open, 10, { word: "xxx", look });
    await page.locator(".rooms .redacted", { hasText: "paths, code, config, names" }).waitFor();
    await open("one.html?graph#/c/0%2F0");
    await page.locator("main a", { hasText: "dynamo_output_graph" }).first().click();
    await viewer(page);
    assert.match(await page.locator(".cm-content").innerText(), /x{3,}/);
    assert.equal(await page.locator("main button", { hasText: "Source lines" }).count(), 0);
    await open("one.html?config#/config");
    await page.getByText("(removed)").first().waitFor();
  }));

test("a report without names: every page, and graphs that can be read", () =>
  alone(shared("no names", [sampleLog("recompiles")], ["--redact", "names"]), async (page, open) => {
    const look = async (at) => {
      const text = await page.evaluate(() => document.documentElement.outerHTML);
      assert.doesNotMatch(text.replace(/<script[^>]*>[^<]*<\/script>/g, ""), /by_shape|hard_limit/, at);
    };
    await walk(page, open, 10, { word: "name", look });
    await page.locator(".rooms .redacted", { hasText: /^Redacted names$/ }).waitFor();
    assert.match(await page.locator(".rooms .redacted").getAttribute("title"), /^What is left: numbers .*paths/);
    await open("one.html?graph#/c/0%2F0");
    await page.locator("main a", { hasText: "dynamo_output_graph" }).first().click();
    await viewer(page);
    assert.match(await page.locator(".cm-content").innerText(), /def forward\(/);
    await page.locator("main button", { hasText: "Source lines" }).waitFor();
  }));

test("a redacted report of ranks: every page", () =>
  alone(
    shared("redacted ranks", [sampleFolder("ranks4_desync")], ["--redact", "paths,code,config,names"]),
    (page, open) => walk(page, open, 5, { word: "xxx" }),
  ));

test("workers and the editor", () =>
  alone(shared("gpt2", [sampleLog("gpt2")]), async (page, open) => {
    const workers = [];
    page.on("worker", (worker) => workers.push(worker.url()));
    await open("one.html#/search?q=aten");
    await page.locator(".search-hit mark").first().waitFor();
    await eventually(() => workers.length > 0 && workers.every((url) => url.startsWith("blob:")), true);
    await open("one.html?2#/c/0%2F0/1?drawn=1");
    await viewer(page);
  }));

test("the policy allows nothing but the front end", () => {
  const html = readFileSync(`${shared("gpt2", [sampleLog("gpt2")])}/one.html`, "utf8");
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
  const rules = Object.fromEntries(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]));
  assert.deepEqual(rules["default-src"], ["'none'"]);
  for (const name of ["script-src", "style-src"])
    assert.ok(
      rules[name].length && rules[name].every((source) => /^'(sha256|nonce)-[\w+/]{43}='$/.test(source)),
      `${name} ${rules[name].join(" ")}`,
    );
  assert.ok(!rules["script-src"].some((source) => source.startsWith("'nonce")));
  assert.deepEqual(rules["worker-src"], ["blob:"]);
  assert.ok(!/https?:/.test(policy) && !/unsafe-eval/.test(policy));
});

test("what a tampered report adds does not run", () =>
  visit(
    shared("tampered", [sampleLog("simple")], [], (html) =>
      html.replace(
        "</body>",
        "<script>document.title = 'ran'</script><img src=x onerror=\"document.title='ran'\"></body>",
      ),
    ),
    { ...OFFLINE, expectErrors: true },
    async (page, { open }) => {
      await open("one.html");
      await page.locator("main h1").first().waitFor();
      await settled(page);
      assert.notEqual(await page.title(), "ran");
    },
  ));

// Search over all artifacts: results as they come, expressions that would hang, the way to the line.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, test } from "./lib/test.mjs";
import { allOf, closeBrowser, eventually, hash, room, visit } from "./lib/browser.mjs";
import { artifact } from "./lib/log.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";
import { serve } from "./lib/server.mjs";

after(closeBrowser);
const hits = (page) => page.locator(".search-hit");
const said = (page) => page.locator("main .head .sub").innerText();

test("a text is found in all artifacts, grouped by compile, and a click leads to its line", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/");
    await room(page, "Overview");
    await page.keyboard.press("/");
    await room(page, "Search");
    await page.keyboard.type("aten.embedding");
    await hits(page).first().waitFor();
    await eventually(() => said(page).then((text) => /searched$/.test(text)), true);
    assert.match(await said(page), /\d+ lines in \d+ artifacts? of \d+ compiles?/);
    assert.equal((await hits(page).first().locator("mark").innerText()).toLowerCase(), "aten.embedding");
    const line = (await hits(page).first().locator(".num").innerText()).replace(/\D/g, "");
    await hits(page).first().click();
    await eventually(() => hash(page).then((text) => text.includes(`?L=${line}&f=aten.embedding`)), true);
    await page.locator(".cm-content .cm-searchMatch-selected", { hasText: "aten.embedding" }).waitFor();
    assert.match(await page.locator(".cm-find .found").innerText(), /^\d+ of \d+$/);
    assert.equal(await page.locator('.cm-find input[type="search"]').inputValue(), "aten.embedding");
  }));

test("expression, case, name of the artifact and status narrow it, and stand in the address", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/search?q=aten%5C.%5Cw%2Bmm&re=1&in=aot_");
    await hits(page).first().waitFor();
    await eventually(() => said(page).then((text) => /searched$/.test(text)), true);
    assert.ok(allOf(await page.locator(".search-artifact").allInnerTexts(), (name) => name.startsWith("aot_")));
    await page.getByLabel("match case").check();
    await page.getByLabel("Search all artifacts").fill("ATEN");
    await page.getByText("No matches").waitFor();
    assert.match(await hash(page), /case=1/);
    await page.getByLabel("Search all artifacts").fill("(");
    await page.getByText(/Invalid regular expression: .*group/).waitFor();
  }));

test("terms, functions and compile ids of that name are offered", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open("index.html#/search?q=by_shape");
    await page.locator(".search-places a", { hasText: "by_shape" }).first().waitFor();
    await open("index.html#/search?q=guard");
    await page.locator(".search-places a", { hasText: "Guard" }).first().waitFor();
  }));

const record = (name, text) =>
  `V1122 12:00:00.000000 7 torch/a.py:1] {"artifact": {"name": "${name}", "encoding": "string"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "${createHash("md5").update(text).digest("hex")}"}\n\t${text}\n`;

test("an expression that would never end is ended, and the page says where", () => {
  const log = reportOf(
    "runaway",
    () => record("bad", `${"a".repeat(60)}!`) + record("good", "ab <img src=x onerror=alert(1)>"),
  );
  return visit(log, async (page, { open }) => {
    await open(`index.html#/search?re=1&q=${encodeURIComponent("^(a+)+(b|$)")}`);
    await page.getByText("took longer than 2 s in 1 artifact").waitFor(); // its worker was terminated
    await eventually(() => hits(page).count(), 1);
    assert.match(await hits(page).first().innerText(), /<img/);
  });
});

test("an expression that runs and runs is stopped by the button", () => {
  const log = reportOf("stopped", () => record("bad", `${"a".repeat(60)}!`) + record("good", "ab"));
  return visit(log, async (page, { open }) => {
    await open(`index.html#/search?re=1&q=${encodeURIComponent("^(a+)+(b|$)")}`);
    await page.getByRole("button", { name: "Stop" }).click();
    await eventually(() => said(page).then((text) => /stopped/.test(text)), true);
    await page.getByLabel("Search all artifacts").fill("^ab");
    await eventually(() => hits(page).count(), 1);
  });
});

test("the results are walked by keys, Enter opens one, and Back returns to it", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/search?q=primals_1");
    await eventually(() => said(page).then((text) => /searched$/.test(text)), true);
    await page.getByLabel("Search all artifacts").press("ArrowDown");
    const current = page.locator('.search-row a[aria-current="true"]');
    for (let i = 0; i < 40; i++) await page.keyboard.press("j");
    await page.keyboard.press("k");
    await eventually(() => current.count(), 1);
    await eventually(() => current.evaluate((link) => link === document.activeElement), true);
    const text = await current.innerText();
    const at = await hash(page);
    assert.match(at, /at=/);
    await page.keyboard.press("Enter");
    await page.locator(".cm-content .cm-searchMatch").first().waitFor();
    await page.goBack();
    await room(page, "Search");
    await eventually(() => hash(page), at);
    await eventually(() => current.innerText(), text);
    const box = await current.boundingBox();
    assert.ok(box.y > 0 && box.y < 720, `y ${box.y}`);
    await eventually(() => current.evaluate((link) => link === document.activeElement), true);
  }));

test("kind, compile id and whole words narrow it", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open("index.html#/search?q=call");
    const done = () => eventually(() => said(page).then((text) => /searched$/.test(text)), true);
    await done();
    const all = await said(page);
    await page.getByLabel("Kind of artifact").selectOption("inductor_output_code");
    await page.locator(".search-artifact").first().waitFor();
    await eventually(
      async () =>
        allOf(await page.locator(".search-artifact").allInnerTexts(), (name) =>
          name.startsWith("inductor_output_code"),
        ),
      true,
    );
    await done();
    assert.notEqual(await said(page), all);
    const [head] = await page.locator(".search-compile").allInnerTexts();
    assert.match(head, /\d+ lines? in \d+ artifacts?/);
    await page.getByRole("button", { name: "Only this" }).first().click();
    await eventually(() => page.locator(".search-compile").count(), 1);
    assert.match(await hash(page), /kind=inductor_output_code/);
    assert.match(await hash(page), /id=\d/);
    await open("index.html#/search?q=cal&word=1");
    await page.getByText("No matches").waitFor();
    await page.getByLabel("whole words").uncheck();
    await hits(page).first().waitFor();
  }));

const refuseByThrowing = (page) =>
  page.addInitScript(() => {
    window.Worker = class {
      constructor() {
        throw new DOMException("refused", "SecurityError");
      }
    };
  });

test("where workers are refused the page searches by itself and still answers", () => {
  const lines = "    mul = torch.ops.aten.mul.Tensor(a, b)  # a line as graphs have them\n".repeat(200_000);
  const log = reportOf("refused", () => artifact("large", `${lines}needle`) + artifact("small", "a needle"));
  return visit(log, async (page, { open }) => {
    await refuseByThrowing(page);
    await page.addInitScript(() => {
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, entry.duration);
      }).observe({ type: "longtask" });
    });
    await open("index.html#/search?q=nee%5Bd%5Dle&re=1");
    await page.getByText("blocks web workers").waitFor();
    await eventually(() => hits(page).count(), 2);
    await eventually(() => hits(page).first().locator(".num").innerText(), "200,001");
    await page.getByLabel("Search all artifacts").fill("(a+)+b");
    await page.getByText("could not be stopped").waitFor();
    assert.ok((await page.evaluate(() => globalThis.longest)) < 1000);
  });
});

test("a host whose CSP refuses workers", async () => {
  const host = await serve(sampleReport("recompiles"), "/r/", { "content-security-policy": "worker-src 'none'" });
  try {
    await visit(`${host.url}index.html`, { expectErrors: true }, async (page, { open }) => {
      await open("index.html#/search?q=call");
      await page.getByText("blocks web workers").waitFor();
      await hits(page).first().waitFor();
    });
  } finally {
    await host.close();
  }
});

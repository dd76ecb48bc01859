// `tlparse follow --serve`: open pages show what the log has by now, and readers keep their place.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, settled, soon, visit } from "./lib/browser.mjs";
import { artifact, id, metrics, start } from "./lib/log.mjs";
import { sampleReport, TLPARSE } from "./lib/report.mjs";

after(closeBrowser);

const code = (frame) => Array.from({ length: 200 }, (_, i) => `line ${i} of frame ${frame}`).join("\n");
const compile = (frame) =>
  start(id(frame)) +
  artifact("inductor_output_code", code(frame), id(frame)) +
  metrics(id(frame), { co_name: `f${frame}`, co_firstlineno: frame + 1 });
const compiles = (from, to) => Array.from({ length: to - from }, (_, i) => compile(from + i)).join("");

/** Follows a log with this content; `body` gets the address, a function that appends to the log, and the process. */
async function following(content, body) {
  const folder = mkdtempSync(join(tmpdir(), "tlparse-live-"));
  const log = join(folder, "dedicated_log_torch_trace_abcdefgh.log");
  if (content) writeFileSync(log, content);
  const program = spawn(TLPARSE, ["follow", folder, "--serve", "--port", "0", "--no-browser"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((done) => program.once("exit", done));
  let said = "";
  program.stderr.on("data", (bytes) => (said += bytes));
  try {
    const url = await soon(() => {
      const found = /serving the report at (http:\S+)/.exec(said);
      assert.ok(found, said);
      return found[1];
    });
    await body(url, (text) => appendFileSync(log, text), program);
    if (!program.killed) program.kill("SIGINT");
    assert.equal(await ended, 0, said);
  } finally {
    program.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

const badge = (page) => page.locator(".tl-live");
const made = async (page) => Number(await badge(page).getAttribute("data-report"));
const newer = (page, than) => soon(async () => assert.ok((await made(page)) > than));
const counted = (page) => page.locator('nav.rooms a[href="#/compiles"]').innerText();

test("a page shows what comes, and keeps filter, folds, scroll and address", () =>
  following(compiles(0, 120), (url, append) =>
    visit(url, async (page, { open, requests }) => {
      await open("");
      await badge(page).waitFor(); // until then, the page waits for the first report
      await open("#/compiles?group=none&q=f1");
      await room(page, "Compiles");
      await eventually(async () => /^Live · refreshed \d\d:\d\d:\d\d/.test(await badge(page).innerText()), true);
      const fold = page.locator("details.choose-columns");
      await fold.locator("summary").click();
      const scroller = page.locator("[data-scroll]").first();
      await scroller.evaluate((element) => {
        element.scrollTop = 300;
        element.dataset.mine = "yes";
      });
      const top = await scroller.evaluate((element) => element.scrollTop);
      assert.ok(top > 0, "the list can be scrolled");
      const before = await made(page);
      const loads = () => requests.filter((request) => /index\.html|\/$/.test(request)).length;
      const loaded = loads();
      const text = await counted(page);
      append(compiles(120, 150));
      await newer(page, before);
      await eventually(async () => (await counted(page)) !== text, true);
      assert.match(await counted(page), /150/);
      await settled(page);
      assert.equal(await hash(page), "#/compiles?group=none&q=f1");
      assert.equal(await page.getByRole("searchbox").inputValue(), "f1");
      assert.equal(await fold.getAttribute("open"), "");
      assert.equal(await scroller.evaluate((element) => element.scrollTop), top);
      assert.equal(await scroller.getAttribute("data-mine"), "yes", "the page was not drawn from nothing");
      assert.equal(loads(), loaded, "nor loaded again");
    }),
  ));

test("an open compile stays open while others come, and its text does not go away", () =>
  following(compiles(0, 3), (url, append) =>
    visit(url, async (page, { open }) => {
      await open("");
      await badge(page).waitFor();
      await open("#/c/1%2F0");
      await room(page, "1/0");
      await page
        .getByRole("link", { name: /inductor_output_code/ })
        .first()
        .click();
      const line = page.locator(".cm-line", { hasText: "line 3 of frame 1" });
      await line.waitFor();
      await page.evaluate(() => {
        window.gone = 0;
        new MutationObserver(() => {
          if (!document.querySelector(".cm-line")) window.gone++;
        }).observe(document.body, { subtree: true, childList: true });
      });
      const before = await made(page);
      append(compiles(3, 8));
      await newer(page, before);
      await eventually(async () => /8/.test(await counted(page)), true);
      await settled(page);
      await line.waitFor();
      assert.equal(await page.evaluate(() => window.gone), 0);
    }),
  ));

test("the address waits for the first record, and says when the log does not change and when it is over", () =>
  following("", (url, append, program) =>
    visit(url, { expectErrors: true }, async (page, { open }) => {
      await open("");
      await page.getByText(/^Waiting for records in /).waitFor();
      append(compiles(0, 2));
      await room(page, "Overview");
      await eventually(async () => / · log unchanged since \d\d:\d\d:\d\d$/.test(await badge(page).innerText()), true);
      let frame = 2;
      await soon(async () => {
        append(compile(frame++)); // the log keeps growing, however late the page looks
        assert.match(await badge(page).innerText(), /^Live · refreshed \d\d:\d\d:\d\d$/);
      });
      program.kill("SIGINT");
      await eventually(async () => /^Not live · refreshed /.test(await badge(page).innerText()), true);
    }).then((faults) =>
      // the browser says that the server is gone, and nothing else
      assert.deepEqual(
        faults.filter((fault) => !/ERR_|EventSource|MIME/.test(fault)),
        [],
      ),
    ),
  ));

test("another report has nothing of it", () =>
  visit(sampleReport("recompiles"), async (page, { open, requests }) => {
    await open("index.html");
    await room(page, "Overview");
    await settled(page);
    assert.equal(await badge(page).count(), 0);
    assert.equal(requests.filter((request) => /live/.test(request)).length, 0);
  }));

// Records that few programs write: profiles, messages, workers, estimates, pictures.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, viewer, visit } from "./lib/browser.mjs";
import { artifact, id, metrics, record, start } from "./lib/log.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const look = (report, at, body) =>
  visit(report, {}, async (page, tools) => {
    await tools.open(`index.html${at}`);
    await body(page, tools);
  });
const panel = (page, title) => page.locator(".panel", { has: page.locator("h2", { hasText: title }) });

const FRAME = "hash(097f3a32)/home/user/pgo.py:8:f:\n";
const profile = () =>
  [
    start(id(0)),
    artifact(
      "put_local_code_state",
      `${FRAME}  L['x']: tensor size=[3, 2] stride=[S(1), 1]\n  L['n']: scalar 3`,
      id(0),
    ),
    metrics(id(0)),
    start(id(0, 1)),
    artifact(
      "put_local_code_state",
      `${FRAME}  L['x']: tensor size=[?, 2] stride=[S(1), 1]\n  L['n']: scalar 3\n\nPGO detected a recompilation due to dynamic shapes. To reduce shape recompilations by compiling dynamically to start, set environment variable TORCH_COMPILE_DYNAMIC_SOURCES="L['x']"`,
      id(0, 1),
    ),
    metrics(id(0, 1)),
  ].join("");

test("a compile shows what its profile made dynamic, and where the record is", () =>
  look(reportOf("profile", profile), "#/c/0%2F1", async (page) => {
    const found = panel(page, "PGO profile");
    await found.waitFor();
    assert.match(await found.innerText(), /written to the local cache: 1 frame, 2 sources, 1 dynamic\./);
    assert.deepEqual(await found.locator("tbody td").allInnerTexts(), [
      "L['x']",
      "pgo.py:8 in f",
      "tensor size=[3, 2] stride=[S(1), 1]",
      "tensor size=[?, 2] stride=[S(1), 1]",
    ]);
    await found.getByRole("link", { name: "written to the local cache" }).click();
    await viewer(page);
    assert.match(await page.locator(".artifact h2").innerText(), /^put_local_code_state_/);
  }));

test("the overview has the profile and the setting that PyTorch suggests", () =>
  look(reportOf("profile", profile), "", async (page) => {
    const found = panel(page, "PGO profile");
    await found.waitFor();
    assert.match(
      (await found.innerText()).replace(/\s+/g, " "),
      /0\/1 written to the local cache, 1 became dynamic TORCH_COMPILE_DYNAMIC_SOURCES="L\['x'\]"/,
    );
  }));

test("jobs of the workers belong to the compile that waits for them", () =>
  look(sampleReport("workers"), "#/c/0%2F0", async (page) => {
    const found = panel(page, "Compile workers");
    await found.waitFor();
    assert.deepEqual(
      (await found.locator("tbody td").allInnerTexts()).map((text) => text.replace(/\s/g, " ")),
      ["0", "pid 16515", "running", "3.00 s", "3.00 s", "3"],
    );
  }));

test("estimates are a table, and their text beneath", () =>
  look(sampleReport("overlap"), "#/c/0%2F0?tab=artifacts", async (page) => {
    await page.locator(".artifact-table a", { hasText: "fx_compute_nodes_runtime_estimation" }).first().click();
    await viewer(page);
    assert.deepEqual(await page.locator(".record-view th").allInnerTexts(), [
      "Node",
      "Benchmarked Est(us)",
      "Analytical Est(us)",
      "Diff(ratio)",
      "Diff(us)",
      "Flops",
    ]);
    assert.equal(await page.locator(".record-view tbody td").first().innerText(), "mm f32(64, 64) f32(64, 64)");
    assert.match(await page.locator(".cm-content").innerText(), /^Node,Benchmarked/);
  }));

test("the graph before and after overlap scheduling is a pass", () =>
  look(sampleReport("overlap"), "#/passes?c=0%2F0", async (page) => {
    await eventually(
      () =>
        page
          .locator("body")
          .innerText()
          .then((text) => /overlap_scheduling/.test(text)),
      true,
    );
  }));

const SVG =
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="window.top.ran=1"><script>window.top.ran=1</script><image href="http://example.org/x.png"/><a href="javascript:window.ran=1"><rect width="40" height="20"/></a></svg>';

test("the SVG of a failed cut is a picture that runs nothing", () =>
  look(
    reportOf("svg", () => [start(id(0)), artifact("min_cut_failed_svg", SVG), metrics(id(0))].join("")),
    "#/c/0%2F0/0",
    async (page) => {
      const picture = page.locator(".record-view img");
      await picture.waitFor();
      await eventually(() => picture.evaluate((img) => `${img.complete} ${img.naturalWidth}`), "true 40");
      assert.equal(await page.evaluate(() => window.ran), undefined);
      assert.equal(await page.locator("svg script, svg a").count(), 0); // its markup is no part of the page
    },
  ));

test("hundreds of records of one kind are one row", () =>
  look(
    reportOf("native", () =>
      [
        start(id(0)),
        ...Array.from({ length: 300 }, (_, i) =>
          artifact(
            "native_dsl_compile",
            JSON.stringify({ op: "aten::topk", dsl: "cutedsl", compiled: i === 0, wall_ms: 2 }),
            id(0),
            "json",
          ),
        ),
        metrics(id(0)),
      ].join(""),
    ),
    "",
    async (page, tools) => {
      const found = panel(page, "Native kernels");
      await found.waitFor();
      assert.deepEqual(
        (await found.locator("tbody td").allInnerTexts()).map((text) => text.replace(/\s/g, " ")),
        ["aten::topk", "cutedsl", "300", "1", "2.00 ms"],
      );
      await tools.open("index.html#/c/0%2F0");
      const rows = page.locator(".artifacts .items a", { hasText: "native_dsl_compile" });
      await eventually(() => rows.count(), 1);
      assert.match(await rows.innerText(), /300 records/);
    },
  ));

test("messages of a log are text, whatever they hold", () =>
  look(
    reportOf("hostile messages", () =>
      [
        start(id(0)),
        artifact(
          "fx_interpreter_error",
          '<img src=x onerror=window.ran=1>\n\nWhile executing <b>%x</b>\nOriginal traceback:\n  File "<script>.py", line 3, in f\n',
        ),
        artifact(
          "precompile_cache_bypass",
          JSON.stringify({ _reason: "<script>window.ran=1</script>" }),
          id(0),
          "json",
        ),
        record(
          { artifact: { name: "compile_worker_sidecar_death", encoding: "string" } },
          "sidecar pid=7 returncode=-9\n\n<script>window.ran=1</script>",
        ),
        metrics(id(0)),
      ].join(""),
    ),
    "#/c/0%2F0",
    async (page, tools) => {
      const found = panel(page, "Messages");
      await found.waitFor();
      assert.match(await found.innerText(), /<img src=x onerror=window\.ran=1>/);
      await tools.open("index.html");
      await eventually(
        () => page.locator(".finding h3").first().innerText(),
        "The compile worker process 7 was killed by signal 9",
      );
      assert.equal(await page.evaluate(() => window.ran), undefined);
    },
  ));

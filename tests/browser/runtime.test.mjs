// Run time: the trace of a profiler, joined with the compiles. The figures of the page are those of report.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, rows, settled, soon, visit } from "./lib/browser.mjs";
import { fileOf, profiledOnGpu, profiledReport, profileOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const json = (report) => JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
/** Three figures, as the page shows a time. */
const shown = (us) => {
  const [n, unit] = us < 999.5 ? [us, "µs"] : us < 999_500 ? [us / 1000, "ms"] : [us / 1e6, "s"];
  return `${n >= 99.95 ? n.toFixed(0) : n >= 9.995 ? n.toFixed(1) : n.toFixed(2)} ${unit}`;
};
const plain = (text) => text.replaceAll("\u00a0", " ");
const textOf = async (locator) => plain(await locator.innerText());
const table = (page, name) => page.getByRole("table", { name, exact: true });
const row = (page, name, n = 0) => table(page, name).locator("tbody tr").nth(n);

test("the navigation leads to the hottest line, with its time and share", () => {
  const report = profiledReport("training");
  const { profile } = json(report);
  return visit(report, async (page, { open }) => {
    await open("index.html");
    await page.getByRole("link", { name: /^Run time/ }).click();
    await room(page, "Run time");
    const [line] = profile.lines;
    const text = await textOf(row(page, "Lines"));
    assert.ok(text.includes(`training.py:${line.line}`) && text.includes(line.code), text);
    assert.ok(text.includes(shown(line.total_us)), text);
    assert.ok(text.includes(`${Math.round((100 * line.total_us) / profile.graph_calls.total_us)} %`), text);
    const summary = await textOf(page.locator(".run-summary"));
    assert.ok(
      summary.includes(`Graphs ${shown(profile.graph_calls.total_us)} ${profile.graph_calls.calls} calls`),
      summary,
    );
    assert.ok(summary.includes(`${shown(profile.guards.total_us / profile.guards.calls)} per call`), summary);
    assert.match(summary, /100 % of kernel time has a source line/);
    assert.match(summary, /4 calls of compiled frames/);
  });
});

test("the kernels of a line, and from a kernel to its code and its compile", () => {
  const report = profiledReport("training");
  const { profile } = json(report);
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    await row(page, "Lines").getByRole("link", { name: /^\d+$/ }).click();
    const place = `training.py:${profile.lines[0].line}`;
    await eventually(() => page.getByRole("searchbox").inputValue(), place);
    const own = profile.kernels.filter(({ places }) => places.some(({ line }) => place.endsWith(`:${line}`)));
    await eventually(() => table(page, "Kernels").locator("tbody tr").count(), own.length);
    const kernel = row(page, "Kernels");
    assert.ok((await textOf(kernel)).includes(shown(own[0].total_us)));
    await kernel.getByRole("link", { name: own[0].name }).click();
    const panel = page.locator(".kernel");
    await panel.waitFor();
    assert.match(await textOf(panel), new RegExp(`run time\\s+${shown(own[0].total_us)} in ${own[0].calls} calls`));
    await page.goBack();
    await kernel.locator("a.chip").click();
    await page.waitForFunction(() => location.hash === "#/c/0%2F0");
    const [compile] = profile.compiles;
    const backward = profile.graphs.find(({ direction }) => direction === "backward");
    const facts = page.locator("aside dl").first();
    await soon(async () =>
      assert.match(
        await textOf(facts),
        new RegExp(`run time\\s+${shown(compile.total_us + backward.total_us)} in 4 calls`),
      ),
    );
    await facts.getByRole("link", { name: /in 4 calls/ }).click();
    await room(page, "Run time");
    await eventually(() => page.getByRole("searchbox").inputValue(), "[0/0]");
    await table(page, "Lines").waitFor();
  });
});

test("from the run time to its calls on the timeline", () => {
  const report = profiledReport("training");
  const { profile, timeline } = json(report);
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    await page.getByRole("link", { name: "Timeline", exact: true }).last().click();
    await room(page, "Timeline");
    const from = profile.start_us - timeline.start_us;
    await eventually(
      async () => new URLSearchParams((await hash(page)).split("?")[1]).get("v"),
      `${from}-${Math.ceil(Math.min(from + profile.window_us, timeline.duration_us))}`,
    );
    await page.getByRole("searchbox").fill("call of a graph");
    await page.getByText(`${profile.graph_calls.calls} found`, { exact: true }).waitFor();
  });
});

test("issues of a profile have their time", () => {
  const report = profiledReport("guards");
  const { findings } = json(report);
  const finding = findings.find(({ kind }) => kind === "guard_checks");
  return visit(report, async (page, { open }) => {
    await open("index.html");
    const item = page.locator('.finding[data-kind="guard_checks"]');
    const text = await textOf(item);
    assert.ok(text.includes(finding.title.replaceAll("`", "")), text);
    assert.ok(text.includes("skip_guard_on_all_nn_modules_unsafe"), text);
    assert.ok(text.includes(`${shown(finding.run_us)}\nin the profile`), text);
  });
});

test("ranks have columns of run time, and the rank that waits the longest", () => {
  const report = profiledReport("uneven");
  const { ranks } = json(report);
  return visit(report, async (page, { open }) => {
    await open("index.html");
    const text = await textOf(page.locator(".ranks-table"));
    for (const { run_time: run } of ranks) {
      assert.ok(text.includes(shown(run.regions_us)), text);
      assert.ok(text.includes(`${shown(run.slowest_kernel.total_us)} ${run.slowest_kernel.name}`), text);
    }
    assert.match(
      await textOf(page.locator("body")),
      new RegExp(`longest wait\\s+${shown(ranks[0].run_time.wait_us)}, rank 0`),
    );
  });
});

test("a compile that never ran, with its compile time", () => {
  const report = profiledReport("dead");
  const compile = json(report).compiles.find(({ key }) => key === "0/0");
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    const panel = page.locator("#run-never");
    assert.ok(
      (await textOf(panel)).includes(`dead.py:15: ${shown(compile.time_us)} of compile time; no call in the profile`),
      await textOf(panel),
    );
    await panel.locator("a.chip").click();
    await page.waitForFunction(() => location.hash === "#/c/0%2F0");
    await page.locator("aside dl").getByText("no call in the profile").waitFor();
  });
});

test("a function with several versions: compile time against run time", () => {
  const report = profiledReport("dead");
  const { profile, compiles } = json(report);
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    const text = await textOf(row(page, "Functions"));
    const compile = compiles.reduce((us, { key, time_us }) => us + (/^0\//.test(key) ? time_us : 0), 0);
    assert.ok(text.includes("Net.forward") && text.includes(shown(compile)), text);
    assert.ok(text.includes(shown(profile.compiles[0].total_us)), text);
    await open("index.html#/runtime?q=nothing");
    await table(page, "Functions").waitFor({ state: "hidden" });
  });
});

test("where every compile ran, nothing says that one did not", () =>
  visit(profiledReport("training"), async (page, { open }) => {
    await open("index.html#/runtime");
    await table(page, "Lines").waitFor();
    assert.equal(await page.locator("#run-never").count(), 0);
    assert.equal(await page.locator("[data-kind=no-events]").count(), 0);
  }));

test("the eager time of a graph break, which leads to the break", () => {
  const report = profiledReport("breaks");
  const { profile, graph_breaks: breaks } = json(report);
  const [gap] = [...profile.eager.gaps].sort((a, b) => b.total_us - a.total_us);
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    const first = row(page, "Eager time at graph breaks");
    const text = await textOf(first);
    assert.ok(
      text.includes(shown(gap.total_us)) && text.includes(`breaks.py:${breaks[gap.graph_break].place.line}`),
      text,
    );
    assert.ok((await textOf(row(page, "Eager operators"))).includes("aten::matmul"));
    await first.getByRole("link", { name: /Skip calling/ }).click();
    await room(page, "Graph breaks");
    assert.equal(await hash(page), `#/breaks?n=${gap.graph_break}`);
    await page.locator(`#break-${gap.graph_break}.on`).waitFor();
  });
});

test("what runs because no version fits is not the break's", () => {
  const report = profiledReport("several");
  const { profile } = json(report);
  const gap = profile.eager.gaps.find(({ unmatched_us: us }) => us > 0);
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    const found = table(page, "Eager time at graph breaks").locator("tbody tr", { hasText: "limited" });
    const text = await textOf(found);
    assert.ok(text.includes(shown(gap.total_us)) && text.includes(shown(gap.unmatched_us)), text);
    assert.match(await textOf(page.locator(".run-summary")), /8 guard checks found no version/);
  });
});

test("a device: its times, its idle time, replays of CUDA graphs, and its lane", () => {
  const report = profiledOnGpu("gpu_profile_breaks");
  const { profile } = json(report);
  const { devices } = profile;
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    const idle = Math.round((100 * devices.idle_us) / (devices.idle_us + devices.busy_us));
    const summary = await textOf(page.locator(".run-summary"));
    assert.ok(summary.includes(`The device is idle ${idle} % of the time, ${shown(devices.idle_us)}`), summary);
    assert.ok(summary.includes(`${shown(devices.waiting_us)} of it until the CPU starts more work`), summary);
    assert.ok((await textOf(row(page, "Lines"))).includes(shown(profile.lines[0].device_us)));
    const replayed = profile.graphs.find(({ replays }) => replays > 0);
    const text = await textOf(table(page, "Graphs").locator("tbody tr", { hasText: replayed.compile }));
    assert.ok(text.includes(shown(replayed.device_us)) && text.includes(shown(replayed.copies_us)), text);
    await page.getByRole("link", { name: "Timeline", exact: true }).last().click();
    await room(page, "Timeline");
    await page.getByRole("searchbox").fill("triton_poi_fused_sin_0");
    await page.getByText(`${replayed.replays} found`, { exact: true }).waitFor();
  });
});

test("without events of kernels, what to set to record them", () =>
  visit(profiledReport("breaks"), async (page, { open }) => {
    await open("index.html#/runtime");
    await page.getByText("No kernel has an event").waitFor();
    assert.match(
      await textOf(page.locator("[data-kind=no-events]")),
      /No events of generated kernels\. On the CPU, set torch\._inductor\.config\.cpp\.enable_kernel_profile = True/,
    );
    assert.equal(await table(page, "Kernels").count(), 0);
  }));

test("kernels without source lines, and how to have them", () =>
  visit(profiledReport("attention"), async (page, { open }) => {
    await open("index.html#/runtime");
    await page.getByText("INDUCTOR_PROVENANCE=1").waitFor();
    assert.match(await textOf(page.locator(".run-summary")), /0 % of kernel time has a source line/);
  }));

test("the profile of another program is not used, and the page says why", () => {
  const report = profiledReport("training", [profileOf("breaks")]);
  const [file] = json(report).profile.files;
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    await page.getByText("No run time").waitFor();
    assert.ok((await textOf(page.locator("main .lead"))).includes(`breaks.json.gz ${file.refused}`));
    assert.match(await textOf(page.locator("#rooms")), /Run time\s*not used/);
    await open("index.html#/compiles");
    await rows(page).first().waitFor();
    assert.equal(await page.getByRole("columnheader", { name: "Run time" }).count(), 0);
  });
});

test("one profile is used, another one is not", () =>
  visit(profiledReport("training", [profileOf("breaks"), profileOf("training")]), async (page, { open }) => {
    await open("index.html#/runtime");
    await table(page, "Lines").waitFor();
    assert.equal(await page.locator("main .lead p").count(), 1);
  }));

test("tables are sorted and filtered, and the address has it", () => {
  const report = profiledReport("training");
  const { profile } = json(report);
  return visit(report, async (page, { open }) => {
    await open("index.html#/runtime");
    const kernels = table(page, "Kernels");
    const all = profile.kernels.length;
    assert.ok(all > 12);
    await eventually(() => kernels.locator("tbody tr").count(), 10);
    await page.getByRole("button", { name: `Show ${all - 10} more of ${all - 10}` }).click();
    await eventually(() => kernels.locator("tbody tr").count(), all);
    await kernels.getByRole("button", { name: "Calls" }).click();
    await eventually(
      () => kernels.getByRole("columnheader", { name: "Calls" }).getAttribute("aria-sort"),
      "descending",
    );
    const most = Math.max(...profile.kernels.map(({ calls }) => calls));
    await eventually(() => row(page, "Kernels").locator("td").nth(2).innerText(), `${most}`);
    assert.match(await hash(page), /kernels=-calls/);
    await page.reload();
    await eventually(() => kernels.locator("tbody tr").count(), all);
    assert.equal(await kernels.getByRole("columnheader", { name: "Calls" }).getAttribute("aria-sort"), "descending");
    await page.getByRole("searchbox").fill("mse_loss");
    await eventually(() => table(page, "Eager operators").locator("tbody tr").count(), 1);
    await eventually(() => kernels.count(), 0);
    assert.match(await textOf(page.locator("#run-kernels")), /0 of \d+ kernels[^]*Nothing matches the filter/);
  });
});

test("calls and run time are columns of compiles and kernels, only with a profile", () => {
  const report = profiledReport("dead");
  const { profile } = json(report);
  return visit(report, async (page, { open }) => {
    await open("index.html#/compiles?group=none&sort=-run");
    await room(page, "Compiles");
    const [compile] = profile.compiles;
    await soon(async () =>
      assert.match(await textOf(rows(page).first()), new RegExp(`0/1[^]*\\s4\\s+${shown(compile.total_us)}\\s`)),
    );
    assert.match(await textOf(rows(page).nth(1)), /0\/0[^]*\s0\s+0\s/);
    await open("index.html#/kernels?sort=-run");
    await room(page, "Kernels");
    await soon(async () => assert.ok((await textOf(rows(page).first())).includes(shown(profile.kernels[0].total_us))));
    await open("index.html#/");
    await page.getByRole("link", { name: `${shown(profile.graph_calls.total_us)} in 4 graph calls` }).waitFor();
  });
});

test("without a profile there is neither page nor column", () =>
  visit(sampleReport("simple"), async (page, { open }) => {
    await open("index.html#/kernels");
    await rows(page).first().waitFor();
    assert.equal(await page.getByRole("columnheader", { name: "Run time" }).count(), 0);
    assert.equal(
      await page
        .locator("#rooms")
        .getByRole("link", { name: /^Run time/ })
        .count(),
      0,
    );
    await open("index.html#/runtime");
    await page.getByText("No profile").waitFor();
  }));

const HOSTILE = "</script><img src=x onerror=alert(1)>";

/** The trace of a program with markup in its names, in a file with markup in its name. */
function hostileProfile() {
  const trace = JSON.parse(gunzipSync(readFileSync(profileOf("breaks"))).toString("utf8"));
  for (const event of trace.traceEvents) {
    if (event.name === "aten::matmul") event.name = HOSTILE;
    if (/^## Call CompiledFxGraph fmwn/.test(event.name)) event.name = `## Call CompiledFxGraph ${HOSTILE} ##`;
    if (event.name === "Torch-Compiled Region: 2/0") event.name = `Torch-Compiled Region: ${HOSTILE}`;
  }
  return fileOf("<img src=x onerror=alert(2)>.json", JSON.stringify(trace));
}

test("names of a hostile trace stay text", () =>
  visit(profiledReport("breaks", [hostileProfile(), fileOf("<b>broken.json", "{")]), async (page, { open }) => {
    await open("index.html#/runtime");
    assert.ok((await textOf(row(page, "Eager operators"))).includes(HOSTILE));
    assert.ok((await page.locator("main .head").innerText()).includes("<img src=x onerror=alert(2)>.json"));
    assert.ok((await textOf(page.locator("main .lead"))).includes("<b>broken.json"));
    await page.getByRole("searchbox").fill("onerror");
    await eventually(() => table(page, "Eager operators").locator("tbody tr").count(), 1);
    await settled(page);
    assert.equal(await page.locator("main img, main script").count(), 0);
  }));

const wide = () =>
  [...document.querySelectorAll("html, body, main, .room, main .panel, main .grid-scroll")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1)
    .map((e) => `${e.className || e.tagName} is ${e.scrollWidth} wide`);

for (const name of ["training", "breaks", "dead", "attention", "aot", "optimizer"])
  test(`${name} fits a phone, in dark`, () =>
    visit(
      profiledReport(name),
      { viewport: { width: 400, height: 800 }, colorScheme: "dark" },
      async (page, { open }) => {
        for (const at of ["runtime", "kernels", "compiles"]) {
          await open(`index.html#/${at}`);
          await page.locator("main h1").first().waitFor();
          await settled(page);
          assert.deepEqual(await page.evaluate(wide), [], at);
        }
      },
    ));

test("by keyboard: to the page, its filter, a head, a link", () =>
  visit(profiledReport("training"), async (page, { open }) => {
    await open("index.html");
    await page.locator("main h1").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await room(page, "Run time");
    await page.keyboard.press("/");
    await page.keyboard.type("self.norm(x)");
    await eventually(() => table(page, "Lines").locator("tbody tr").count(), 1);
    await page.keyboard.press("Escape");
    await eventually(() => page.getByRole("searchbox").inputValue(), "");
    await page.keyboard.press("Escape");
    const head = table(page, "Lines").getByRole("button", { name: "Line" });
    await head.focus();
    await page.keyboard.press("Enter");
    await eventually(
      () => table(page, "Lines").getByRole("columnheader", { name: "Line" }).getAttribute("aria-sort"),
      "ascending",
    );
    await eventually(async () => /training\.py:16/.test(await textOf(row(page, "Lines"))), true);
    await page.keyboard.press("Tab"); // the head of the next column
    await page.keyboard.press("Tab"); // the kernels of the first line
    await page.keyboard.press("Enter");
    await eventually(() => page.getByRole("searchbox").inputValue(), "training.py:16");
  }));

// The room of one compile: its stages, guards, symbols, metrics, attempts, programs to run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, room, viewer, visit } from "./lib/browser.mjs";
import { artifact, id, metrics, record, start } from "./lib/log.mjs";
import { fileReport, reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const stages = (page, row = 0) => page.locator(".stages ol").nth(row).locator("li:not(.way)");
const names = (page, row) =>
  stages(page, row)
    .locator(".name")
    .allInnerTexts()
    .then((all) => all.map((text) => text.replace(/\s*before$/, "").replace(/\s+/g, " ")));
const tabs = (page) =>
  page
    .locator(".tabs a")
    .allInnerTexts()
    .then((all) => all.map((text) => text.replace(/\s+/g, " ").trim()));
const look = (report, at, body, options = {}) =>
  visit(report, options, async (page, tools) => {
    await tools.open(`index.html#/c/${at}`);
    await page.locator(".tabs").waitFor({ state: "attached" });
    await body(page, tools);
  });

test("training: the stages of forward and backward, with times and sizes", () =>
  look(sampleReport("training"), "5%2F0", async (page) => {
    await room(page, "5/0");
    assert.deepEqual(await names(page, 0), ["Dynamo", "Pre-grad", "Joint", "Forward", "Post-grad", "Code", "Kernels"]);
    assert.deepEqual(await names(page, 1), ["Backward", "Post-grad", "Code", "Kernels"]);
    const facts = (row, n) => stages(page, row).nth(n).locator(".facts").innerText();
    assert.match(await facts(0, 0), /240\s*ms\s*14 ops/); // what compilation_metrics counts: graph_op_count 14
    assert.match(await facts(0, 2), /243 ops/);
    assert.match(await facts(0, 6), /7\.40\s*s\s*7 kernels/);
    assert.match(await facts(1, 3), /4\.06\s*s\s*5 kernels/);
    assert.deepEqual(await tabs(page), ["Summary", "Guards 134", "Metrics 94", "Artifacts 23"]);
  }));

test("a stage leads to what it ended with, and to what it began with", () =>
  look(sampleReport("training"), "5%2F0", async (page) => {
    await stages(page, 1).nth(1).getByRole("link", { name: "Post-grad", exact: true }).click();
    await viewer(page);
    assert.equal(await hash(page), "#/c/5%2F0/19");
    assert.match(await page.locator(".artifact h2").innerText(), /^inductor_post_grad_graph_68\.txt$/);
    assert.equal(
      await page
        .locator(".stages li.on .name")
        .innerText()
        .then((text) => text.split("\n")[0].trim()),
      "Post-grad",
    );
    await page.goBack();
    await stages(page, 0)
      .nth(4)
      .getByRole("link", { name: /before/ })
      .click();
    await eventually(() => page.locator(".artifact h2").innerText(), "before_post_grad_graph_59.txt");
  }));

test("stages that were not reached say why", async () => {
  await look(sampleReport("lowering_error"), "0%2F0", async (page) => {
    assert.match(
      await page.locator(".stages li.failed").innerText(),
      /Code\s+✕ failed\s+19\.7\s*ms\s+the compile failed here/,
    );
    assert.match(
      await page.locator(".stages li.skipped").innerText(),
      /Kernels\s+– skipped\s+the compile failed earlier/,
    );
    await page.locator(".stages li.failed a").click();
    await eventually(
      () =>
        page
          .locator(".artifact h2")
          .innerText()
          .then((text) => text.replace(/_\d+/, "")),
      "dynamo_error.txt",
    );
  });
  await look(sampleReport("errors"), "1%2F0", async (page) =>
    assert.match(await page.locator(".stages li.failed").innerText(), /^Dynamo/),
  );
  await look(sampleReport("recompiles"), "0%2F1", async (page) =>
    assert.match(
      await page.locator(".stages li.skipped").innerText(),
      /Pre-grad · Joint · Forward · Post-grad · Code · Kernels\s+– skipped\s+.*as eager does/,
    ),
  );
  await look(sampleReport("cache/warm"), "0%2F0", async (page) =>
    assert.equal(await page.locator(".stages li.cached").count(), 10),
  );
});

test("guards: by source, by type, in log order; the filter; in the address", () =>
  look(sampleReport("dynamic_shapes"), "0%2F0?tab=guards", async (page) => {
    const titles = () => page.locator(".guards .panel > h2 > span:first-child .mono").allInnerTexts();
    await eventually(titles, ["global state", "L['x']", "L['y']", "L['x'].size()[0]"]);
    assert.equal(await page.locator(".guards .panel").nth(1).locator(".row").count(), 9);
    assert.match(
      await page.locator(".guards .row", { hasText: "TYPE_MATCH" }).innerText(),
      /your code:\s+dynamic_shapes\.py:11 in backed\s+if x\.shape\[0\] > 5:\s+type Tensor/,
    );
    await page.getByRole("searchbox").fill("6 <=");
    await eventually(titles, ["L['x'].size()[0]"]);
    assert.match(
      await page.locator(".guards .row").first().innerText(),
      /6 <= L\['x'\]\.size\(\)\[0\].*PyTorch:\s+tensor\.py:3083 in evaluate_expr/s,
    );
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "By type" }).click();
    await eventually(
      async () => (await titles()).slice(0, 5),
      ["LAMBDA_GUARD", "GLOBAL_STATE", "TORCH_FUNCTION_MODE_STACK", "DEFAULT_DEVICE", "TYPE_MATCH"],
    );
    assert.match(await hash(page), /tab=guards&by=type|by=type&tab=guards/);
    await page.reload();
    await eventually(async () => (await titles())[0], "LAMBDA_GUARD");
    const added = page.locator(".panel", { hasText: "Shape guards" });
    assert.match(await added.locator(".row").innerText(), /s77 > 5\s+dynamic_shapes\.py:11 in backed/);
  }));

test("shapes: where a symbol came from, what was asked of it, what made it a constant", () =>
  look(sampleReport("dynamic_shapes"), "2%2F0?tab=shapes", async (page) => {
    const card = page.locator(".shapes .panel").first();
    await card.waitFor();
    assert.match(
      await card.innerText(),
      /s77\s+L\['x'\]\.size\(\)\[0\]\s+! became 24\s+hint 24 · initial range 2 or more/,
    );
    assert.match(await card.innerText(), /constant 24: its conditions leave one value/);
    assert.match(await card.innerText(), /Eq\(s77, 24\)/);
    assert.equal(await page.locator(".shapes .panel").count(), 2);
    const stacks = card.locator("details.stacks").first();
    assert.match(await stacks.locator("summary").innerText(), /dynamic_shapes\.py:25 in pinned_by_reshape/);
    await stacks.locator("summary").click();
    await stacks.getByText("Whole stack").waitFor();
    await stacks
      .getByRole("button", { name: /library frames?/ })
      .last()
      .click();
    await stacks.getByText("compile_wrapper").waitFor();
    await page.getByRole("searchbox").fill("s17");
    await eventually(() => page.locator(".shapes .panel").count(), 1);
  }));

test("an unbacked symbol says so", () =>
  look(sampleReport("dynamic_shapes"), "3%2F0?tab=shapes", async (page) => {
    assert.match(
      await page.locator(".shapes .panel").first().innerText(),
      /u0\s+\? unbacked\s+initial range any[\s\S]*u0 >= 2/,
    );
  }));

test("metrics: in groups, forward beside backward, nothing lost, explained on demand", () =>
  look(sampleReport("training"), "5%2F0?tab=metrics", async (page) => {
    const row = page.locator(".metric-table tr", {
      has: page.getByText("inductor_code_gen_cumulative_compile_time_us", { exact: true }),
    });
    assert.match(await row.innerText(), /7\.40\s*s\s+4\.06\s*s/);
    assert.ok((await page.locator(".metric-groups h2").allInnerTexts()).join(" ").startsWith("Time"));
    const compile = JSON.parse(readFileSync(join(sampleReport("training"), "report.json"), "utf8")).compiles.find(
      (one) => one.id === "5/0",
    );
    const keys = [...new Set([...Object.keys(compile.metrics), ...Object.keys(compile.backward_metrics)])].sort();
    const listed = await page.evaluate(() =>
      [...document.querySelectorAll(".metric-table tbody td:first-child .mono, .unset li .mono:first-child")]
        .map((e) => e.textContent)
        .sort(),
    );
    assert.deepEqual(listed, keys);
    await page.getByLabel("Descriptions").check();
    await page.getByText("time to generate the code and to compile and load its kernels").waitFor();
    assert.match(await hash(page), /words=1/);
    await page.getByRole("searchbox").fill("param_");
    await eventually(() => page.locator(".metric-groups h2 > span:first-child").allInnerTexts(), ["Parameters"]);
  }));

test("attempts, bytecode before and after, side effects", async () => {
  await look(sampleReport("errors"), "5%2F0", async (page) => {
    assert.deepEqual((await tabs(page)).at(-2), "Attempts 2");
    const bytecode = page.locator(".panel", { hasText: /^Bytecode/ });
    assert.match(await bytecode.innerText(), /original \d+ instructions\s*→\s*modified \d+ instructions/);
    assert.equal(
      await bytecode.getByRole("link", { name: "compare" }).getAttribute("href"),
      "#/compare?a=5%2F0%2F0&b=5%2F0%2F3",
    );
    assert.equal(await page.getByText("Restart reasons").count(), 0); // it is a graph break, listed as such
    await page
      .locator(".tabs")
      .getByRole("link", { name: /Attempts/ })
      .click();
    await page.getByText("Restart reasons").waitFor();
    assert.equal(await page.locator(".tabroom .panel", { hasText: /^Attempt \d/ }).count(), 2);
  });
  await look(sampleReport("errors"), "4%2F0", async (page) => {
    const effects = page.locator(".panel", { hasText: "Side effects" });
    await effects.locator("pre").waitFor();
    assert.ok((await effects.locator("pre").innerText()).length > 10);
  });
});

test("programs to run: the command is that of a file in the report, and is copied", () =>
  look(
    sampleReport("training"),
    "5%2F0",
    async (page, { requests }) => {
      const commands = await page.locator(".command code").allInnerTexts();
      assert.equal(commands.length, 4);
      assert.equal(commands[0], "python ./-_5_0_0/fx_graph_runnable_58.txt");
      assert.match(commands[1], /^python \.\/-_5_0_0\/fx_graph_runnable_\d+\.txt$/);
      assert.equal(await page.locator(".runs li > .muted").count(), 2, "what each kind does is said once");
      assert.match(commands[2], /^python payloads\/[0-9a-f]{32}\.txt$/);
      await page.locator(".command button").first().click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), commands[0]);
      assert.ok(requests.length > 0);
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("artifacts: what each is, its stage and size; the filter", () =>
  look(sampleReport("training"), "5%2F0?tab=artifacts", async (page) => {
    const row = (name) => page.locator(".artifact-table tr", { hasText: name }).first();
    assert.match(
      await row("aot_joint_graph").innerText(),
      /joint graph of forward and backward[\s\S]*Joint[\s\S]*243 ops, 258 nodes/,
    );
    await page.getByRole("searchbox").fill("no such artifact");
    await page.getByText("No artifact matches the filter").waitFor();
    await page.getByRole("searchbox").fill("partitioner");
    await eventually(() => page.locator(".artifact-table tbody tr").count(), 2);
  }));

test("hostile texts stay texts, a compile without anything has few tabs", () => {
  const s = "</pre><img src=x onerror=alert(1)>";
  const at = id(0);
  const log = [
    start(at),
    record(
      { dynamo_cpp_guards_str: {}, ...at },
      `+- RootGuardManager\n| +- GuardManager: source=${s}, type=<class '${s}'>\n| | +- ${s}: ${s}  # ${s}  # ${s}:3 in ${s} (${s})`,
    ),
    record({ create_symbol: { symbol: s, val: s, vr: s, source: s }, ...at }),
    record({ guard_added_fast: { expr: s }, ...at }),
    record({ symbolic_shape_specialization: { symbol: s, value: s, reason: s, sources: [s] }, ...at }),
    artifact(`${s}_ORIGINAL_BYTECODE`, s, at),
    artifact("dynamo_side_effects", s, at),
    artifact("fx_graph_runnable", s, at),
    metrics(at, { [s]: s }),
    start(id(1)),
  ].join("");
  return visit(reportOf("compile-hostile", log), async (page, { open }) => {
    for (const tab of [
      "",
      "?tab=guards",
      "?tab=guards&by=type",
      "?tab=guards&by=log",
      "?tab=shapes",
      "?tab=metrics&words=1",
      "?tab=artifacts",
      "?tab=nonsense",
    ]) {
      await open(`index.html#/c/0%2F0${tab}`);
      await page.locator(".tabs").waitFor();
      await page.locator("main").getByText("onerror").first().waitFor();
    }
    await open("index.html#/c/1%2F0");
    await eventually(() => tabs(page), ["Summary"]);
    assert.match(await page.locator(".stages").innerText(), /\? not in the log/);
  });
});

for (const width of [390, 1280]) {
  test(`no sideways scroll at ${width}, light and dark`, async () => {
    for (const [name, at] of [
      ["training", "5%2F0"],
      ["dynamic_shapes", "2%2F0"],
      ["graph_breaks", "0%2F0"],
      ["errors", "5%2F0"],
    ]) {
      await look(
        sampleReport(name),
        at,
        async (page, { open }) => {
          for (const tab of [
            "",
            "?tab=artifacts",
            "?tab=guards",
            "?tab=shapes",
            "?tab=metrics",
            "?tab=attempts",
            "/0",
          ]) {
            await open(`index.html#/c/${at}${tab}`);
            await page.locator(".tabs").waitFor({ state: "attached" });
            await page.locator(".tabroom, .summary, .artifact").first().waitFor();
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} ${tab}`);
            assert.deepEqual(
              await page.evaluate(() =>
                [...document.querySelectorAll(".stages ol, .tabroom > *")]
                  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
                  .map((e) => e.className),
              ),
              [],
              `${name} ${tab}`,
            );
          }
        },
        { viewport: { width, height: 844 }, colorScheme: width === 390 ? "dark" : "light" },
      );
    }
  });
}

test("the head of a compile says which line of the program called it", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/c/0%2F1");
    await page.getByText("Recompile reason").waitFor();
    assert.match(await page.locator("header.head").innerText(), /called from gpt2\.py:17[^]*size\(\)\[1\]: 32 → 48/);
  }));

test("behind the summary the stages are a thin line, so that the tab has the room", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    const height = () => page.locator(".stages").evaluate((node) => node.getBoundingClientRect().height);
    await open("index.html#/c/0%2F1");
    await page.locator(".stages").waitFor();
    const whole = await height();
    await page
      .locator(".tabs")
      .getByRole("link", { name: /^Guards/ })
      .click();
    await page.locator(".guardlist").first().waitFor();
    assert.ok((await height()) < whole / 2, `${await height()} of ${whole}`);
    await page.locator(".stages").getByRole("link", { name: "Joint" }).click();
    await page.locator(".artifact h2", { hasText: "aot_joint_graph" }).waitFor();
  }));

test("shapes: who made a size dynamic, where the log says it", async () => {
  await look(sampleReport("dynamic_shapes"), "0%2F0?tab=shapes", async (page) =>
    assert.match(await page.locator(".shapes .panel").first().innerText(), /dynamic by torch\._dynamo\.mark_dynamic/),
  );
  await look(sampleReport("dynamic_shapes"), "2%2F0?tab=shapes", async (page) =>
    assert.match(await page.locator(".shapes .panel").first().innerText(), /dynamic by torch\.compile\(dynamic=True\)/),
  );
  await look(sampleReport("gpt2"), "0%2F1?tab=shapes", async (page) =>
    assert.match(await page.locator(".shapes .panel").first().innerText(), /automatic dynamic: 32 → 48/),
  );
});

const top = (page) => page.locator(".editor .cm-scroller").evaluate((node) => node.getBoundingClientRect().top);
const firstLine = (page) =>
  page.evaluate(() => {
    const edge = document.querySelector(".cm-scroller").getBoundingClientRect().top;
    const line = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].find(
      (node) => node.getBoundingClientRect().bottom > edge + 6 && node.textContent,
    );
    return Number(line.textContent);
  });

test("an artifact begins right below the title and the line of stages", async () => {
  for (const [name, at, width, most] of [
    ["training", "0%2F0/11", 1440, 150],
    ["gpt2", "0%2F1/13", 1440, 150],
    ["errors", "5%2F0/2", 1440, 150],
    ["training", "0%2F0/11", 400, 230],
  ]) {
    await look(
      sampleReport(name),
      at,
      async (page) => {
        await viewer(page);
        if (await page.locator("#roomhelp").count()) await page.locator(".head .ask").click();
        assert.ok((await top(page)) <= most, `${name} ${width}: ${await top(page)}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
      },
      { viewport: { width, height: 900 } },
    );
  }
});

test("output code opens at its first kernel, the comment above it included; a line in the address goes before", async () => {
  const open = (name, at, body) =>
    look(sampleReport(name), at, async (page) => {
      await viewer(page);
      await body(page);
    });
  await open("training", "0%2F0/12", async (page) => {
    await eventually(() => firstLine(page), 34);
    assert.match(
      await page.locator(".cm-line", { hasText: "cpp_fused" }).first().innerText(),
      /^cpp_fused_gelu_0 = async_compile\.cpp_pybinding/,
    );
    await page.locator(".cm-scroller").evaluate((node) => node.scrollTo(0, 0));
    await eventually(() => firstLine(page), 1);
  });
  await open("training", "0%2F0/12?L=2", async (page) => assert.equal(await firstLine(page), 1));
  await open("cpp_wrapper", "1%2F0/12", async (page) => eventually(() => firstLine(page), 56));
  await open("training", "0%2F0/11", async (page) => assert.equal(await firstLine(page), 1)); // a graph
});

test("the stages of a C++ wrapper count its kernels", () =>
  look(sampleReport("cpp_wrapper"), "1%2F0", async (page) => {
    assert.match(await stages(page).last().innerText(), /Kernels\s+7\.47\s*s\s*2 kernels/);
  }));

test("names of facts are whole beside a long status and several folders", () =>
  visit(sampleReport("graph_breaks"), { viewport: { width: 1440, height: 900 } }, async (page, { open }) => {
    await open("index.html#/c/0%2F0");
    const names = page.locator("aside dt");
    await names.filter({ hasText: "discarded traces" }).waitFor();
    const cut = await names.evaluateAll((all) =>
      all.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent),
    );
    assert.deepEqual(cut, []);
  }));

test("on a phone every view, button and column of a compile is in sight", async () => {
  const PHONE = { viewport: { width: 400, height: 844 } };
  const hidden = (page, what) =>
    page.locator(what).evaluateAll((all) =>
      all
        .filter((node) => node.getClientRects().length)
        .filter((node) => node.getBoundingClientRect().right > innerWidth || node.getBoundingClientRect().left < 0)
        .map((node) => node.textContent),
    );
  await look(
    sampleReport("graph_breaks"),
    "0%2F0?tab=artifacts",
    async (page, { open }) => {
      await page.locator(".artifact-table").waitFor();
      assert.equal((await tabs(page)).length, 5);
      assert.deepEqual(await hidden(page, ".tabs a"), []);
      assert.deepEqual(await hidden(page, ".artifact-table td"), []);
      await open("index.html#/c/0%2F0?tab=metrics");
      await page.locator(".metric-table").first().waitFor();
      const heights = await page
        .locator(".metric-table td.num")
        .evaluateAll((all) =>
          all.map((node) => node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight)),
        );
      assert.ok(heights.filter((lines) => lines > 1.5).length < 3, "times are on one line");
    },
    PHONE,
  );
  await look(
    sampleReport("gpt2"),
    "0%2F0/1",
    async (page) => {
      await viewer(page);
      assert.deepEqual(await hidden(page, ".artifact .tools button, .artifact .tools .button"), []);
    },
    PHONE,
  );
});

test("the reason of a graph break is text: nothing of it is colored or offered as code", () =>
  look(sampleReport("graph_breaks"), "0%2F0/0", async (page) => {
    await viewer(page);
    assert.match(await page.locator(".cm-line").first().innerText(), /^Graph break in user code at/);
    assert.equal(await page.getByRole("button", { name: "Source lines" }).count(), 0);
    assert.equal(await page.locator(".cm-line span").count(), 0);
  }));

test("a backward that Compiled Autograd captured names the compile, and that one the backward", () =>
  visit(fileReport("../corpus/autograd_compiled"), async (page, { open }) => {
    await open("index.html#/c/0%2F1");
    await room(page, "0/1");
    await page.getByText("captured by Compiled Autograd at run time, in !1/3/0 and !4/6/0").first().waitFor();
    await open("index.html#/c/!4%2F6%2F0");
    await page.getByText("the backward of 0/1").waitFor();
  }));

// Code: what lines and files of the program cost. The figures are those of report.json.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "./lib/test.mjs";
import { allOf, closeBrowser, eventually, hash, room, settled, soon, visit } from "./lib/browser.mjs";
import { artifact, id, intern, linesLog, metrics, record, start } from "./lib/log.mjs";
import { bigTest, profiledOnGpu, reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const SCRIPTS = new URL("../data/scripts", import.meta.url).pathname;
const json = (report) => JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
const table = (page, name) => page.getByRole("table", { name, exact: true });
const plain = (text) => text.replaceAll("\u00a0", " ");

/** Clicks a matrix product in the post-grad graph: the page goes to its line. */
async function chooseProduct(page) {
  await settled(page);
  await pane(page, "Post-grad graph")
    .locator(".cm-line", { hasText: /^ +addmm/ })
    .first()
    .click();
  await eventually(() => heading(page), "Code pytorch_utils.py:119");
}

test("the navigation leads to the lines of the program, the most expensive first", () => {
  const report = profiledOnGpu("gpu_profile_breaks");
  const own = json(report).lines.filter((line) => !line.library);
  const first = own.reduce((a, b) => (b.run_us > a.run_us ? b : a));
  return visit(report, async (page, { open }) => {
    await open("index.html");
    await page.getByRole("link", { name: /^Code/ }).click();
    await room(page, "Code");
    const text = plain(await table(page, "Lines").locator("tbody tr").first().innerText());
    assert.ok(text.includes(`gpu_profile_breaks.py:${first.line}`) && text.includes(first.text.slice(0, 20)), text);
    assert.ok(text.includes(`${first.run_us} µs`), text);
    assert.equal(await table(page, "Lines").locator("tbody tr").count(), own.length);
  });
});

test("a file shows its lines only, and libraries can be shown", () => {
  const report = sampleReport("recompiles");
  const { lines } = json(report);
  const library = lines.filter((line) => line.library);
  return visit(report, async (page, { open }) => {
    await open("index.html#/code");
    await room(page, "Code");
    const [file] = lines.filter((line) => !line.library).map((line) => line.file);
    await table(page, "Files").getByRole("button", { name: file }).click();
    await eventually(async () => assert.match(await hash(page), /file=/));
    await page.getByRole("button", { name: "all files" }).click();
    await eventually(async () => assert.doesNotMatch(await hash(page), /file=/));
    const toggle = page.getByRole("button", { name: "Libraries" });
    assert.equal(await toggle.count(), library.length ? 1 : 0);
    await page.getByRole("searchbox", { name: "Filter file, line, code" }).fill("x * k");
    await eventually(async () => assert.equal(await table(page, "Lines").locator("tbody tr").count(), 1));
    const row = plain(await table(page, "Lines").locator("tbody tr").first().innerText());
    assert.match(row, /recompiles\.py:20/);
  });
});

test("each figure of a line leads to what it counts", () => {
  const report = sampleReport("graph_breaks");
  const { lines, graph_breaks: breaks, compiles } = json(report);
  const broken = lines.find((line) => !line.library && line.breaks);
  const begun = lines.find((line) => !line.library && line.compile_us);
  const whole = ({ file, line }) => `${file}:${line}`;
  const cell = async (page, { file, line }, column) => {
    await open(page, `index.html#/code?q=${file.split("/").at(-1)}:${line}`);
    const heads = await table(page, "Lines").getByRole("columnheader").allInnerTexts();
    const at = heads.findIndex((head) => head.startsWith(column));
    await table(page, "Lines").locator("tbody tr").first().locator("td").nth(at).getByRole("link").click();
  };
  const open = async (page, to) => {
    await page.goto(new URL(to, page.url()).href);
    await room(page, "Code");
  };
  return visit(report, async (page, { open: first }) => {
    await first("index.html#/code");
    await cell(page, broken, "Graph breaks");
    await room(page, "Graph breaks");
    const own = breaks.flatMap(({ place }, n) => (place && whole(place) === whole(broken) ? n : []));
    const wanted = own.length === 1 ? `n=${own[0]}` : "q=";
    await soon(async () => assert.ok((await hash(page)).includes(wanted), `${await hash(page)} ${wanted}`));
    assert.ok((await page.locator("article.card").count()) >= own.length);
    await cell(page, begun, "Compile time");
    await room(page, "Compiles");
    const begin = compiles.filter(({ frame }) => frame && whole(frame) === whole(begun));
    await soon(async () => assert.ok((await page.locator(".grid-row").count()) >= begin.length));
    await cell(
      page,
      lines.find((line) => !line.library && line.kernels),
      "Kernels",
    );
    await room(page, "Kernels");
    await soon(async () => assert.ok((await page.locator(".grid-row").count()) > 0));
    await cell(
      page,
      lines.find((line) => !line.library && line.ops),
      "Ops",
    );
    await page.getByRole("region", { name: "Dynamo graph", exact: true }).waitFor();
    await first("index.html#/code");
    const name = lines.find((line) => !line.library).file;
    await table(page, "Files")
      .locator("tbody tr", { hasText: name.split("/").at(-1) })
      .first()
      .getByRole("link")
      .last()
      .click();
    await soon(async () => assert.match(await hash(page), /file=.*lines=-/));
  });
});

test("the figure of recompiles leads to their chain, and that of guards to their texts", () => {
  const report = sampleReport("recompiles");
  const { lines, recompiles } = json(report);
  const line = lines.find((one) => !one.library && one.recompiles);
  const chain = recompiles.findIndex(({ causes }) =>
    causes.some(({ place }) => place?.file === line.file && place.line === line.line),
  );
  return visit(report, async (page, { open }) => {
    const row = table(page, "Lines")
      .locator("tbody tr", { hasText: `recompiles.py:${line.line}` })
      .first();
    await open("index.html#/code");
    await row.locator('a[href*="#/recompiles"]').click();
    await room(page, "Recompiles");
    await page.locator(`#chain-${chain}`).waitFor();
    await open("index.html#/code");
    await row.locator('a[href*="#/search"]').click();
    await page.locator(".search-hit").first().waitFor();
  });
});

const ACTIVATIONS = "/usr/lib/python3/site-packages/transformers/activations.py";
const UTILS = "/usr/lib/python3/site-packages/transformers/pytorch_utils.py";
const GRAPHS = ["Dynamo graph", "Post-grad graph", "Output code"];
const pane = (page, name) => page.getByRole("region", { name, exact: true });
const marked = (page, name) => pane(page, name).locator(".cm-line.cm-related");
const at = (file, line, more = "") => `index.html#/code/line?file=${encodeURIComponent(file)}&line=${line}${more}`;
const query = async (page) => Object.fromEntries(new URLSearchParams((await hash(page)).replace(/^[^?]*/, "")));
const heading = (page) => page.locator("main h1").innerText();

/** Nodes below the comments of each line of source in the graphs that Dynamo traced, as grep counts them. */
function nodesByLine(report) {
  const found = new Map();
  for (const name of readdirSync(report, { recursive: true }).map(String)) {
    if (!/dynamo_output_graph_\d+\.txt$/.test(name)) continue;
    let place = null;
    for (const line of readFileSync(join(report, name), "utf8").split("\n")) {
      const comment = /^ +# File: (.+?:\d+) in /.exec(line);
      if (comment) [, place] = comment;
      else if (!/^ +\w+(: "[^"]*")? = /.test(line)) place = null;
      else if (place) found.set(place, [...(found.get(place) ?? []), line.trim()]);
    }
  }
  return found;
}

/** Guards by the place that the printed tree names, which may lack the first characters of the path. */
function guardsByPlace(report) {
  const found = new Map();
  for (const name of readdirSync(report, { recursive: true }).map(String)) {
    if (!/dynamo_cpp_guards_str_\d+\.txt$/.test(name)) continue;
    let before = { at: "", place: "" };
    for (const line of readFileSync(join(report, name), "utf8").split("\n")) {
      const at = /^((?:\| )*)\+- ([A-Z_]+): /.exec(line)?.slice(1).join(" ") ?? "";
      const place = /\+- .* {2}# .*# (\S+\.py:\d+) in /.exec(line)?.[1] ?? "";
      // Further conditions of a check have lines of their own. Marks begin again for each tensor, whose manager comes between.
      const same = at === before.at && /MARKING_GUARD$|SYMBOLIC_SHAPE_GUARD$|^ LAMBDA_GUARD$/.test(at);
      if (place && !(same && place === before.place)) found.set(place, (found.get(place) ?? 0) + 1);
      before = { at, place: place || (same ? before.place : "") };
    }
  }
  return found;
}

for (const name of ["gpt2", "recompiles"])
  test(`the guards and kernels of each line are those that name it, ${name}`, () => {
    const report = sampleReport(name);
    const guards = [...guardsByPlace(report)];
    const { lines, kernels } = json(report);
    const wrong = lines.filter((line) => {
      const place = `${line.file}:${line.line}`;
      const named = guards.filter(([end]) => place.endsWith(end)).reduce((sum, [, n]) => sum + n, 0);
      const own = kernels.list.filter(({ sources }) => sources.some((from) => `${from.file}:${from.line}` === place));
      return named !== line.guards || own.length !== line.kernels;
    });
    assert.ok(guards.length > 0);
    assert.deepEqual(wrong, []);
  });

for (const name of ["gpt2", "recompiles"])
  test(`the ops of each line are the nodes below its comments in the graphs, ${name}`, () => {
    const report = sampleReport(name);
    const nodes = nodesByLine(report);
    const lines = json(report).lines.filter((line) => line.ops);
    // Inputs, submodules and attributes have a comment, but are no ops.
    const ops = (list) => list.filter((node) => !/ = self\.[\w.]+(?:;|$)/.test(node)).length;
    assert.ok(
      allOf(lines, (line) => ops(nodes.get(`${line.file}:${line.line}`) ?? []) === line.ops),
      JSON.stringify(lines.map((line) => [line.line, line.ops, ops(nodes.get(`${line.file}:${line.line}`) ?? [])])),
    );
  });

test("a click on a line opens its source, graphs and output code, with what corresponds marked", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/code?q=activations.py");
    await room(page, "Code");
    await page.getByRole("link", { name: /return 0\.5 \* input/ }).click();
    await room(page, "Code activations.py:66");
    await eventually(
      () =>
        marked(page, "Source")
          .allInnerTexts()
          .then((texts) => texts.length),
      1,
    );
    for (const [name, text] of [
      ["Dynamo graph", /# File: .*activations\.py:66 in forward/],
      ["Post-grad graph", /# File: .*activations\.py:66 in forward/],
      ["Output code", /cpp_fused_add_mul_pow_tanh_view_6/],
    ])
      await soon(async () => assert.match(await marked(page, name).first().innerText(), text));
    assert.deepEqual((await query(page)).compile, "0/0", "a link to it shows the same compile");
    const count = json(sampleReport("gpt2")).lines.find((line) => line.file === ACTIVATIONS && line.line === 66);
    const facts = await page.locator(".line-facts").innerText();
    assert.match(facts, new RegExp(`${count.kernels} kernels · ${count.guards} guards · ${count.ops} ops`));
    // Nodes of this compile, with a comment for each of the three layers.
    const [, lines] = /(\d+) lines marked/.exec(await pane(page, "Dynamo graph").innerText());
    assert.equal(Number(lines), count.ops / 2 + 3);
  }));

test("a node of the post-grad graph chooses its line of source, a kernel all of its lines", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open(at(ACTIVATIONS, 66));
    await marked(page, "Post-grad graph").first().waitFor();
    await chooseProduct(page);
    await eventually(
      () => marked(page, "Source").innerText(),
      "x = torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight)",
    );
    await eventually(() => pane(page, "Post-grad graph").locator(".cm-chosen").count(), 1);
    // The kernel of this very node, not those of the other layers.
    await eventually(async () => (await marked(page, "Output code").allInnerTexts()).length, 3);
    assert.match((await marked(page, "Output code").allInnerTexts()).join("\n"), /extern_kernels\.addmm\(/);
    await settled(page);
    await pane(page, "Output code").locator(".cm-line", { hasText: "cpp_fused_clone" }).first().click();
    await soon(async () => assert.match((await query(page)).pick, /^code-/));
    await page.locator(".line-facts", { hasText: "more line" }).waitFor();
    for (const name of ["Dynamo graph", "Post-grad graph"])
      await soon(async () => assert.match(await pane(page, name).innerText(), /lines marked/));
  }));

test("arrows and j, k go to lines with a counterpart; Escape leads back to the lines of the file", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open(at(UTILS, 119));
    await marked(page, "Dynamo graph").first().waitFor();
    await page.keyboard.press("j");
    await eventually(() => heading(page), "Code pytorch_utils.py:120");
    await page.keyboard.press("ArrowUp");
    await eventually(() => heading(page), "Code pytorch_utils.py:119");
    await pane(page, "Dynamo graph").locator(".cm-content").focus();
    await page.keyboard.press("ArrowDown");
    await soon(async () => assert.match((await query(page)).pick, /^dynamo-/));
    const first = Number((await query(page)).pick.slice(7));
    await page.keyboard.press("k");
    await soon(async () => assert.ok(Number((await query(page)).pick.slice(7)) < first));
    await page.keyboard.press("Escape");
    await eventually(() => hash(page).then((text) => text.startsWith("#/code?file=")), true);
    await table(page, "Lines").waitFor();
  }));

test("an address has the line, the compile, the graph and what is chosen", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open(at(ACTIVATIONS, 66, "&compile=0%2F0&graph=1"));
    await soon(async () =>
      assert.match(await marked(page, "Post-grad graph").first().innerText(), /Backward of forward/),
    );
    assert.equal(await page.getByRole("combobox", { name: "Graph" }).inputValue(), "1");
    await page.getByRole("combobox", { name: "Compile" }).selectOption("0/1");
    await eventually(async () => (await query(page)).compile, "0/1");
    await soon(async () => assert.match(await marked(page, "Post-grad graph").first().innerText(), /# File: .*:66/));
    await settled(page);
    await pane(page, "Post-grad graph").locator(".cm-chosen, .cm-related").nth(1).click();
    await soon(async () => assert.match((await query(page)).pick, /^post-\d+$/));
    const before = await query(page);
    await page.reload();
    await pane(page, "Post-grad graph").locator(".cm-chosen").waitFor();
    assert.deepEqual(await query(page), before);
  }));

test("a pane without an artifact says why; a line without ops says where its function was compiled", () =>
  visit(sampleReport("recompiles"), async (page, { open }) => {
    await open(at("/home/user/src/recompiles.py", 8));
    await eventually(() => page.getByRole("combobox", { name: "Compile" }).inputValue(), "0/0");
    await page.locator(".line-facts", { hasText: "by_shape begins here" }).waitFor();
    for (const name of GRAPHS.slice(1))
      await soon(async () =>
        assert.match(await pane(page, name).innerText(), /no such artifact of 0\/0: the backend takes/),
      );
    await open(at("/home/user/src/none.py", 1));
    await soon(async () => assert.match(await pane(page, "Source").innerText(), /No record of the log has text/));
    await soon(async () => assert.match(await pane(page, "Dynamo graph").innerText(), /No compile of the log/));
    await open(at("/home/user/src/recompiles.py", 8, "&compile=99%2F9&graph=x&pick=post-999999999"));
    await soon(async () => assert.match(await pane(page, "Dynamo graph").innerText(), /No compile/));
  }));

test("a phone has one pane at a time, and all fits", () =>
  visit(sampleReport("gpt2"), { viewport: { width: 400, height: 800 } }, async (page, { open }) => {
    await open(at(ACTIVATIONS, 66));
    await marked(page, "Source").waitFor();
    for (const name of GRAPHS) {
      assert.equal(await page.locator(".codepane").count(), 1);
      await page.getByRole("tab", { name }).click();
      await marked(page, name).first().waitFor();
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
    await page.getByRole("tab", { name: "Post-grad graph" }).click();
    await chooseProduct(page);
    await page.getByRole("tab", { name: "Source" }).click();
    await soon(async () => assert.match(await marked(page, "Source").innerText(), /torch\.addmm/));
  }));

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 1280],
  ["light", 400],
])
  test(`the panes are accessible, ${colorScheme}, ${width} px`, () =>
    visit(sampleReport("gpt2"), { colorScheme, viewport: { width, height: 800 } }, async (page, { open }) => {
      await open(at(ACTIVATIONS, 66));
      await marked(page, "Source").waitFor();
      await settled(page);
      await page.evaluate(AXE);
      assert.deepEqual(
        await page.evaluate(async () =>
          (await globalThis.axe.run(document, { resultTypes: ["violations"], preload: false })).violations.map(
            (v) => `${v.id}: ${v.nodes[0].target} ${v.nodes[0].failureSummary}`,
          ),
        ),
        [],
      );
    }));

test("texts of a log that want to be markup, or lead elsewhere, are text", () => {
  const file = `/a/<img src=x onerror=alert(1)>/javascript:alert(1)"'.py`;
  const code = "</script><script>alert(1)</script>\u202e";
  const graph = (rows) =>
    `class GraphModule:\n    def forward(self, x):\n${rows.map((n) => `        # File: ${file}:${n} in f, code: ${code}\n        ${code}: "${code}" = x + ${n}\n        y${n} = x + ${n}\n`).join("\n")}`;
  const log = [
    intern(file, 0),
    start(id(0), [{ line: 1, name: code, filename: 0, loc: code }]),
    record({ dynamo_output_graph: {}, ...id(0) }, graph([1, 7, 999_999_999])),
    artifact("inductor_post_grad_graph", graph([7]), id(0)),
    record({ inductor_output_code: { filename: "/t/x.py" }, ...id(0) }, `${code}\n'''\n# ${code}`),
    metrics(id(0), { co_filename: file, co_name: code }),
  ].join("");
  return visit(reportOf("hostile code", log), async (page, { open }) => {
    await open("index.html#/code");
    await table(page, "Lines").getByRole("link").first().waitFor();
    await open(at(file, 7));
    await soon(async () => assert.match(await marked(page, "Source").innerText(), /<script>alert/));
    await soon(async () => assert.match(await marked(page, "Post-grad graph").first().innerText(), /<img src=x/));
    await page.keyboard.press("j");
    await soon(async () => assert.equal((await query(page)).line, "999999999"));
    assert.equal(await page.locator("main img[src], main script").count(), 0);
  });
});

test("the minimap leads to the hot lines", () => {
  const report = profiledOnGpu("gpu_profile_breaks");
  const own = json(report).lines.filter((line) => !line.library);
  const first = own.reduce((a, b) => (b.run_us > a.run_us ? b : a));
  return visit(report, async (page, { open }) => {
    await open(at(first.file, own[0].line));
    const spots = page.locator(".minimap button");
    await eventually(() => spots.count(), own.filter((line) => line.run_us).length);
    await page.locator(`.minimap button[title="line ${first.line}: ${first.run_us}\u00a0µs run time"]`).click();
    await eventually(() => heading(page), `Code gpu_profile_breaks.py:${first.line}`);
    await eventually(() => marked(page, "Source").innerText(), first.text);
  });
});

test("lines of PyTorch link to the code of its release, other lines have no link", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/code?libraries=1&q=adam.py:230");
    const link = table(page, "Lines").getByRole("link", { name: "adam.py:230" });
    assert.equal(
      await link.getAttribute("href"),
      "https://github.com/pytorch/pytorch/blob/v2.15.0/torch/optim/adam.py#L230",
    );
    await open("index.html#/code");
    await table(page, "Lines").locator(".place").first().waitFor();
    assert.equal(await table(page, "Lines").locator(".place a").count(), 0);
  }));

test("Ctrl+K opens a line by a part of its file, or by its code", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html");
    await room(page, "Overview");
    const option = (text) => page.getByRole("dialog", { name: "Go to" }).getByRole("option", { name: text });
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("activ:66");
    await option(/^code\s*activations\.py:66/).click();
    await room(page, "Code activations.py:66");
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("torch.addmm(self.bias");
    await option(/^code\s*pytorch_utils\.py:119/).click();
    await room(page, "Code pytorch_utils.py:119");
  }));

test("a line prints with what is around it, not with its whole texts", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open(at("/usr/lib/python3/site-packages/torch/nn/functional.py", 5896));
    for (const name of ["Source", ...GRAPHS]) await marked(page, name).first().waitFor();
    await page.emulateMedia({ media: "print" });
    await soon(async () => {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height < 3000, `${height} pixels`);
    });
    for (const name of ["Source", ...GRAPHS]) assert.ok(await marked(page, name).first().isVisible());
  }));

test("a file of --source is shown whole, with what its lines cost, and in step", () => {
  const report = sampleReport("recompiles", "--source", SCRIPTS);
  const file = "/home/user/src/recompiles.py";
  const text = readFileSync(join(SCRIPTS, "recompiles.py"), "utf8").trimEnd().split("\n");
  const traced = json(report).lines.find((line) => line.file === file && line.text?.includes("x * k"));
  return visit(report, async (page, { open }) => {
    await open(at(file, traced.line));
    const source = pane(page, "Source");
    await source.getByText(`recompiles.py, ${text.length} lines, from`).waitFor();
    for (const name of ["Source", "Dynamo graph"]) await marked(page, name).first().waitFor();
    assert.equal((await marked(page, "Source").first().innerText()).trim(), text[traced.line - 1].trim());
    await source.locator(".cm-content").press("ControlOrMeta+Home");
    assert.equal(await source.locator(".cm-line").first().innerText(), text[0]);
    assert.equal(await source.locator(".cm-line", { hasText: "not in the log" }).count(), 0);
    assert.ok((await source.locator(".cm-line").count()) >= Math.min(text.length, 30));
    assert.match(
      await source.getByTitle(/recompiles\.py: /).getAttribute("title"),
      /lines? that the log quotes (is|are) the same$/,
    );
    await marked(page, "Dynamo graph").first().click();
    await eventually(async () => assert.match((await query(page)).pick ?? "", /^dynamo-/));
    assert.equal((await marked(page, "Source").first().innerText()).trim(), text[traced.line - 1].trim());
  });
});

test("a report whose file of --source is lost shows what the log quotes, and says so", async () => {
  const report = mkdtempSync(join(tmpdir(), "tlparse-source-"));
  cpSync(sampleReport("recompiles", "--source", SCRIPTS), report, { recursive: true });
  rmSync(join(report, "data/sources.0.js"));
  await visit(report, { expectErrors: true }, async (page, { open }) => {
    await open(at("/home/user/src/recompiles.py", 20));
    await pane(page, "Source").getByText("in the log; the whole file could not be loaded").waitFor();
    await marked(page, "Source").first().waitFor();
  });
  rmSync(report, { recursive: true });
});

bigTest("a file of 20,000 lines opens, with what is in view only", () =>
  visit(
    reportOf("lines", () => linesLog(20_000)),
    async (page, { open }) => {
      await open(at("/home/user/long.py", 17_770));
      for (const name of ["Source", ...GRAPHS])
        await soon(async () => assert.match(await marked(page, name).first().innerText(), /17770/));
      assert.equal((await query(page)).compile, "3/0");
      assert.ok((await page.locator(".cm-line").count()) < 500, "only lines near the view are in the document");
      assert.ok((await page.locator(".minimap button").count()) <= 120);
    },
  ),
);

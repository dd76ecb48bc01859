// The nodes of a graph as a table: sorted, filtered, copied as CSV, replayed by source line; and a node followed to what computes it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, eventually, hash, rows, settled, viewer, visit } from "./lib/browser.mjs";
import { id, metrics, record, start } from "./lib/log.mjs";
import { reportOf, sampleLog, sampleReport, TLPARSE } from "./lib/report.mjs";

after(closeBrowser);

async function openText(page, open, compile, name) {
  await open(`index.html#/c/${encodeURIComponent(compile)}`);
  await page.locator(".artifacts").getByRole("link", { name }).first().click();
  await viewer(page);
}

async function openNodes(page, open, compile, name) {
  await openText(page, open, compile, name);
  await page.getByRole("button", { name: "Nodes", exact: true }).click();
  await rows(page).first().waitFor();
}

const wide = { viewport: { width: 1600, height: 900 } };
const panel = (page) => page.locator(".graph-panel");
const heads = async (page) =>
  (await page.getByRole("columnheader").allInnerTexts()).map((text) => text.replace(/\s[↓↑]$/, ""));
const cells = (page, n) => rows(page).nth(n).getByRole("gridcell").allInnerTexts();
/** The texts of a column, for the rows in the document. */
async function column(page, title) {
  const at = (await heads(page)).indexOf(title);
  return page.evaluate(
    (i) => [...document.querySelectorAll(".grid-row")].map((row) => row.children[i].textContent),
    at,
  );
}

test("the table has each node with op, name, target, operands, type and line; nested graphs have their name", () =>
  visit(sampleReport("higher_order"), wide, async (page, { open }) => {
    await openNodes(page, open, "0/0", /dynamo_output_graph/);
    assert.deepEqual(await heads(page), [
      ..."Graph Op Name Target Operands Shape Dtype Device Strides Line".split(" "),
    ]);
    const names = await column(page, "Name");
    const gt = names.indexOf("gt");
    assert.deepEqual((await cells(page, gt)).slice(0, 7), [
      "",
      "call_function",
      "gt",
      "operator.gt",
      "sum_1",
      "[]",
      "b8",
    ]);
    assert.match((await cells(page, gt)).at(-1), /order\.py:11$/);
    assert.ok((await column(page, "Graph")).includes("cond_true_0"));
    assert.equal(names.filter((name) => name === "output").length, 3);
    assert.equal(await page.locator(".drawing-count").innerText(), `${names.length} nodes`);
  }));

test("it sorts and filters by words of any column, and the address brings that back", () =>
  visit(sampleReport("gpt2"), wide, async (page, { open }) => {
    await openNodes(page, open, "0/0", /dynamo_output_graph/);
    const first = (await column(page, "Name"))[0];
    await page.getByRole("button", { name: "Target", exact: true }).click();
    await eventually(async () => (await column(page, "Target"))[0].startsWith("contiguous"), true);
    const sorted = await column(page, "Target");
    assert.deepEqual(
      sorted,
      [...sorted].sort((a, b) => a.localeCompare(b, "en", { numeric: true })),
    );
    await page.keyboard.press("/");
    await page.keyboard.type("layer_norm float32 modeling_gpt2.py:273");
    await eventually(async () => new Set(await column(page, "Target")).size, 1);
    assert.match(await page.locator(".drawing-count").innerText(), /^\d+ of \d+ nodes$/);
    const shown = await column(page, "Name");
    assert.ok(shown.length > 1);
    assert.match(await hash(page), /view=nodes.*sort=target/);
    await page.reload();
    await eventually(() => column(page, "Name"), shown);
    await page.getByRole("searchbox", { name: "Filter nodes" }).fill("no such node");
    await page.getByText("No node matches the filter").waitFor();
    await page.getByRole("button", { name: /^Show all/ }).click();
    await eventually(async () => (await rows(page).count()) > 10, true);
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await page.locator(".cm-line").first().waitFor();
    assert.doesNotMatch(await hash(page), /view=|sort=/);
    await page.keyboard.press("r");
    await eventually(async () => (await column(page, "Name"))[0], first);
  }));

test("a row opens its value, which leads to its inputs, to the text and to the drawing", () =>
  visit(sampleReport("higher_order"), async (page, { open }) => {
    await openNodes(page, open, "0/0", /dynamo_output_graph/);
    await rows(page).filter({ hasText: "operator.gt" }).click();
    await eventually(() => panel(page).locator(".name").innerText(), "gt");
    await panel(page)
      .getByRole("button", { name: /^sum_1/ })
      .click();
    await eventually(() => panel(page).locator(".name").innerText(), "sum_1");
    await eventually(
      () =>
        page
          .locator(".grid-row.on")
          .innerText()
          .then((text) => text.includes("sum_1")),
      true,
    );
    await panel(page)
      .getByRole("button", { name: /Go to definition/ })
      .click();
    await page.locator(".cm-value-def").waitFor();
    assert.equal(await page.locator(".cm-value-def").innerText(), "sum_1");
    await page.getByRole("button", { name: "Nodes", exact: true }).click();
    await page.locator(".grid-row.on").waitFor();
    await panel(page).getByRole("button", { name: "Show drawing" }).click();
    await page.locator('.drawing-box[data-state="ready"]').waitFor();
    assert.equal(await panel(page).locator(".name").innerText(), "sum_1");
    await page.goBack();
    await rows(page).first().waitFor();
  }));

test("rows are walked with the keyboard; Enter opens the value, the button closes it", () =>
  visit(sampleReport("higher_order"), async (page, { open }) => {
    await openNodes(page, open, "0/0", /dynamo_output_graph/);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await eventually(async () => /v=return%40\d+/.test(await hash(page)), true);
    await panel(page).waitFor();
    await panel(page).getByRole("button", { name: "Close" }).click();
    await eventually(() => panel(page).count(), 0);
  }));

/** What the command prints of the graph of a stage. */
const printed = (log, compile, stage) =>
  execFileSync(TLPARSE, ["graph", sampleLog(log), compile, "--stage", stage, "--format", "csv"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

const GRAPHS = [
  ["gpt2", "0/0", "dynamo", /dynamo_output_graph/],
  ["gpt2", "0/0", "joint", /aot_joint_graph/],
  ["higher_order", "0/0", "dynamo", /dynamo_output_graph/],
  ["modules", "1/0", "dynamo", /dynamo_output_graph/],
  ["dynamic_shapes", "0/1", "dynamo", /dynamo_output_graph/],
];
for (const [log, compile, stage, name] of GRAPHS)
  test(`${log} ${stage}: Copy CSV copies what tlparse graph --format csv prints`, () =>
    visit(sampleReport(log), { permissions: ["clipboard-read", "clipboard-write"] }, async (page, { open }) => {
      await openNodes(page, open, compile, name);
      await page.getByRole("button", { name: "Copy CSV" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const wanted = printed(log, compile, stage);
      assert.ok(wanted.split("\r\n").length > 3);
      assert.deepEqual(copied.split(/\r?\n/), wanted.split("\r\n"));
    }));

test("CSV has the rows that the filter leaves, in their order", () =>
  visit(
    sampleReport("higher_order"),
    { permissions: ["clipboard-read", "clipboard-write"] },
    async (page, { open }) => {
      await openNodes(page, open, "0/0", /dynamo_output_graph/);
      await page.getByRole("searchbox", { name: "Filter nodes" }).fill("sum_1");
      await eventually(() => rows(page).count(), 2);
      await page.getByRole("button", { name: "Copy CSV" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split(/\r?\n/);
      assert.deepEqual(
        lines.slice(1).map((line) => line.split(",")[1]),
        ["sum_1", "gt"],
      );
    },
  ));

const LOOP = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4][1]cpu"):
        l_x_ = L_x_

        # File: /home/user/loop.py:5 in f, code: x = x.sin()
        x: "f32[4][1]cpu" = l_x_.sin();  l_x_ = None

        # File: /home/user/loop.py:6 in f, code: x = g(x) + 1
        x_1: "f32[4][1]cpu" = x.cos();  x = None
        x_2: "f32[4][1]cpu" = x_1 + 1;  x_1 = None

        # File: /home/user/loop.py:5 in f, code: x = x.sin()
        x_3: "f32[4][1]cpu" = x_2.sin();  x_2 = None
        return (x_3,)
`;
const loopReport = () =>
  reportOf("loop", () => [start(id(0)), record({ dynamo_output_graph: {}, ...id(0) }, LOOP), metrics(id(0))].join(""));

test("by source line: each line as often as it ran, with its values; a value opens, a line leads to the text", () =>
  visit(loopReport(), async (page, { open }) => {
    await openNodes(page, open, "0/0", /dynamo_output_graph/);
    await page.getByRole("button", { name: "By source line" }).click();
    await eventually(
      async () =>
        (await page.locator(".grid-row").allInnerTexts()).map((text) => text.split(/\s*\n\s*/).filter(Boolean)),
      [
        ["loop.py:5", "x = x.sin()", "f"],
        ["x sin", "[4]", "f32"],
        ["loop.py:6", "x = g(x) + 1", "f"],
        ["x_1 cos", "[4]", "f32"],
        ["x_2 operator.add", "[4]", "f32"],
        ["loop.py:5", "x = x.sin()", "f"],
        ["x_3 sin", "[4]", "f32"],
      ],
    );
    assert.equal(await page.locator(".drawing-count").innerText(), "3 lines with 4 nodes");
    await page.getByRole("searchbox", { name: "Filter nodes" }).fill("add");
    await eventually(() => rows(page).count(), 2);
    await page.reload();
    await eventually(() => rows(page).count(), 2);
    await rows(page).nth(1).click();
    await eventually(() => panel(page).locator(".name").innerText(), "x_2");
    await page.getByRole("button", { name: "Close" }).click();
    await rows(page).first().click();
    await eventually(async () => /L=8-10/.test(await hash(page)), true);
    await eventually(() => page.locator(".cm-chosen").count(), 3);
  }));

test("only a Dynamo graph has source lines in the order in which they ran", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await openNodes(page, open, "0/0", /inductor_post_grad_graph/);
    assert.equal(await page.getByRole("button", { name: "By source line" }).count(), 0);
  }));

test("output code has no nodes", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await openText(page, open, "0/0", /inductor_output_code/);
    assert.equal(await page.getByRole("button", { name: "Nodes", exact: true }).count(), 0);
  }));

const NODES = 10_000;
const long = () => {
  const lines = Array.from({ length: NODES }, (_, i) => {
    const before = i ? `sin_${i - 1}` : "L_x_";
    return `        # File: /home/user/long.py:${i % 100} in f, code: x = x.sin()\n        sin_${i}: "f32[4][1]cpu" = torch.sin(${before});  ${before} = None\n`;
  });
  return `class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: "f32[4][1]cpu"):\n${lines.join("")}        return (sin_${NODES - 1},)\n`;
};

test("10,000 nodes: the document has the rows in view only, and the last is reached", () =>
  visit(
    reportOf("long", () =>
      [start(id(0)), record({ dynamo_output_graph: {}, ...id(0) }, long()), metrics(id(0))].join(""),
    ),
    async (page, { open }) => {
      await openNodes(page, open, "0/0", /dynamo_output_graph/);
      assert.equal(await page.locator(".drawing-count").innerText(), "10,002 nodes");
      assert.ok((await rows(page).count()) < 100);
      await page.keyboard.press("End");
      await eventually(async () => (await rows(page).last().innerText()).startsWith("output"), true);
      await page.getByRole("searchbox", { name: "Filter nodes" }).fill("sin_9999");
      await eventually(() => rows(page).count(), 2);
    },
  ));

const computed = (page) => panel(page).locator(".computed-by").innerText();

test("a node is followed to the post-grad nodes and kernels that the log states, by links", () =>
  visit(sampleReport("provenance_jit"), async (page, { open }) => {
    await openNodes(page, open, "0/0", /dynamo_output_graph/);
    await rows(page).filter({ hasText: "linear" }).first().click();
    await eventually(
      async () => (await computed(page)).split(/\n+/),
      [
        "Computed by",
        "Post-grad nodes 2 stated in the node mappings",
        "0_forward",
        "permute",
        "addmm",
        "Kernels 1 stated in the log",
        "extern_kernels.addmm 0_forward · node mapping",
      ],
    );
    const here = page.url();
    await panel(page).getByRole("link", { name: "addmm", exact: true }).click();
    await page.locator(".cm-value-def").waitFor();
    assert.equal(await page.locator(".cm-value-def").innerText(), "addmm");
    assert.match(await page.locator(".artifact h2").innerText(), /inductor_post_grad_graph/);
    await page.goto(here);
    await panel(page)
      .getByRole("link", { name: /extern_kernels\.addmm/ })
      .click();
    await page.getByRole("region", { name: "Kernel extern_kernels.addmm" }).waitFor();
  }));

test("without a mapping, what has the same line is said to be inferred; the drawing's panel has it, too", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await openNodes(page, open, "0/0", /dynamo_output_graph/);
    await rows(page).filter({ hasText: "gelu" }).first().click();
    const wanted =
      /Post-grad nodes with this line \d+ inferred: [^]*0_forward[^]*erf[^]*0_backward[^]*Kernels with this line \d+ inferred/;
    await eventually(async () => wanted.test(await computed(page)), true);
    assert.doesNotMatch(await computed(page), /stated/);
    await panel(page).getByRole("button", { name: "Show drawing" }).click();
    await eventually(async () => wanted.test(await computed(page)), true);
  }));

test("nothing is said of a node where the log has nothing, nor of an input", () =>
  visit(loopReport(), async (page, { open }) => {
    await openNodes(page, open, "0/0", /dynamo_output_graph/);
    for (const name of ["x_1", "L_x_"]) {
      await rows(page).filter({ hasText: name }).first().click();
      await panel(page).waitFor();
      await settled(page);
      assert.equal(await panel(page).locator(".computed-by").count(), 0);
    }
  }));

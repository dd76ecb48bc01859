// Kernels: what there is, what they fuse, where they come from; filter, order, groups and choice stand in the address.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { allOf, closeBrowser, eventually, hash, room, rows, visit } from "./lib/browser.mjs";
import { id, metrics, record, start } from "./lib/log.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const report = sampleReport("provenance_jit");
const names = async (page) =>
  (await page.locator(".grid-row > :first-child").allInnerTexts()).map((text) => text.trim());

test("kernels of all codes, by kind, and filtered by what they fuse", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/kernels");
    await room(page, "Kernels");
    await eventually(async () => (await rows(page).count()) > 3, true);
    const all = await rows(page).count();
    await page.getByRole("button", { name: /^library call/ }).click();
    await eventually(async () => allOf(await names(page), (name) => !name.startsWith("cpp_")), true);
    assert.match(await hash(page), /kind=extern/);
    await page.getByRole("button", { name: /^library call/ }).click();
    await eventually(() => rows(page).count(), all);
    await page.getByRole("searchbox").fill("extern_kernels.addmm");
    await eventually(async () => allOf(await names(page), (name) => name === "extern_kernels.addmm"), true);
    await page.getByRole("searchbox").fill("no such kernel");
    await page.getByText("No kernel matches the filter").waitFor();
  }));

test("a kernel shows nodes, source lines and code, and leads to its line", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/kernels?q=cpp_fused");
    await rows(page).first().locator("> :first-child").click();
    const panel = page.locator(".kernel");
    await panel.waitFor();
    assert.match(await hash(page), /k=\d+/);
    await eventually(async () => /async_compile\.cpp_pybinding/.test(await panel.locator("pre").innerText()), true);
    const text = await panel.innerText();
    assert.match(text, /provenance_jit\.py:\d+/);
    assert.match(text, /Post-grad graph nodes\s+\d+, from the log's node mappings/);
    const name = (await panel.locator("h2").innerText()).trim();
    await page.reload();
    await panel.waitFor();
    assert.equal((await panel.locator("h2").innerText()).trim(), name);
    assert.equal((await panel.getByRole("link", { name: /Provenance/ }).count()) > 0, true);
    await panel.getByRole("link", { name: /^Code, line/ }).click();
    await page.waitForFunction(() => /#\/c\/.*L=\d+/.test(location.hash));
    await eventually(
      async () => (await page.locator(".cm-content").innerText()).includes(`${name} = async_compile`),
      true,
    );
  }));

test("grouped by compile, each group with its sums", () =>
  visit(report, async (page, { open }) => {
    await open("index.html#/kernels?group=compile&sort=-calls");
    await eventually(() => page.locator(".grouphead").count(), 2);
    assert.match(await page.locator(".grouphead").first().innerText(), /\d\/\d\s+\d+ kernels?/);
    assert.equal(await page.getByRole("button", { name: "by compile" }).getAttribute("aria-pressed"), "true");
  }));

test("without provenance a C++ kernel shows what it computes, and where that comes from", () =>
  visit(sampleReport("simple"), async (page, { open }) => {
    await open("index.html#/kernels?q=cpp_fused");
    await eventually(() => rows(page).count(), 1);
    assert.match(await rows(page).first().innerText(), /relu, sum, add\s+simple\.py:7/);
    await rows(page).first().locator("> :first-child").click();
    const panel = page.locator(".kernel");
    await panel.waitFor();
    assert.match(await panel.innerText(), /Post-grad graph nodes\s+3, traced through the buffers/);
  }));

test("kernels and calls of libraries are counted apart", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/kernels");
    await eventually(
      () =>
        page
          .locator("main header, .roomhead")
          .first()
          .innerText()
          .then((text) => /16 kernels and 23 library calls/.test(text)),
      true,
    );
    await page.getByRole("button", { name: /^library call 23/ }).click();
    await eventually(async () => allOf(await names(page), (name) => !name.startsWith("cpp_")), true);
  }));

test("the compiles of both generations of an id have their kernels", () =>
  visit(sampleReport("cache/cold"), async (page, { open }) => {
    await open("index.html#/kernels?group=compile");
    await eventually(() => page.locator(".grouphead").count(), 4);
  }));

test("without provenance the lines come from Dynamo's graph", () =>
  visit(sampleReport("simple"), async (page, { open }) => {
    await open("index.html#/kernels?q=extern_kernels.mm");
    await eventually(() => rows(page).count(), 1);
    assert.match(await rows(page).first().innerText(), /simple\.py:7/);
  }));

test("a log without output code says why there is nothing", () =>
  visit(sampleReport("errors"), async (page, { open }) => {
    await open("index.html#/kernels");
    await page.getByText("No kernels in this log").waitFor();
  }));

test("a long name loses its middle, so that kernels can be told apart", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html#/kernels");
    await room(page, "Kernels");
    const cell = page
      .locator(".grid-row > :first-child", { hasText: /^cpp_fused_add_embedding_native_dropout/ })
      .first();
    const name = await cell.locator("[title]").getAttribute("title");
    assert.equal((await cell.innerText()).trim(), name); // what one copies
    const [held, end] = await cell.evaluate((node) => {
      const range = document.createRange();
      range.selectNodeContents(node.querySelector(".midcut").lastChild);
      return [node.getBoundingClientRect().right, range.getBoundingClientRect().right];
    });
    assert.ok(
      end <= held && (await cell.locator(".midcut > span").evaluate((head) => head.scrollWidth > head.clientWidth)),
      `${end} ${held}`,
    );
  }));

const GRAPH = `class <lambda>(torch.nn.Module):
    def forward(self, a: "f32[4]", b: "f32[4]"):
        var: "f32[]" = torch.ops.aten.var.default(a)
        rsqrt: "f32[]" = torch.ops.aten.rsqrt.default(var)
        mul: "f32[4]" = torch.ops.aten.mul.Tensor(a, rsqrt)
        mean: "f32[]" = torch.ops.aten.mean.default(b)
        rsqrt_1: "f32[]" = torch.ops.aten.rsqrt.default(mean)
        div: "f32[]" = torch.ops.aten.div.Tensor(rsqrt, 4)
        return (mul, div, rsqrt_1)`;
const code = (name, params, body) =>
  `${name} = async_compile.cpp_pybinding([], r'''\nextern "C"  void  kernel(${params})\n{\n${body}\n}\n''')\n`;
/** Two kernels share a variance; both results of the second are worked out in one loop, which takes roots. */
const CODE = [
  code("cpp_0", "const float* in_ptr0, float* out_ptr0, float* out_ptr1", "{ out_ptr1[0] = out_ptr0[0].rsqrt(); }"),
  code(
    "cpp_1",
    "float* in_out_ptr0, const float* in_ptr0, float* out_ptr0",
    "{\nin_out_ptr0[0] = in_out_ptr0[0].rsqrt() / 4;\nout_ptr0[0] = in_ptr0[0].rsqrt();\n}",
  ),
  "def call(args):\n    cpp_0(a, buf0, buf1)\n    buf2 = buf0; del buf0  # reuse\n    cpp_1(buf2, b, buf3)\n    return (buf1, buf2, buf3, )\n",
].join("");

test("a kernel whose nodes are not known says why, and what it may compute", () =>
  visit(
    reportOf("shared kernels", () =>
      [
        start(id(0)),
        record({ inductor_post_grad_graph: {}, ...id(0) }, GRAPH),
        record({ inductor_output_code: { filename: "/tmp/c.py" }, ...id(0) }, CODE),
        metrics(id(0)),
      ].join(""),
    ),
    async (page, { open }) => {
      await open("index.html#/kernels?q=cpp_1");
      await eventually(() => rows(page).count(), 1);
      await rows(page).first().locator("> :first-child").click();
      const panel = page.locator(".kernel");
      await panel.waitFor();
      const text = await panel.innerText();
      assert.match(text, /Possible nodes\s+1, the log does not show which[^]*rsqrt/);
      assert.match(text, /Unknown: the graphs in the log name no source line for its nodes\./);
    },
  ));

test("a library call computes what its name says", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/kernels?q=randint");
    await eventually(() => rows(page).count(), 1);
    const row = await rows(page).first().innerText();
    assert.match(row, /prims\.inductor_seeds/);
    assert.doesNotMatch(row, /native_dropout/);
  }));

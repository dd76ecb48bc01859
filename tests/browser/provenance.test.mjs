// The provenance pages of a torch.compile run (forward and backward) and of an AOT Inductor run (C++ wrapper and kernels).
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { artifact, hostileLog, id, metrics, record, start } from "./lib/log.mjs";
import { closeBrowser, eventually, settled, soon, visit } from "./lib/browser.mjs";
import { reportOf, sampleReport } from "./lib/report.mjs";

after(closeBrowser);
const jit = sampleReport("provenance_jit");
const aot = sampleReport("provenance_aot");
const JIT = encodeURIComponent("provenance_tracking_-_0_0_0.html");
const AOT = encodeURIComponent("provenance_tracking_-_-_-_-.html");

const gutter = { position: { x: 30, y: 6 } };
const marked = (page, kind) =>
  page.evaluate((kind) => [...document.querySelectorAll(`.m-${kind}`)].map((line) => line.id), kind);
const number = (page, text) =>
  page
    .locator(".lines > span", { hasText: text })
    .first()
    .evaluate((line) => line.id);
/** How far a line is from the top of its pane's view, as a share of it. */
const place = (page, line) =>
  page.locator(`#${line}`).evaluate((element) => {
    const [box, view] = [element.getBoundingClientRect(), element.closest(".scroller").getBoundingClientRect()];
    return (box.top - view.top) / view.height;
  });

test("hover marks what belongs together, and leaves nothing behind", () =>
  visit(jit, async (page, { open }) => {
    await open(JIT);
    const node = await number(page, /^ *addmm: /);
    await page.locator(`#${node}`).hover(gutter);
    const call = await number(page, /^ *extern_kernels\.addmm\(/);
    const before = await number(page, /^ *linear: /);
    assert.deepEqual((await marked(page, "hover")).sort(), [before, node, call].sort());
    const looks = await page
      .locator(`#${call}`)
      .evaluate((line) => [
        getComputedStyle(line, "::before").content,
        getComputedStyle(line, "::before").borderLeftStyle,
      ]);
    assert.match(looks[0], /▹/, "a sign, not color alone");
    assert.equal(looks[1], "dashed");
    assert.match(
      await page.getByRole("status").innerText(),
      /1 pre-grad line · 1 post-grad line · 1 kernel: extern_kernels\.addmm:1/,
    );
    await page.locator("h1").hover();
    assert.deepEqual(await marked(page, "hover"), []);
  }));

test("a click holds, the other panes scroll, the address says it, Escape lets go", () =>
  visit(jit, async (page, { open }) => {
    await open(JIT);
    const call = await number(page, /^ *cpp_fused__softmax_mean_mul_sigmoid_sum_1\(/);
    const node = await number(page, /^ *softmax|^ *amax: /);
    await page.locator(`#${node}`).click(gutter);
    const held = await soon(async () => {
      const lines = await marked(page, "held");
      assert.ok(lines.includes(call) && lines.includes(node), lines.join());
      return lines;
    });
    await eventually(
      async () => {
        const at = await place(page, call);
        return at > 0 && at < 1;
      },
      true,
      "the code has scrolled to the call",
    );
    assert.equal(await page.evaluate(() => location.hash), `#${node}`);
    await page.locator("h1").hover();
    assert.deepEqual(await marked(page, "held"), held, "held marks stay");
    assert.match(
      await page.locator(".side .held").innerText(),
      /provenance_jit\.py:16[\s\S]*cpp_fused__softmax_mean_mul_sigmoid_sum_1:4[\s\S]*stack trace/,
    );
    await page.reload();
    await eventually(() => marked(page, "held"), held, "the address brings it back");
    await page.keyboard.press("Escape");
    await eventually(() => marked(page, "held"), []);
  }));

test("the list of kernels: nodes, own code, stack traces, the user's source line", () =>
  visit(jit, async (page, { open }) => {
    await open(JIT);
    const list = page.locator(".kernels li button");
    assert.match(await page.locator(".kernels h3").first().innerText(), /^4 kernel calls$/); // a kernel has a row for each call
    assert.equal(await list.count(), 4);
    await list.nth(1).click();
    assert.match(await list.nth(1).textContent(), /cpp_fused_native_layer_norm_relu_0:2\s*9 nodes/);
    assert.equal((await marked(page, "held")).filter((line) => line.startsWith("p1")).length, 9);
    await page.getByRole("button", { name: /own code, Python code/ }).click();
    const body = await number(page, /^cpp_fused_native_layer_norm_relu_0 = async_compile/);
    await eventually(async () => {
      const at = await place(page, body);
      return at >= 0 && at < 1;
    }, true);
    assert.match(await page.locator(`#${body}`).getAttribute("class"), /m-held-body/);
    assert.match(await page.locator(".side details pre").first().innerText(), /line 15, in forward\s+z = self\.norm/);
    await page.locator(".side .source button").first().click();
    await page.locator(".flash", { hasText: "# File: /home/user/src/provenance_jit.py:15" }).waitFor();
  }));

test("forward and backward each have their graphs; a mapping without nodes falls back on buffers and source lines", () =>
  visit(jit, async (page, { open }) => {
    await open(JIT);
    await page.getByRole("button", { name: "0_backward" }).click();
    await page.locator(".pane a", { hasText: "inductor_post_grad_graph_23.txt" }).waitFor();
    assert.equal(await page.locator(".kernels li").count(), 5);
    await page.locator(".kernels li button", { hasText: "extern_kernels.mm:2" }).click();
    await page.getByText("by the source lines of its stack traces").waitFor();
    const sign = async (pattern) =>
      page.locator(`#${await number(page, pattern)}`).evaluate((line) => getComputedStyle(line, "::before").content);
    assert.match(await sign(/^ *matmul: /), /≈/);
    assert.doesNotMatch(await sign(/^ *mm_1: /), /≈/); // that its buffers tell
    assert.deepEqual(await page.locator(".kernels li .num").allInnerTexts(), [
      "8 nodes",
      "1 node",
      "21 nodes",
      "1 node",
      "1 node",
    ]);
    await page.keyboard.press("[");
    await page.locator(".pane a", { hasText: "inductor_post_grad_graph_12.txt" }).waitFor();
    assert.deepEqual(await marked(page, "held"), []);
  }));

test("by keyboard: a pane, its next line with relations, hold, release", () =>
  visit(jit, async (page, { open }) => {
    await open(JIT);
    await page.locator(".kernels li").first().waitFor();
    await page.keyboard.press("2");
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    const first = await marked(page, "hover");
    for (const pane of ["p0L", "p1L", "p2L"])
      assert.ok(
        first.some((line) => line.startsWith(pane)),
        `${pane}: ${first}`,
      );
    await page.keyboard.press("ArrowDown");
    assert.notDeepEqual(await marked(page, "hover"), first);
    await page.keyboard.press("p");
    await page.keyboard.press("n");
    await page.keyboard.press("Enter");
    await soon(async () => assert.ok((await marked(page, "held")).length > 1));
    await page.keyboard.press("Escape");
    await eventually(() => marked(page, "held"), []);
  }));

test("a mouse that rests does not take the line from the keyboard when the text scrolls under it", () =>
  visit(jit, async (page, { open }) => {
    await open(JIT);
    await page.locator(".kernels li").first().waitFor();
    await page.locator("#p2 .scroller").hover();
    const own = () => page.evaluate(() => document.querySelector(".m-hover-own")?.id);
    const last = await page.locator("#p2 .lines > span").last().getAttribute("id");
    await page.keyboard.press("3");
    await page.keyboard.press("End");
    assert.equal(await own(), last);
    await settled(page); // the browser says what is under the mouse in the frame after the scrolling
    assert.equal(await own(), last);
    await page.mouse.wheel(0, -400);
    await eventually(async () => (await own()) !== last, true, "who turns the wheel looks where the mouse is");
  }));

test("lines that have counterparts are bold before anything is pointed at, and each pane opens at its first", () =>
  visit(jit, async (page, { open }) => {
    await open(JIT);
    await page.locator(".has").first().waitFor();
    assert.deepEqual(await marked(page, "hover"), []);
    const call = await number(page, /^ *extern_kernels\.addmm\(/);
    const weight = (line) =>
      page.locator(`#${line}`).evaluate((element) => Number(getComputedStyle(element).fontWeight));
    assert.ok((await weight(call)) >= 700);
    assert.ok((await weight(await number(page, /^ *del primals_1/))) < 600);
    for (const node of [await number(page, /^ *linear: /), await number(page, /^ *addmm: /)])
      assert.ok((await weight(node)) >= 700);
    await eventually(async () => {
      const at = await place(page, call);
      return at > 0 && at < 0.6;
    }, true); // line 310 of the code
    await page.getByRole("button", { name: "0_backward" }).click();
    await eventually(async () => (await page.locator("#p2 .has, #p4 .has, #p3 .has").count()) > 0, true);
  }));

test("an address with a line opens there", () =>
  visit(jit, async (page, { open }) => {
    await open(`${JIT}#p2L20`);
    await eventually(async () => {
      const at = await place(page, "p2L20");
      return at >= 0 && at < 1;
    }, true);
  }));

test("the width of the panes, by mouse and by key", () =>
  visit(jit, async (page, { open }) => {
    await open(JIT);
    const width = () => page.locator("#p0").evaluate((pane) => Math.round(pane.getBoundingClientRect().width));
    const before = await width();
    const box = await page.getByRole("separator").first().boundingBox();
    await page.mouse.move(box.x + 3, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 103, box.y + 200, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => Math.abs((await width()) - before - 100) < 12, true);
    await page.getByRole("separator").first().focus();
    const wide = await width();
    await page.keyboard.press("ArrowLeft");
    await eventually(async () => (await width()) < wide, true);
  }));

test("AOT Inductor: C++ wrapper and the kernels' own code", () =>
  visit(aot, async (page, { open }) => {
    await open(AOT);
    const node = await number(page, /^ *gelu: /);
    await page.locator(`#${node}`).click(gutter);
    const call = await page.locator("#p2 .m-held").first();
    assert.match(await call.textContent(), /cpp_fused_div_gelu_linalg_vector_norm_0\(/);
    await page.getByRole("button", { name: /own code, Kernels/ }).click();
    await eventually(() => page.getByRole("tab", { name: "Kernels" }).getAttribute("aria-selected"), "true");
    await page.locator("#p3 .m-held-body", { hasText: 'extern "C"  void  cpp_fused_div_gelu' }).waitFor();
  }));

test("the compile's room leads to the page, and the page back", () =>
  visit(jit, async (page, { open }) => {
    await open("index.html#/c/0%2F0");
    await page.getByRole("link", { name: "Provenance" }).click();
    await page.locator("h1", { hasText: "Provenance of [0/0]" }).waitFor();
    await page.getByRole("link", { name: "[0/0]" }).click();
    await page.locator("main h1", { hasText: "0/0" }).waitFor();
  }));

test("without scripts the texts, and the stack traces, can be read", () =>
  visit(jit, { javaScriptEnabled: false }, async (page, { open }) => {
    await open(JIT);
    assert.match(await page.locator("#p0").innerText(), /class GraphModule[\s\S]*linear:/);
    assert.match(await page.locator("#s1").textContent(), /0_backward[\s\S]*as above[\s\S]*Backward of forward node/);
    await page.locator(".traces summary").first().click();
    assert.match(await page.locator("#s0t0").innerText(), /extern_kernels\.addmm:1[\s\S]*line 15/);
  }));

test("both compiles of an id that came back after a reset are there", () => {
  const at = id(0);
  const one = (name) =>
    start(at) +
    artifact("before_pre_grad_graph", `${name} = x + 1`, at) +
    artifact("after_post_grad_graph", `${name}_1 = x + 1`, at) +
    record(
      { inductor_output_code: { filename: "/t/x.py" }, ...at },
      `# AOT ID: ['0_inference']\ndef call(args):\n    k(${name})`,
    ) +
    artifact(
      "inductor_provenance_tracking_node_mappings",
      JSON.stringify({ preToPost: { [name]: [`${name}_1`] }, postToPre: {}, cppCodeToPost: {}, postToCppCode: {} }),
      at,
      "json",
    ) +
    metrics(at);
  return visit(reportOf("two-generations", one("first") + one("second")), async (page, { open }) => {
    await open(JIT);
    const picks = page.locator(".picker button");
    await picks.first().waitFor();
    assert.deepEqual(await picks.allInnerTexts(), ["0_inference", "0_inference of 0/0#2"]);
    assert.match(await page.locator("#p0").innerText(), /first = x/);
    await picks.nth(1).click();
    await eventually(async () => /second = x/.test(await page.locator(".prov .pane").first().innerText()), true);
  });
});

test("text of the log stays text", () => {
  const s = "</script><script>alert(1)</script><!--"; // a name ends at '=' and ':'
  const img = `${s}<img src=x onerror=alert(1)>`;
  const mapping = {
    preToPost: { [s]: [s] },
    postToPre: { [s]: 5 },
    cppCodeToPost: { [s]: [s, 4], k: null },
    postToCppCode: { [s]: [s] },
  };
  const at = id(0);
  const log =
    hostileLog() +
    artifact("before_pre_grad_graph", `${s} = ${img}`, at) +
    artifact("after_post_grad_graph", `${s} = ${img}`, at) +
    record(
      { inductor_output_code: { filename: `/t/${s}.py` }, ...at },
      `# AOT ID: ['${img}']\ndef call(args):\n    ${s}(1)`,
    ) +
    artifact("inductor_provenance_tracking_node_mappings", JSON.stringify(mapping), at, "json") +
    artifact(
      "inductor_provenance_tracking_kernel_stack_traces",
      JSON.stringify({ [s]: [img, 5], l: null, __proto__: 1 }),
      at,
      "json",
    );
  return visit(reportOf("hostile-provenance", log), async (page, { open }) => {
    await open(JIT);
    const held = page.locator(".kernels li button").first();
    await held.waitFor();
    await page.locator("#p0L1").click(gutter);
    await soon(async () => assert.ok((await marked(page, "held")).length >= 2));
    assert.equal(await page.locator("main img").count(), 0);
    assert.equal(
      await page
        .locator("script[src]")
        .evaluateAll((all) => all.filter((script) => !/assets\//.test(script.getAttribute("src"))).length),
      0,
    );
  });
});

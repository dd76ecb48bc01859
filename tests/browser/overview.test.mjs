// What the README of each recorded log asks, the overview answers, without an artifact opened.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, hash, room, visit } from "./lib/browser.mjs";
import { sampleReport } from "./lib/report.mjs";

after(closeBrowser);

/** The overview of a log: how many findings of each severity, and what its text says. */
const TRACES = {
  simple: { error: 0, warning: 0, says: [/1 compile\b/, /1 ✓ ok/, /Nothing stands out/, /FX graph\s+1 miss/, /inference graphs\s+1/] },
  graph_breaks: { error: 1, says: [/18 compiles/, /Call to `?torch\._dynamo\.graph_break/, /loop runs eagerly, Dynamo gave it up: Unsupported/, /graph_breaks\.py:17/, /recompiled 1 time/, /restarts\s+8/, /Set torch\._dynamo\.config\.capture_scalar_outputs/] },
  recompiles: { error: 2, says: [/by_scalar recompiled 8 times, then hit the recompile limit/, /hard_limit recompiled 3 times, then hit/, /k == 0/, /GLOBAL_STATE changed: grad_mode/, /31 compiles/] },
  dynamic_shapes: { error: 2, says: [/ConstraintViolationError/, /UserError/, /L\['x'\]\.size\(\)\[0\] was dynamic, and was fixed to 24/, /A decision was taken with real data: u0 > 4 is True/, /specialisations\s+4/, /2 differences/] },
  errors: { error: 7, says: [/6 ✕ failed/, /<this> & that/, /backward_fails \(backward\) failed/, /suppressed runs eagerly/, /restarts\s+2/, /KeyError/, /TorchRuntimeError/] },
  lowering_error: { error: 1, says: [/f failed to compile: InductorError/, /no lowering for/] },
  training: { error: 0, says: [/6 compiles/, /backward graphs\s+2/, /Call to `?torch\._dynamo\.graph_break/, /training\.py:24/] },
  gpt2: { error: 0, says: [/wrapper recompiled 1 time/, /size mismatch at index 1/, /Dynamo graphs\s+2/, /output codes\s+4/, /provenance mappings/] },
  compiled_autograd: { error: 0, says: [/Unsupported Tensor\.backward\(\) call/, /train recompiled 1 time/, /autograd graphs captured\s+3/] },
  higher_order: { error: 0, warning: 0, says: [/Can't cache HigherOrderOperator: while_loop/, /6 compiles/] },
  "cache/cold": { error: 0, says: [/AOTAutograd cache was bypassed/, /autograd_function_apply/, /FX graph\s+\d+ hit · \d+ miss/] },
  "cache/warm": { error: 0, says: [/FX graph\s+\d+ hit\n/, /AOTAutograd\s+\d+ hit · \d+ bypass/] },
  killed: { error: 0, says: [/1 compile did not finish/, /inner \(1\/0\) began/, /its last artifact is inductor_post_grad_graph/] },
  disk_full: { error: 0, says: [/1 record of the log cannot be read as written/, /1 compile did not finish/] },
  export_errors: { error: 4, says: [/missing fake kernel|does not support running with fake tensors/i, /Data-dependent branching/, /Constraints violated/, /export_errors\.py:11/, /register_fake/] },
  export_ok: { error: 0, says: [/export/i] },
  "draft_export/missing": { error: 1, says: [/Missing fake kernel: draft\.no_fake/] },
  "draft_export/mismatched": { error: 1, says: [/Mismatched fake kernel: draft\.wrong_fake/] },
  provenance_jit: { error: 0, says: [/provenance mappings\s+3/, /2 compiles/] },
};

for (const [name, { error, warning, says }] of Object.entries(TRACES))
  test(`the overview of ${name} answers what its README asks`, () => visit(sampleReport(name), async (page, { open }) => {
    await open("index.html#/");
    await room(page, "Overview");
    const more = page.getByRole("button", { name: /^Show all/ });
    if (await more.count()) await more.first().click();
    const text = await page.locator("#app").innerText();
    for (const fact of says) assert.match(text, fact);
    assert.equal(await page.locator(".finding .s-error").count(), error, "errors");
    if (warning !== undefined) assert.equal(await page.locator(".finding .s-warning").count(), warning, "warnings");
  }));

test("findings are ordered: what fails, what slows every step, what costs compile time", () => visit(sampleReport("graph_breaks"), async (page, { open }) => {
  await open("index.html#/");
  await room(page, "Overview");
  const order = ["fails", "slows every step", "costs compile time", "worth knowing"];
  const severities = await page.locator(".finding .sign").evaluateAll((signs) => signs.map((sign) => ["error", "warning", "note"].indexOf(sign.getAttribute("aria-label"))));
  const impacts = (await page.locator(".finding .impact").allInnerTexts()).map((text) => order.indexOf(text));
  assert.ok(impacts.length > 8 && impacts.every((impact) => impact >= 0));
  for (let i = 1; i < impacts.length; i++)
    assert.ok(severities[i - 1] < severities[i] || (severities[i - 1] === severities[i] && impacts[i - 1] <= impacts[i]), `finding ${i} stands too low`);
}));

test("a graph break shows the user's stack, and a cost what it is made of", () => visit(sampleReport("graph_breaks"), async (page, { open }) => {
  await open("index.html#/");
  await page.locator(".finding .userstack summary").first().click();
  assert.match(await page.locator(".finding .userstack[open] .stacklist").first().innerText(), /graph_breaks\.py:\d+/);
}));

test("the numbers lead to their rooms", () => visit(sampleReport("training"), async (page, { open }) => {
  await open("index.html#/");
  await page.locator("aside dt", { hasText: /^kernels$/ }).locator("+ dd a").click();
  await room(page, "Kernels");
  assert.equal(await hash(page), "#/kernels");
}));

test("one of several ranks says first that they part", () => visit(sampleReport("interleaved"), async (page, { open }) => {
  await open("index.html#/");
  await room(page, "Overview");
  const panel = page.locator(".panel", { hasText: "The ranks part" });
  assert.match(await panel.innerText(), /here the ranks of this log differ/);
  await panel.getByRole("link", { name: "Where they part first" }).click();
  await room(page, "All ranks");
}));

// What the README of each recorded log asks, the overview answers, without an artifact opened. Traces that are no part of the
// project are looked at where they lie beside it, and skipped elsewhere.
import assert from "node:assert/strict";
import { after, test } from "./lib/test.mjs";
import { closeBrowser, hash, room, soon, visit } from "./lib/browser.mjs";
import { fileReport, folderReport, sampleReport, traceReport } from "./lib/report.mjs";

after(closeBrowser);

/** The overview of a log: how many findings of each severity, and what its text says. */
const TRACES = {
  simple: {
    error: 0,
    warning: 0,
    says: [/1 compile\b/, /1 ✓ compiled/, /No issues found/, /FX graph\s+1 miss/, /inference graphs\s+1/],
  },
  graph_breaks: {
    error: 1,
    says: [
      /18 compiles\s+16 ✓ compiled \(7 after a restart\)\s+1 ✕ failed\s+1 ○ empty graph/,
      /202\sms in discarded traces/,
      /Call to `?torch\._dynamo\.graph_break/,
      /loop runs eagerly: torch\.compile detected a graph break in a for\/while loop[^]*GB7000/,
      /73\s*print\(i\)/,
      /36\.1\s+ms\s+discarded traces/,
      /graph_breaks\.py:17/,
      /recompiled once/,
      /restarts\s+8/,
      /Set torch\._dynamo\.config\.capture_scalar_outputs/,
    ],
  },
  recompiles: {
    error: 2,
    says: [
      /by_scalar hit the recompile limit \(8\): calls that fit no version run eagerly/,
      /hard_limit hit the recompile limit \(2\) and raised an error/,
      /k changed 0 → 1 → 2 → 3 … \(7 of 7 recompiles\)\. The limit refused 1 more recompile\./,
      /grad_mode changed True → False \(1 of 2 recompiles\); x\.requires_grad changed False → True \(1 of 2 recompiles\)/,
      /31 compiles/,
    ],
  },
  dynamic_shapes: {
    error: 2,
    says: [
      /Constraints violated \(L\['x'\]/,
      /You marked L\['x'\]\.size\(\)\[0\] as dynamic but your code specialized it/,
      /Data-dependent expression: u0 > 4/,
      /x\.size\(\)\[0\] was dynamic and is specialized to 24/,
      /u0 > 4 was decided with real data: True/,
      /specializations\s+4/,
      /2 differences/,
    ],
  },
  errors: {
    error: 6,
    says: [
      /6 ✕ failed/,
      /All 8/,
      /Backend broken_backend raised RuntimeError: the backend cannot do <this> & that/,
      /The backward of backward_fails does not compile: RuntimeError: no backward today/,
      /suppressed runs eagerly, or raises with fullgraph=True: suppress_errors is on/,
      /ValueError: from the user: α→😀/,
      /RuntimeError: a and b must have same reduction dim/,
      /This is not a limitation of the compiler/,
      /restarts\s+2/,
      /KeyError/,
      /TorchRuntimeError/,
    ],
  },
  lowering_error: {
    error: 1,
    says: [
      /Inductor cannot lower low\.op\.default: TypeError: no lowering for 'low::op' <here>/,
      /torch\.ops\.low\.op\(x\.sin\(\)\)/,
    ],
  },
  training: {
    error: 0,
    says: [
      /6 compiles\s+3 ✓ compiled\s+3 ○ empty graph/,
      /34\.9\ss\s+compile time/,
      /backward\s+5\.75\ss/,
      /38\.8\sms in discarded traces/,
      /backward graphs\s+2/,
      /Call to `?torch\._dynamo\.graph_break/,
      /training\.py:24/,
    ],
  },
  gpt2: {
    error: 0,
    says: [
      /wrapper \(GPT2LMHeadModel\) recompiled once/,
      /kwargs\['input_ids'\]\.size\(\)\[1\] changed 32 → 48/,
      /Dynamo graphs\s+2/,
      /output code\s+4/,
      /provenance mappings/,
    ],
  },
  compiled_autograd: {
    error: 0,
    says: [/Unsupported Tensor\.backward\(\) call/, /train recompiled once/, /autograd graphs\s+3/],
  },
  higher_order: {
    error: 0,
    warning: 0,
    says: [/Can't cache HigherOrderOperator: while_loop/, /6 compiles/],
  },
  "cache/cold": {
    error: 0,
    says: [
      /4 compiles\s+4 ✓ compiled/,
      /19\.9\ss\s+compile time/,
      /backward\s+1\.53\ss/,
      /AOTAutograd cache was bypassed/,
      /autograd_function_apply/,
      /FX graph\s+\d+ hits? · \d+ miss(es)?/,
    ],
  },
  "cache/warm": {
    error: 0,
    says: [/FX graph\s+\d+ hits?\n/, /AOTAutograd\s+\d+ hits? · \d+ bypass(es)?/],
  },
  killed: {
    error: 1,
    says: [
      /Unfinished spans\s+12 spans/,
      /dynamo\s+\?\s*1\/0\s+began 1\.90\ss before the last event/,
      /The log ends during a compile/,
      /The log ends 1\.90 s into \[1\/0\] inner \(external_utils\.py\), inside Scheduler\.__init__ \(fx_codegen_and_compile › GraphLowering\.compile_to_fn › code_gen › GraphLowering\.codegen\)/,
      /1\.90\s+s\s+unfinished/,
    ],
  },
  disk_full: {
    error: 1,
    says: [
      /The log ends 739 ms into \[1\/0\] g, inside fx_codegen_and_compile/,
      /The last record of the log \(line 5233\) is cut off or damaged/,
    ],
  },
  export_errors: {
    error: 4,
    says: [
      /missing fake kernel|does not support running with fake tensors/i,
      /Data-dependent branching/,
      /Constraints violated/,
      /export_errors\.py:11/,
      /register_fake/,
    ],
  },
  export_ok: { error: 0, says: [/export/i] },
  interrupted: {
    error: 1,
    says: [/3 compiles\s+1 ✓ compiled\s+2 ○ interrupted/, /2 compiles were interrupted/],
  },
  "draft_export/missing": {
    error: 1,
    says: [/Missing fake kernel: draft\.no_fake/],
  },
  "draft_export/mismatched": {
    error: 1,
    says: [/Mismatched fake kernel: draft\.wrong_fake/],
  },
  provenance_jit: { error: 0, says: [/provenance mappings\s+3/, /2 compiles/] },
  provenance_aot: {
    error: 0,
    warning: 0,
    says: [
      /1 ○ ops not counted/,
      /26\.1\ss\s+compile time/,
      /AOTInductor called at provenance_aot\.py:27/,
      /No issues found\s+Every compile succeeded, without graph breaks/,
      /dumped graphs\s+2/,
      /provenance mappings\s+1/,
      /size symbols\s+1/,
      /kernels\s+2\b/,
      /no compile id\s+15\srecords/,
    ],
  },
  dtrace: {
    error: 2,
    says: [
      /12 compiles/,
      /ConstraintViolationError/,
      /UserError/,
      /x\.size\(\)\[0\] was dynamic and is specialized to 24/,
      /dynamic_shapes\.py:114 in real/,
      /Dynamo graphs\s+11/,
      /output code\s+3/,
      /specializations\s+4/,
      /size guards\s+15/,
      /guards recompiled once/,
      /backed recompiled once/,
      /u0 > 4 was decided with real data: True/,
    ],
  },
};

/** Logs cut by hand: what is missing, and how far the compiler came. */
const CUT = {
  "truncated/empty.log": [/The log holds no trace records/, /Set TORCH_TRACE=DIR/],
  "truncated/mid_envelope.log": [
    /The log ends 19\.0 s into \[0\/0\] f, inside dynamo\. Its last artifact is dynamo_cpp_guards_str\. The last record of the log \(line 3561\) is cut off/,
    /warnings\s+✕ 1/,
  ],
  "truncated/mid_payload.log": [
    /The log ends during a compile/,
    /Its last artifact is inductor_output_code/,
    /line 1705\) is cut off or damaged/,
  ],
  "truncated/mid_utf8.log": [
    /3 compiles/,
    /BackendCompilerFailed/,
    /Unsupported/,
    /The log ends 3\.1 ms into \[2\/0\] raises/,
    /line 594\) is cut off or damaged/,
  ],
  "truncated/no_head.log": [/The log does not begin with a record/, /output code\s+1/, /1 ✓ compiled/],
};

/** Ranks, and logs that may not be redistributed: those below gpu/ are looked at where they are present. */
const MORE = {
  ddp: [
    /The ranks agree/,
    /2 ranks compiled the same/,
    /Attempted to call function marked as skipped/,
    /Unsupported method call/,
    /ddp\.py:26/,
  ],
  "ddp/rank_0": [
    /5 compiles/,
    /Dynamo graphs\s+1/,
    /DDP subgraphs\s+3/,
    /output code\s+6/,
    /backward graphs\s+3/,
    /restarts\s+3/,
  ],
  fsdp: [
    /The ranks agree/,
    /FSDPBlock\.forward recompiled once|forward \(fsdp\.py\) recompiled once/,
    /x\.requires_grad changed False → True/,
    /Graph break: Call to torch\._dynamo\.disable/,
  ],
  "fsdp/rank_1": [
    /3 compiles/,
    /Dynamo graphs\s+2/,
    /forward graphs\s+2/,
    /backward graphs\s+2/,
    /output code\s+4/,
    /restarts\s+1/,
  ],
  ranks4: [
    /The ranks agree/,
    /4 ranks compiled the same/,
    /✓ Collectives/,
    /✓ Compile ids/,
    /✓ Cache results/,
    /✓ Tensor metadata/,
    /✓ Execution order/,
    /✓ Configuration/,
  ],
  resnet: [
    /1 compile\b/,
    /1 ✓ compiled/,
    /largest graph\s+89 ops, 123 inputs,\s62 parameters of 46\.8\sMB/,
    /forward graphs\s+1/,
    /backward graphs\s+1/,
    /output code\s+2/,
    /No issues found/,
  ],
  "gpu/multi_rank_runtime": [
    /The logs of ranks 5 and 6 are from another job: recorded 11 days after the others\./,
    /The logs of ranks 1–4 are copies of one log/,
    /The log of rank 5 has records of rank 1/,
    /5 ranks compiled the same functions/,
    /Ranks 0–4: 19 malformed records/,
  ],
  "gpu/multi_rank_runtime/rank_5": [
    /Rank not compared\s+This log is from another job than the compared logs\. The report compares 5 other logs\./,
  ],
  "gpu/vllm_sample.log": [/2 pieces for 2 ranges and sizes/, /range \[1, 16384\]/, /size 8/, /Llama-3\.1-8B/],
  "gpu/cache_hit_miss.log": [
    /FX graph\s+1 hit · 2 misses/,
    /AOTAutograd\s+3 bypasses/,
    /Unsupported call_function target flex_attention/,
    /8\.30\ss\s+compile time/,
  ],
  "gpu/comp_failure.log": [/BackendCompilerFailed/, /broken backend/, /test_misc\.py:10755/],
  "gpu/export_guard_added.log": [/1 guard evaluated/, /Guard evaluated: Eq\(s0, 3\)/, /1 exported program/],
  "gpu/links.log": [/forward graphs\s+1/, /5\.75\ss\s+compile time/],
  "gpu/artifacts.log": [/8\.90\ss\s+compile time/, /No issues found/],
  "gpu/inductor_provenance_jit_cuda_log.txt": [/provenance mappings\s+1/, /kernels\s+3\b/, /triton\s+3\.2\.0/],
  "gpu/inductor_provenance_aot_cuda_log.txt": [/provenance mappings\s+1/, /kernels\s+3\b/, /dumped graphs\s+2/],
};

/** All that the first page says, with no list cut. */
async function said(page) {
  await page.locator("main h1").first().waitFor();
  const more = page.getByRole("button", { name: /^Show all/ });
  if (await more.count()) await more.first().click();
  return page.locator("#app").innerText();
}

/** The first page says all of it, once what it loads is there. */
const tells = (page, facts) =>
  soon(async () => {
    const text = await said(page);
    for (const fact of facts) assert.match(text, fact);
  });

for (const [path, says] of Object.entries(CUT))
  test(`the overview of ${path} says what is missing`, () =>
    visit(fileReport(path), async (page, { open }) => {
      await open("index.html#/");
      await tells(page, says);
    }));

for (const [path, says] of Object.entries(MORE)) {
  const [, trace, rank] = /^(.*?)(?:\/(rank_\d+))?$/.exec(path);
  test(`the first page of ${path} answers what its README asks`, async (context) => {
    const report = trace.startsWith("gpu/") ? traceReport(trace) : folderReport(trace);
    if (!report) return context.skip(`${trace} may not be redistributed, and is absent`);
    await visit(report, async (page, { open }) => {
      await open(rank ? `${rank}/index.html` : "index.html");
      if (rank) await page.locator(".panel", { hasText: "Artifacts" }).first().waitFor();
      if (/multi_rank.*rank_/.test(path)) await page.locator(".rank-place").waitFor();
      await tells(page, says);
    });
  });
}

test("the first page of vllm_like: four groups of three pieces", () =>
  visit(sampleReport("vllm_like"), async (page, { open }) => {
    await open("index.html");
    await tells(page, [
      /3 pieces for 4 ranges and sizes/,
      /range \[1, 64\]\s+3 pieces/,
      /range \[65, 2048\]\s+3 pieces/,
      /size 1\s+3 pieces/,
      /size 4\s+3 pieces/,
      /cache hit/,
    ]);
  }));

test("the first page of ranks2_sizes: tensors differ, nothing that hangs does", () =>
  visit(folderReport("ranks2_sizes"), async (page, { open }) => {
    await open("index.html");
    await tells(page, [
      /Rank divergence: 1 root cause/,
      /Rank 0 and rank 1 compile g with different input sizes\s+ranks2_sizes\.py:16 in g/,
      /✓ Collectives/,
      /✓ Compile ids/,
      /different tensor metadata in g/,
      /\[8,64\]/,
      /\[1024,64\]/,
    ]);
  }));

for (const [name, { error, warning, says }] of Object.entries(TRACES))
  test(`the overview of ${name} answers what its README asks`, () =>
    visit(sampleReport(name), async (page, { open }) => {
      await open("index.html#/");
      await room(page, "Overview");
      const more = page.getByRole("button", { name: /^Show all/ });
      if (await more.count()) await more.first().click();
      const text = await page.locator("#app").innerText();
      for (const fact of says) assert.match(text, fact);
      assert.equal(await page.locator(".finding .s-error").count(), error, "errors");
      if (warning !== undefined) assert.equal(await page.locator(".finding .s-warning").count(), warning, "warnings");
    }));

test("findings are ordered: what fails, what slows every step, what costs compile time", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/");
    await room(page, "Overview");
    const order = ["stops", "every_step", "compile_time", "information"];
    const severities = await page
      .locator(".finding .sign")
      .evaluateAll((signs) =>
        signs.map((sign) => ["error", "warning", "note"].indexOf(sign.getAttribute("aria-label"))),
      );
    const impacts = (
      await page.locator(".finding").evaluateAll((items) => items.map((item) => item.dataset.impact))
    ).map((name) => order.indexOf(name));
    assert.ok(impacts.length > 8 && impacts.every((impact) => impact >= 0));
    for (let i = 1; i < impacts.length; i++)
      assert.ok(
        severities[i - 1] < severities[i] || (severities[i - 1] === severities[i] && impacts[i - 1] <= impacts[i]),
        `finding ${i} stands too low`,
      );
  }));

test("a time says what it is, and an impact never stands next to it", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/");
    const costs = await page.locator(".finding .cost:has(b)").allInnerTexts();
    assert.ok(costs.length > 5);
    for (const cost of costs) assert.match(cost, /compile time|discarded traces|run time|saved|unfinished/);
    assert.doesNotMatch(await page.locator("#app").innerText(), /slows every step/);
  }));

test("breaks of libraries are marked, with the line of the user's that led there", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/");
    const found = page.locator('.finding[data-kind="graph_break"]').first();
    assert.match(
      await found.innerText(),
      /optimizer\.py:78 in _use_grad\s+in a library\s+called from\s+training\.py:24 in update/,
    );
    // No fix in code that is not the user's.
    const said = await found.locator(".advice").innerText();
    assert.match(said, /^Note: The library breaks the graph here on purpose\./);
  }));

test("a graph break shows the user's stack, and a cost what it is made of", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/");
    await page.locator(".finding .userstack summary").first().click();
    assert.match(
      await page.locator(".finding .userstack[open] .stacklist").first().innerText(),
      /graph_breaks\.py:\d+/,
    );
  }));

test("the numbers lead to their rooms", () =>
  visit(sampleReport("training"), async (page, { open }) => {
    await open("index.html#/");
    await page
      .locator("aside dt", { hasText: /^kernels$/ })
      .locator("+ dd a")
      .click();
    await room(page, "Kernels");
    assert.equal(await hash(page), "#/kernels");
  }));

test("one of several ranks says first that they part", () =>
  visit(sampleReport("interleaved"), async (page, { open }) => {
    await open("index.html#/");
    await room(page, "Overview");
    const causes = page.locator(".panel", { hasText: "Rank divergence" });
    assert.match(await causes.innerText(), /1 cause\s+Ranks trace different operations at interleaved\.py:32/);
    assert.ok(
      await causes.evaluate(
        (node) =>
          node.compareDocumentPosition(
            [...document.querySelectorAll(".panel")].find((p) => /^Issues/.test(p.innerText)),
          ) & Node.DOCUMENT_POSITION_FOLLOWING,
      ),
      "the ranks come before the findings",
    );
    await causes.getByRole("link", { name: "All ranks" }).click();
    await room(page, "All ranks");
  }));

test("on a phone the causes of failures are read in full", () =>
  visit(sampleReport("errors"), { viewport: { width: 400, height: 844 } }, async (page, { open }) => {
    await open("index.html");
    const panel = page.locator(".panel", {
      has: page.locator("h2", { hasText: "Failures and restarts" }),
    });
    await panel.getByText("BackendCompilerFailed").first().waitFor();
    const cut = await panel
      .locator("td")
      .evaluateAll((all) =>
        all.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
      );
    assert.deepEqual(cut, []);
  }));

test("issues can be limited to a kind, sorted and grouped, and the address keeps that", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html");
    const issues = page.locator(".panel", {
      has: page.locator("h2", { hasText: /^Issues/ }),
    });
    const kinds = () => issues.locator("article.finding").evaluateAll((all) => all.map((one) => one.dataset.kind));
    await issues.locator("article.finding").first().waitFor();
    const all = await kinds();
    assert.ok(new Set(all).size > 1);
    await issues.getByRole("button", { name: /^recompile \d/ }).click();
    await soon(async () => assert.deepEqual([...new Set(await kinds())], ["recompile"]));
    assert.match(await hash(page), /kind=recompile/);
    await issues.getByRole("button", { name: /^recompile \d/ }).click();
    await soon(async () => assert.deepEqual(await kinds(), all));
    await issues.getByLabel("Group by").selectOption("kind");
    await soon(async () => assert.ok((await issues.locator(".issues-group").count()) > 1));
    await issues.getByLabel("Sort by").selectOption("time");
    await soon(async () => assert.match(await hash(page), /sort=time/));
    await page.reload();
    await soon(async () => assert.ok((await issues.locator(".issues-group").count()) > 1));
  }));

test("the legend of phases leads to the spans of a phase", () =>
  visit(sampleReport("simple"), async (page, { open }) => {
    await open("index.html");
    await page.locator(".legend").getByRole("link", { name: "Dynamo" }).click();
    await room(page, "Timeline");
    await soon(async () => assert.match(await hash(page), /q=phase(:|%3A)dynamo/));
    await page.getByText(/^[1-9]\d* found$/).waitFor();
  }));

test("the overview says what to change first, and the page of compile time explains it", () =>
  visit(sampleReport("gpt2"), async (page, { open }) => {
    await open("index.html");
    await page.getByText("First:").waitFor();
    await page.getByRole("link", { name: "Compile time explained" }).click();
    await room(page, "Compile time");
    const parts = page.locator(".panel", {
      has: page.locator("h2", { hasText: /^Parts/ }),
    });
    await parts.getByText("C++ kernels").first().waitFor();
    const shares = await parts
      .locator(".bar")
      .evaluateAll((bars) => bars.map((bar) => bar.firstElementChild.clientWidth / bar.clientWidth));
    assert.ok(shares[0] > 0.5 && shares[0] < 0.7, `the longest part is 41 of 69 s, not ${shares[0]}`);
    assert.ok(shares.slice(1).every((share) => share < shares[0]));
  }));

test("without anything to change, the overview says where most of the time goes", () =>
  visit(fileReport("cache/warm/dedicated_log_torch_trace_jkqsv_0u.log.zst"), async (page, { open }) => {
    await open("index.html");
    const line = page.locator("p.first");
    await line.getByText("Most of the time:").waitFor();
    assert.match(await line.innerText(), /hashes for cache keys 532\sms, tracing and other work of Dynamo/);
    assert.equal(await line.getByText("First:").count(), 0);
    await page.goto(`${page.url().split("#")[0]}#/time`);
    await page.getByText("What is left: Dynamo traces each frame").waitFor();
    await page.getByRole("link", { name: "Guards", exact: true }).click();
    await room(page, "Timeline");
    await page.getByText(/^[1-9]\d* found$/).waitFor();
  }));

test("bars of compile time have one length, and the compiles that are not listed are counted once", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html#/time");
    const bars = page.locator(".time-line .bar");
    await bars.first().waitFor();
    const widths = await bars.evaluateAll((all) => all.map((bar) => Math.round(bar.getBoundingClientRect().width)));
    assert.ok(Math.max(...widths) - Math.min(...widths) <= 2, `${widths}`);
    for (const line of await page.locator(".time-line").allInnerTexts())
      assert.ok((line.match(/\bmore\b/g) ?? []).length <= 1, line);
  }));

test("the overview says which functions are not compiled, and why", () =>
  visit(sampleReport("graph_breaks"), async (page, { open }) => {
    await open("index.html");
    const functions = page.locator(".coverage");
    await functions.waitFor();
    assert.match(await functions.innerText(), /^8 functions\s+7 ◐ partly compiled\s+1 ✕ not compiled/);
    await functions.getByText("8 functions not compiled as a whole").click();
    const first = functions.locator("details p").first();
    assert.match(await first.innerText(), /^not compiled: loop graph_breaks\.py:69, Failed to trace builtin operator/);
    await first.getByRole("link", { name: "Failed to trace builtin operator" }).click();
    await room(page, "Graph breaks");
  }));

test("a long setting in a fix has a button that copies it", () =>
  visit(
    fileReport("../corpus/views_of_keys"),
    { permissions: ["clipboard-read", "clipboard-write"] },
    async (page, { open }) => {
      await open("index.html");
      await page.locator(".advice button", { hasText: "Copy" }).first().click();
      await page.locator(".advice button", { hasText: "Copied" }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(copied, /^TORCH_COMPILE_DYNAMIC_SOURCES="dict\.[^"]*"$/);
    },
  ));

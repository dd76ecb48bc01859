// Writes logs as PyTorch does: a prefix, an envelope of JSON, and lines of payload behind a tab.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const PREFIX = "V1121 15:18:15.925000 1500233 torch/_dynamo/utils.py:10] ";
export const id = (frame, n = 0, attempt = 0) => ({ frame_id: frame, frame_compile_id: n, attempt });

export function record(envelope, payload) {
  if (payload === undefined) return `${PREFIX}${JSON.stringify(envelope)}\n`;
  const md5 = createHash("md5").update(payload).digest("hex");
  return `${PREFIX}${JSON.stringify({ ...envelope, has_payload: md5 })}\n${payload
    .split("\n")
    .map((line) => `\t${line}\n`)
    .join("")}`;
}

export const artifact = (name, text, at = id(0), encoding = "string") =>
  record({ artifact: { name, encoding }, ...at }, text);

export function start(at, frames = [{ line: 1, name: "f", filename: 0 }]) {
  return record({ dynamo_start: { stack: frames }, ...at });
}

export function metrics(at, more = {}) {
  return record({
    compilation_metrics: {
      co_name: "f",
      co_filename: "/home/user/a.py",
      co_firstlineno: 1,
      graph_op_count: 3,
      duration_us: 1000,
      ...more,
    },
    ...at,
  });
}

export const intern = (text, n) => record({ str: [text, n] });

/** Text in every place of a log that reaches the page: markup, scripts, links. */
export function hostileLog() {
  const s = "<script>alert(1)</script>";
  const img = "</pre><img src=x onerror=alert(1)>";
  const at = id(0);
  return [
    intern(`${s}.py`, 0),
    start(at, [{ line: 1, name: s, filename: 0, loc: img }]),
    record({ dynamo_output_graph: {}, ...at }, `${img}\n${s}`),
    artifact(`${s}<!--`, `</script>${s}`),
    artifact(
      "dynamo_graph_break_reason",
      `Graph break in user code at ${s}.py:3\nGraph Break Reason: ${img}\n  Explanation: ${s}\n  Hint: ${img}\n For more details about this graph break, please visit: javascript:alert(1)\nUser code traceback:\n  File "${s}.py", line 3, in ${s}\n    ${img}\n`,
    ),
    artifact("recompile_reasons", JSON.stringify([`0/0: ${img}`, s]), id(0, 1), "json"),
    artifact("plain", "\u202e\u0000\u0007 \x1b[31mred", at),
    record({ dynamo_guards: {}, ...at }, JSON.stringify([{ code: `</script>${s}` }])),
    record({ inductor_output_code: { filename: `/t/${s}.py` }, ...at }, `${img}\nprint("${s}")`),
    record({ dump_file: { name: "<eval_with_key>.7" }, ...at }, `</pre>${s}`),
    record({ link: { name: "runs code", url: "javascript:alert(1)" }, ...at }),
    record({ link: { name: "data", url: "data:text/html,<script>alert(1)</script>" }, ...at }),
    record({ link: { name: "good", url: "https://example.org/x?a=1" }, ...at }),
    metrics(at, {
      fail_type: s,
      fail_reason: `</script>${s}${img}`,
      restart_reasons: [img],
      co_name: s,
      co_filename: `${s}.py`,
      new_field: img,
    }),
    start(id(0, 1), [{ line: 1, name: s, filename: 0 }]),
    metrics(id(0, 1), { co_name: img }),
  ].join("");
}

/** n compile ids in n/5 frames; every 50th fails. */
export function manyLog(n) {
  const parts = [intern("/home/user/model.py", 0), intern("/home/user/train.py", 1)];
  for (let i = 0; i < n; i++) {
    const frame = Math.floor(i / 5);
    const at = id(frame, i % 5);
    parts.push(
      start(at, [
        { line: 10, name: "main", filename: 1 },
        { line: 20 + (frame % 40), name: `layer_${frame % 40}`, filename: 0 },
        { line: 100 + frame, name: `fn_${frame}`, filename: 0 },
      ]),
    );
    if (i % 5)
      parts.push(artifact("recompile_reasons", JSON.stringify([`${frame}/0: L['n'] == ${i % 5}`]), at, "json"));
    parts.push(record({ dynamo_output_graph: {}, ...at }, `class GraphModule:\n    pass  # ${i}`));
    parts.push(
      metrics(at, {
        co_name: `fn_${frame}`,
        co_filename: "/home/user/model.py",
        co_firstlineno: 100 + frame,
        duration_us: 1000 + ((i * 7919) % 100_000),
        guard_count: i % 97,
        ...(i % 50 === 49 ? { fail_type: "Unsupported", fail_reason: `reason ${i}` } : {}),
      }),
    );
  }
  return parts.join("");
}

/** A compile of `layers` layers with seven modules each, in a list. Layers whose numbers differ by 100 are equal. Without `guards`, the log
 *  has names and sizes of parameters only. */
export function modulesLog(layers, { guards = true } = {}) {
  const sourceOf = (path) => `L['self']${path.map((name) => `._modules['${name}']`).join("")}`;
  const parts = [intern("/home/user/model.py", 0), start(id(0), [{ line: 1, name: "forward", filename: 0 }])];
  const [tree, inputs, ops] = [["", "TREE_GUARD_MANAGER:", "+- RootGuardManager"], [], []];
  const add = (path, type) => {
    const depth = "| ".repeat(path.length + 1);
    const of = `type=<class '${type}'>`;
    tree.push(`${depth}+- GuardManager: source=${sourceOf(path)}, accessed_by=DictGetItemGuardAccessor('x'), ${of}`);
    tree.push(`${depth}| +- TYPE_MATCH: ___check_type_id(${sourceOf(path)}, 94731925130352), ${of}`);
  };
  const linear = (path, rows) => {
    const n = inputs.length;
    const tensor = { id: n, ndim: 2, dtype: "torch.float32", size: [rows, 8], is_parameter: true, stride: [8, 1] };
    const source = `${sourceOf(path)}._parameters['weight']`;
    parts.push(record({ describe_tensor: { ...tensor, describer_id: 0 }, ...id(0) }));
    parts.push(record({ describe_source: { describer_id: 0, id: n, source }, ...id(0) }));
    const name = `_self_modules_${path.join("_modules_")}_parameters_weight_`;
    inputs.push(`L${name}: "f32[${rows}, 8][8, 1]cpu"`);
    ops.push(`        l${name} = L${name}`);
    ops.push(`        # File: /home/user/model.py:${2 + (n % 4)} in forward, code: x = self.${path.at(-1)}(x)`);
    ops.push(`        linear_${n}: "f32[8, 8][8, 1]cpu" = torch._C._nn.linear(l_x_, l${name}, None)`);
  };
  add([], "model.Net");
  add(["h"], "torch.nn.modules.container.ModuleList");
  for (let i = 0; i < layers; i++) {
    const at = ["h", `${i}`];
    add(at, "model.Block");
    add([...at, "attn"], "model.Attention");
    for (const name of ["attn.q", "attn.k", "attn.v", "fc"]) {
      add([...at, ...name.split(".")], "torch.nn.modules.linear.Linear");
      linear([...at, ...name.split(".")], 8 + (i % 100));
    }
    add([...at, "act"], "torch.nn.modules.activation.ReLU");
  }
  const graph = [
    "class GraphModule(torch.nn.Module):",
    `    def forward(self, L_x_: "f32[8, 8][8, 1]cpu", ${inputs.join(", ")}):`,
    "        l_x_ = L_x_",
    ...ops,
    "        return (linear_0,)",
  ].join("\n");
  parts.push(record({ dynamo_output_graph: {}, ...id(0) }, graph));
  if (guards) parts.push(record({ dynamo_cpp_guards_str: {}, ...id(0) }, tree.join("\n")));
  parts.push(metrics(id(0), { co_name: "forward", co_filename: "/home/user/model.py", graph_op_count: inputs.length }));
  return parts.join("");
}

/** One compile with an artifact of about `bytes` of Python, one with a line of 3 MB, and code of 2 MB. */
export function bigLog(bytes) {
  const line = (i) =>
    `    mul_${i}: "f32[s77, 8]" = torch.ops.aten.mul.Tensor(arg_${i}, ${i});  arg_${i} = None  # number ${i}`;
  const lines = (size) => Array.from({ length: Math.ceil(size / 90) }, (_, i) => line(i)).join("\n");
  return [
    intern("/home/user/big.py", 0),
    start(id(0)),
    record({ aot_joint_graph: {}, ...id(0) }, `def forward(self):\n${lines(bytes)}\n# the end`),
    artifact("one_line", `[${"123456789, ".repeat(300_000)}0]`, id(0), "string"),
    record(
      { inductor_output_code: { filename: "/tmp/code.py" }, ...id(0) },
      `def call(args):\n${lines(2_000_000)}\n# the end`,
    ),
    metrics(id(0)),
  ].join("");
}

/** One compile with 200,000 spans in its timeline: 20,000 that hold nine each. */
export function manySpansLog() {
  const start = Date.UTC(2026, 10, 21, 15, 18, 15) * 1000;
  const parts = [];
  const event = (ph, name, ts) =>
    parts.push(
      record(
        { chromium_event: {}, ...id(0) },
        `{"name":"${name}","ph":"${ph}","ts":${start + ts},"pid":0,"tid":0,"args":{"compile_id":"0/0"}}`,
      ),
    );
  for (let i = 0; i < 20_000; i++) {
    event("B", `outer_${i % 50}`, i * 100);
    for (let k = 0; k < 9; k++) {
      event("B", `inner_${k}`, i * 100 + k * 10);
      event("E", `inner_${k}`, i * 100 + k * 10 + 9);
    }
    event("E", `outer_${i % 50}`, i * 100 + 95);
  }
  return parts.join("");
}

/** Two compiles of a frame with graphs of 5 MB, which differ in 70 lines. */
export function twoGraphsLog() {
  const graph = (extra) =>
    Array.from(
      { length: 70_000 },
      (_, i) => `    add_${i}: "f32[4, ${i % 97}]" = torch.ops.aten.add.Tensor(mul_${i}, ${extra(i)})`,
    ).join("\n");
  return (
    record(
      { dynamo_output_graph: {}, ...id(0) },
      graph(() => 1),
    ) +
    record(
      { dynamo_output_graph: {}, ...id(0, 1) },
      graph((i) => (i % 1000 ? 1 : 2)),
    )
  );
}

/** Three compiles of a frame: the first two graphs differ in a text that looks like markup, the third one only in a name. */
export function hostileGraphsLog() {
  const graph = (text, name = "y") => `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4][1]cpu"):
        ${name}: "f32[4][1]cpu" = torch.f(L_x_, "${text}")
        return (${name},)`;
  const markup = "<img src=x onerror=alert(1)>";
  return [
    record({ dynamo_output_graph: {}, ...id(0) }, graph("plain")),
    record({ dynamo_output_graph: {}, ...id(0, 1) }, graph(markup)),
    record({ dynamo_output_graph: {}, ...id(0, 2) }, graph(markup, "z")),
  ].join("");
}

/** The logs of 300 ranks of 100 ids, into an empty folder: rank 77 stopped early, rank 50 compiled another function. */
export function manyRanksLogs(folder) {
  for (let rank = 0; rank < 300; rank++) {
    let text = "";
    for (let i = 0; i < (rank === 77 ? 60 : 100); i++) {
      const head = `V1121 00:19:38.7${String(i).padStart(5, "0")} ${4000 + rank} torch/x.py:1] `;
      text += `${head}{"dynamo_start": {}, "rank": ${rank}, "frame_id": ${i}, "frame_compile_id": 0, "attempt": 0}\n`;
      text += `${head}{"compilation_metrics": {"co_name": "f${rank === 50 ? i + 1 : i}", "co_filename": "/a.py", "co_firstlineno": ${i}, "duration_us": ${1000 + i * 997}}, "rank": ${rank}, "frame_id": ${i}, "frame_compile_id": 0, "attempt": 0}\n`;
    }
    writeFileSync(join(folder, `dedicated_log_torch_trace_rank_${rank}_x.log`), text);
  }
}

/** Compiles of a file of source with `count` lines, `most` in each: each line has a node in both graphs, every tenth a kernel. */
export function linesLog(count, most = 5000) {
  const parts = [intern("/home/user/long.py", 0)];
  for (let first = 1, frame = 0; first <= count; first += most, frame++)
    parts.push(linesCompile(id(frame), first, Math.min(count, first + most - 1)));
  return parts.join("");
}

function linesCompile(at, first, last) {
  const lines = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const tens = lines.filter((n) => n % 10 === 0);
  const comment = (n) => `        # File: /home/user/long.py:${n} in f${first}, code: x${n} = x${n - 1} + ${n}`;
  const graph = (name, op) =>
    [
      `class ${name}(torch.nn.Module):`,
      `    def forward(self, x${first - 1}: "f32[4][1]cpu"):`,
      ...lines.flatMap((n) => [comment(n), `        x${n}: "f32[4][1]cpu" = ${op(n)}`, ""]),
      `        return (x${last},)`,
    ].join("\n");
  const nodes = (n) => `# Topologically Sorted Source Nodes: [x${n}], Original ATen: [aten.add]`;
  const kernel = (n) => [
    nodes(n),
    `cpp_fused_add_${n} = async_compile.cpp_pybinding(['float*'], r'''`,
    'extern "C" void kernel(float* out_ptr0) {}',
    "''')",
  ];
  const code = [
    "# AOT ID: ['0_inference']",
    ...tens.flatMap(kernel),
    "def call(args):",
    ...tens.flatMap((n) => [`    ${nodes(n)}`, `    cpp_fused_add_${n}(buf${n})`]),
  ].join("\n");
  return [
    start(at, [{ line: first, name: `f${first}`, filename: 0 }]),
    record(
      { dynamo_output_graph: {}, ...at },
      graph("GraphModule", (n) => `x${n - 1} + ${n}`),
    ),
    artifact(
      "inductor_post_grad_graph",
      graph("<lambda>", (n) => `torch.ops.aten.add.Tensor(x${n - 1}, ${n})`),
      at,
    ),
    record({ inductor_output_code: { filename: "/tmp/code.py" }, ...at }, code),
    metrics(at, { co_name: `f${first}`, co_filename: "/home/user/long.py", co_firstlineno: first }),
  ].join("");
}

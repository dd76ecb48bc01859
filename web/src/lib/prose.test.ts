import { describe, expect, it } from "vitest";
import { blocks, pieces } from "./prose";

const code = (text: string): string[] => pieces(text).flatMap(([kind, said]) => (kind === "code" ? [said] : []));
const plain = (text: string): string =>
  pieces(text)
    .map(([, said]) => said)
    .join("");

describe("code in prose", () => {
  it.each<[string, string[]]>([
    [
      'Make it a buffer (`self.register_buffer("n", torch.tensor(…))`), or set `torch._dynamo.config.x = True`.',
      ['self.register_buffer("n", torch.tensor(…))', "torch._dynamo.config.x = True"],
    ],
    ['Make it a buffer (self.register_buffer("n", torch.tensor(1))).', ['self.register_buffer("n", torch.tensor(1))']],
    [
      "Dynamo does not know how to trace builtin operator `print` with argument types ['str'] (has_kwargs False)",
      ["print", "['str']", "has_kwargs False"],
    ],
    ["argument types ['str', 'int']", ["['str', 'int']"]],
    ["a and b must have same reduction dim, but got [3, 4] X [3, 4].", ["[3, 4]", "[3, 4]"]],
    [
      "Failed: call_function <built-in function matmul>(*(FakeTensor(..., size=(3, 4)), FakeTensor(..., size=(3, 4))), **{}): got RuntimeError('a and b (1)')",
      [
        "call_function",
        "<built-in function matmul>(*(FakeTensor(..., size=(3, 4)), FakeTensor(..., size=(3, 4))), **{})",
        "RuntimeError",
      ],
    ],
    [
      "does not support tracing `Tensor.item()` with config.capture_scalar_outputs=False.",
      ["Tensor.item()", "config.capture_scalar_outputs=False"],
    ],
    [
      "Unsupported Tensor.item() call with capture_scalar_outputs=False",
      ["Tensor.item()", "capture_scalar_outputs=False"],
    ],
    ["Skip calling `torch.compiler.disable()`d function", ["torch.compiler.disable()"]],
    [
      "Operations like torch.clamp, torch.nan_to_num, and torch.where are no-ops.",
      ["torch.clamp", "torch.nan_to_num", "torch.where"],
    ],
    ["To monitor recompilations, enable TORCH_LOGS=recompiles. If", ["TORCH_LOGS=recompiles"]],
    [
      "set TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']:0,L['x']:1\".",
      ["TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']:0,L['x']:1\""],
    ],
    ["cpu device (arg0_1)", ["arg0_1"]],
    ["L['opts']['bias'].size()[0] was dynamic", ["L['opts']['bias'].size()[0]"]],
    ["G['SCALE'] changed", ["G['SCALE']"]],
    ["The guard L['n'] == 3 failed", ["L['n'] == 3"]],
    ['Assertion fails: x.shape[0] == 4, "expected four rows"', ["x.shape[0] == 4"]],
    ["ValueError: from the user", ["ValueError"]],
    ["TypeError: unsupported operand type(s) for +: 'FakeTensor' and 'NoneType'", ["TypeError"]],
    ["<function opaque at 0x7f29> was skipped", ["<function opaque at 0x7f29>"]],
    ["a Python builtin (e.g. _warnings.warn) or", ["_warnings.warn"]],
    ["as with fullgraph=True", ["fullgraph=True"]],
    ["torch._dynamo.config.x = True.", ["torch._dynamo.config.x = True"]],
    ["failed to compile ahead of backward()", ["backward()"]],
    ["raised at /usr/lib/python3/x.py:12, see model.py:3", ["/usr/lib/python3/x.py:12", "model.py:3"]],
    ["Call it with `a` and ``b c``.", ["a", "b c"]],
    ["set torch._dynamo.config.recompile_limit to 9", ["torch._dynamo.config.recompile_limit"]],
    ["Unsupported call_function target autograd_function_apply.", ["call_function", "autograd_function_apply"]],
  ])("%s", (text, expected) => {
    expect(code(text)).toEqual(expected);
  });

  it.each([
    "Dynamo found no exception handler at the top-level compiled function when encountering an exception.",
    "Attempted to graph break in an active context manager(s) that doesn't support graph breaking (GB0066).",
    "e.g. clamping inf/nan values, i.e. always apply the transform; see the docs (below).",
    "Your code may result in an error when running in eager. Please double check that your code doesn't.",
    "This graph break is fundamental - it is unlikely that Dynamo will ever trace through your code.",
    "A sentence ends here.The next one begins at once, with forward/backward and input/output.",
    "PyTorch 2.15.0, Python 3.11/3.12 and CUDA 13.2 took 18.3 s, of which 16.2 s in code.",
    "[0/1] was compiled 3 times (1 of 2 recompiles); 3 more causes [1].",
    "AOTAutograd, FakeTensor and TorchDynamo are names. Error and Exception are words.",
    "The function(s), the class(es) and the librar(ies) of the operator.",
    "User-inserted graph break. Message: None",
    "It's the user's; don't 'quote' me.",
    "3 < 4 and 5 > 2, and a = b is not set",
    "Is 1 == 1? Yes.",
    "mutated inputs (1 instances)",
  ])("no code: %s", (text) => {
    expect(code(text)).toEqual([]);
    expect(plain(text)).toBe(text);
  });

  it("makes links of addresses only", () => {
    const text = "See https://docs.pytorch.org/a_b/c.html for more (https://x.org/d). Not javascript:alert(1).";
    expect(pieces(text).filter(([kind]) => kind === "link")).toEqual([
      ["link", "https://docs.pytorch.org/a_b/c.html"],
      ["link", "https://x.org/d"],
    ]);
  });

  it("ends on long text without an end", () => {
    for (const text of [
      "f(".repeat(50_000),
      "a.".repeat(50_000),
      "[1, ".repeat(50_000),
      "a_".repeat(50_000),
      "`".repeat(100_001),
    ])
      expect(plain(text).length).toBeGreaterThan(0);
  });
});

describe("blocks", () => {
  it("sets lines of tracebacks and graphs as code", () => {
    expect(
      blocks(
        'Detected branching.\n\n      The condition involves a tensor computed as follows:\n        # File "/home/me/a.py", line 17, in f, code: if x.sum() > 0:\n        gt = gt(sum_1, 0)\n    ',
      ),
    ).toEqual([
      ["text", "Detected branching.\n\nThe condition involves a tensor computed as follows:"],
      ["code", '# File "/home/me/a.py", line 17, in f, code: if x.sum() > 0:\ngt = gt(sum_1, 0)'],
    ]);
  });
  it("keeps the indentation of a traceback", () => {
    expect(
      blocks('It raised:\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: no'),
    ).toEqual([
      ["text", "It raised:"],
      ["code", 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()'],
      ["text", "ValueError: no"],
    ]);
  });
  it("leaves prose as it is", () => {
    expect(blocks("one\ntwo\n")).toEqual([["text", "one\ntwo"]]);
  });
});

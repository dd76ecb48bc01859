import { expect, it } from "vitest";
import { causeOf, changeText, evidenceText, expectation, isRefused } from "../src/store/recompiles";
import { why } from "../src/store/why";
import type { Compile, GuardChange, Recompile, RecompileAdvice, Report } from "../src/store/report";

const change = (more: Partial<GuardChange>): GuardChange => ({
  guard: "k == 0",
  guard_type: "value",
  source: "k",
  had: null,
  has: null,
  symbol: null,
  differs: null,
  ...more,
});

it("says in words what changed", () => {
  expect(changeText(change({ had: "0", has: "1" }))).toBe("k: 0 → 1");
  expect(changeText(change({ had: "0" }))).toBe("k: 0 → not in the log");
  expect(changeText(change({}))).toBe("k changed");
  expect(changeText(change({ source: null }))).toBe("k == 0 changed");
  expect(changeText(change({ guard_type: "size", source: "x.size()[0]", had: "4", has: "8", symbol: "s77" }))).toBe(
    "x.size()[0]: 4 → 8, now dynamic (s77)",
  );
  expect(
    changeText(change({ guard_type: "relation", source: "6 <= x.size()[0]", had: "True", has: "x.size()[0] = 3" })),
  ).toBe("6 <= x.size()[0] fails: x.size()[0] = 3");
  expect(changeText(change({ guard_type: "divisibility", source: "n % 8 == 0", had: "True", has: "False" }))).toBe(
    "n % 8 == 0 fails",
  );
  expect(
    changeText(
      change({
        guard_type: "dispatch_key",
        source: "keys",
        had: "CPU, AutogradCPU",
        has: "CPU, AutocastCPU",
        differs: "−AutogradCPU +AutocastCPU",
      }),
    ),
  ).toBe("keys: −AutogradCPU +AutocastCPU");
});

const item = {
  causes: [
    { guard_type: "value", subject: "n" },
    { guard_type: "module_mode", subject: "self.training" },
  ],
  advice: [
    {
      guard_type: "module_mode",
      text: "One version for training and one for evaluation are expected.",
      expected: true,
      evidence: [{ record: "recompile_reasons", compile: "0/1", says: null }],
      more_evidence: 0,
    },
    { guard_type: "value", text: "Nothing.", expected: false, evidence: [], more_evidence: 0 },
  ],
} as unknown as Recompile;

it("finds the cause of a step, and why it is no fault", () => {
  const step = (first?: GuardChange) => ({
    compile: "0/1",
    from: "0/0",
    nearest: "0/0",
    changes: first ? [first] : [],
    more_changes: 0,
    reasons: [],
    more_reasons: 0,
    sizes: [],
  });
  expect(causeOf(item, step(change({ guard_type: "module_mode", source: "self.training" })))).toBe(item.causes[1]);
  expect(causeOf(item, step(change({ source: "m" })))).toBe(undefined);
  expect(causeOf(item, step())).toBe(undefined);
  expect(expectation(item, step(change({ guard_type: "module_mode" })))).toBe(
    "One version for training and one for evaluation are expected.",
  );
  expect(expectation(item, step(change({})))).toBe(null);
  // The evidence names the steps that it is about.
  expect(expectation(item, { ...step(change({ guard_type: "module_mode" })), compile: "0/2" })).toBe(null);
});

it("names the records that an advice rests on", () => {
  const evidence = (record: string, compile: string, says: string | null = null) => ({ record, compile, says });
  const advice: RecompileAdvice = {
    guard_type: "value",
    text: "",
    expected: false,
    saves: 4,
    more_evidence: 2,
    evidence: [
      ...["2/1", "2/2", "2/3", "2/8"].map((id) => evidence("recompile_reasons", id)),
      evidence("compilation_metrics", "2/8", "recompile_limit 8"),
    ],
  };
  expect(evidenceText(advice)).toBe(
    "recompile_reasons of 2/1, 2/2 … 2/8; compilation_metrics of 2/8 (recompile_limit 8) and 2 more",
  );
  expect(
    evidenceText({ ...advice, evidence: [evidence("recompile_reasons", "0/1#2")], more_evidence: 0 }, (key) =>
      key.replace("#", " #"),
    ),
  ).toBe("recompile_reasons of 0/1 #2");
});

it("knows the recompile limit from other failures", () => {
  expect(
    isRefused({
      type: "Unsupported",
      reason: "Dynamo recompile limit exceeded",
      file: null,
      line: null,
      refused: true,
    }),
  ).toBe(true);
  expect(isRefused({ type: "Unsupported", reason: "branch on a tensor", file: null, line: null, refused: false })).toBe(
    false,
  );
  expect(isRefused(null)).toBe(false);
});

it("says of a first compile whether its code was compiled before a reset", () => {
  const report = { recompiles: [] } as unknown as Report;
  const first = (more: Partial<Compile>) =>
    why(report, {
      key: "1/0",
      id: "1/0",
      is_compile: true,
      recompile_reasons: [],
      failure: null,
      resets: 0,
      earlier: null,
      ...more,
    } as unknown as Compile);
  expect(first({})).toBe("first");
  expect(first({ resets: 1, earlier: "0/0#2" })).toBe("after a reset; compiled before as 0/0 #2");
  expect(first({ resets: 1 })).toBe("first, after a reset");
  expect(first({ id: "1/1" })).toBe("");
  expect(first({ is_compile: false })).toBe("");
});

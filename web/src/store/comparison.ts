// What changed from one run to another, from report.json: doc/report-data.md, "Several runs". C compares each pair once;
// `reversed` shows the same comparison in the other direction.
import type {
  ComparedFunction as FunctionChange,
  ComparedRuns as Comparison,
  Figure,
  RunPairs,
} from "./generated/report";

export type {
  ComparedEffect as EffectChange,
  ComparedEffectValue as EffectSide,
  ComparedFunction as FunctionChange,
  ComparedLogs,
  ComparedRuns as Comparison,
  ComparedSetting as SettingChange,
  ComparedSide as FunctionSide,
  Figure,
  RunPairs,
} from "./generated/report";
export type Verdict = Figure["verdict"];
export type Change = FunctionChange["change"];

type Both<T> = [T, T];
type Found<T> = { new: T[]; gone: T[]; same: number };

const OPPOSITE: Readonly<Record<string, string>> = {
  worse: "better",
  better: "worse",
  more: "less",
  less: "more",
  new: "gone",
  gone: "new",
  slower: "faster",
  faster: "slower",
};
const opposite = <T extends string>(word: T): T => (OPPOSITE[word] ?? word) as T;
const swap = <T>([one, other]: Both<T>): Both<T> => [other, one];
const found = <T>(item: Found<T>): Found<T> => ({ ...item, new: item.gone, gone: item.new });
/** 0 and not -0, which is another number to some. */
const minus = (n: number): number => (n ? -n : 0);
const figure = (item: Figure): Figure => ({
  ...item,
  values: swap(item.values),
  delta: item.delta === null ? null : minus(item.delta),
  verdict: opposite(item.verdict),
});

/** The same change seen from the other run. */
export function reversed(comparison: Comparison): Comparison {
  return {
    ...comparison,
    a: comparison.b,
    b: comparison.a,
    figures: comparison.figures.map(figure),
    findings: found(comparison.findings),
    logs: comparison.logs.map((logs) => ({
      ...logs,
      dirs: swap(logs.dirs),
      function_counts: {
        ...logs.function_counts,
        new: logs.function_counts.gone,
        gone: logs.function_counts.new,
        slower: logs.function_counts.faster,
        faster: logs.function_counts.slower,
      },
      functions: logs.functions.map((item) => ({
        ...item,
        change: opposite(item.change),
        name: (item.sides[1] ?? item.sides[0])!.name,
        delta_us: minus(item.delta_us),
        sides: swap(item.sides),
        differs: item.differs.map(figure),
        new_reasons: item.gone_reasons,
        gone_reasons: item.new_reasons,
        compared: item.compared && swap(item.compared),
      })),
      graph_breaks: found(logs.graph_breaks),
      settings: logs.settings?.map((item) => ({ ...item, values: swap(item.values) })) ?? null,
      settings_in_effect: logs.settings_in_effect?.map((item) => ({ ...item, values: swap(item.values) })) ?? null,
    })),
  };
}

/** The pair of both runs, and whether it has them in the other order; null: they are not compared. */
export function pairOf(
  pairs: RunPairs | undefined,
  a: string,
  b: string,
): { place: number; swapped: boolean; ranks: readonly number[] } | null {
  const place =
    pairs?.pairs.findIndex((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a)) ?? -1;
  const pair = pairs?.pairs[place];
  return pair ? { place, swapped: pair.a !== a, ranks: pair.ranks } : null;
}

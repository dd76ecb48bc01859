// What a recompile is about, in words.
import type { Failure, GuardChange, Recompile, RecompileAdvice, RecompileCause, RecompileStep } from "./report";

/** A condition, which held and holds no longer: its values say more than True and False. */
export const isCondition = (change: GuardChange): boolean =>
  change.guard_type === "relation" || change.guard_type === "divisibility";

/** What a guard is on: as the user writes it, else the guard itself. */
export const subjectOf = (change: GuardChange): string => change.source ?? change.guard ?? "a guard";

/** "n: 3 → 4", "x.size()[0]: 4 → 8, now dynamic (s77)", "x.size()[0] % 8 == 0 fails: x.size()[0] = 17" */
export function changeText(change: GuardChange): string {
  const subject = subjectOf(change);
  if (isCondition(change))
    return `${subject} fails${change.has === null || change.has === "False" ? "" : `: ${change.has}`}`;
  if (change.had === null && change.has === null) return `${subject} changed`;
  if (change.differs) return `${subject}: ${change.differs}`;
  return `${subject}: ${change.had ?? "not in the log"} → ${change.has ?? "not in the log"}${change.symbol ? `, now dynamic (${change.symbol})` : ""}`;
}

/** The cause of a step: what its first change is counted under. */
export function causeOf(item: Recompile, step: RecompileStep): RecompileCause | undefined {
  const first = step.changes[0];
  return (
    first &&
    item.causes.find(
      (cause) => cause.guard_type === first.guard_type && (first.source === null || cause.subject === first.source),
    )
  );
}

/** "One version for training and one for evaluation are expected.": what is said of a change that is no fault. */
export function expectation(item: Recompile, step: RecompileStep): string | null {
  const about = (one: RecompileAdvice) =>
    one.expected &&
    one.guard_type === step.changes[0]?.guard_type &&
    (one.more_evidence > 0 || one.evidence.some(({ compile }) => compile === step.compile));
  return item.advice.find(about)?.text ?? null;
}

/** Dynamo would not make another version: the recompile limit was reached. */
export const isRefused = (failure: Failure | null | undefined): boolean => failure?.refused === true;

/** "recompile_reasons of 2/1, 2/2 … 2/8; compilation_metrics of 2/8 (recompile_limit 8)" */
export function evidenceText(advice: RecompileAdvice, name: (key: string) => string = (key) => key): string {
  const records = new Map<string, string[]>();
  for (const { record, compile, says } of advice.evidence) {
    const list = records.get(record) ?? [];
    const text = says === null ? name(compile) : `${name(compile)} (${says})`;
    if (!list.includes(text)) list.push(text);
    records.set(record, list);
  }
  const parts = [...records].map(
    ([record, list]) => `${record} of ${list.length > 3 ? `${list[0]}, ${list[1]} … ${list.at(-1)}` : list.join(", ")}`,
  );
  return parts.join("; ") + (advice.more_evidence ? ` and ${advice.more_evidence} more` : "");
}

/** Of how many modules the log shows that a version was compiled for them. */
export const modulesOf = (item: Recompile): number => new Set(item.modules.filter((module) => module !== null)).size;

/** "#2": the module that the nth compile of the chain is for; null: unknown. */
export function moduleName(item: Recompile, at: number): string | null {
  const module = item.modules[at] ?? null;
  return module === null ? null : `#${module + 1}`;
}

/** The modules that were compiled more than once, with the number of times after the first, most often first. */
export function moduleRecompiles(item: Recompile): [module: number, times: number][] {
  const times = new Map<number, number>();
  for (const module of item.modules) if (module !== null) times.set(module, (times.get(module) ?? -1) + 1);
  return [...times].filter(([, n]) => n > 0).sort(([a, m], [b, n]) => n - m || a - b);
}

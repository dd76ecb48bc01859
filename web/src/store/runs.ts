// Two runs of a program beside each other: what became of each function, of each finding, of each setting.
import { baseName } from "../lib/format";
import { isCompile, recompileCount } from "./counts";
import { kernelCount } from "./kernels";
import { runName } from "./rank-names";
import type { Rank, RanksPart } from "./ranks";
import type { Compile, Config, Finding, Report } from "./types";

/** Several logs of which none has a rank are no ranks of a job, but runs: before and after a change, say. */
export function isRuns(report: RanksPart): boolean {
  return (report.ranks?.length ?? 0) > 1 && report.ranks!.every((rank) => rank.rank === null);
}

/** The logs below each other's runs: of a job its ranks, else the run itself. */
export const logsOf = (run: Rank): Rank[] => run.members?.filter((log) => log.readable).map(({ dir, rank }) => ({ ...run, dir, rank: null, of: `${runName(run)} ${rank === null ? "without a rank" : `rank ${rank}`}` })) ?? [run];

/** The ranks of which the functions of both can be compared; none where neither is a job. */
export function commonRanks(a: Rank, b: Rank): number[] {
  const [one, other] = [a, b].map((run) => run.members?.filter((log) => log.compared && log.rank !== null).map((log) => log.rank!));
  return one && other ? one.filter((rank) => other.includes(rank)) : (one ?? other ?? []);
}

/** The log of that rank, where the run is a job; of ranks that have several the first is the newest. */
export const logOf = (run: Rank, rank: number | undefined): Rank | undefined => (run.members ? logsOf(run).find((log) => run.members!.some((member) => member.dir === log.dir && member.rank === rank && member.compared)) : run);

/** Of a job those of all ranks. */
export const findingsOf = (report: Report): (Finding & { dirs?: string[] })[] => (report.kind === "ranks" ? (report.rank_findings ?? []).map((finding) => ({ ...finding, compiles: [], link: null }) as unknown as Finding & { dirs: string[] }) : report.findings);

/** The compiles of one function in one run. */
export interface Side {
  compiles: Compile[];
  time_us: number | null;
  breaks: number;
  failed: number;
}

export interface FunctionChange {
  key: string;
  name: string;
  file: string;
  /** in each run; null: the run has none */
  line: [number | null, number | null];
  a: Side | null;
  b: Side | null;
}

interface Held {
  name: string;
  file: string;
  line: number | null;
  compiles: Compile[];
}

/** The functions of both runs, those first whose compile time changed most. Functions are alike by name and file; of several with one name those of the same line. */
export function compareFunctions(a: Report, b: Report): FunctionChange[] {
  const [left, right] = [byName(a), byName(b)];
  const out: FunctionChange[] = [];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [ours, theirs] = [left.get(name) ?? [], [...(right.get(name) ?? [])]];
    const take = (fits: (other: Held) => boolean): Held | null => {
      const at = theirs.findIndex(fits);
      return at < 0 ? null : theirs.splice(at, 1)[0]!;
    };
    const same = ours.map((held) => take((other) => other.line === held.line));
    // The line has moved: in order.
    ours.forEach((held, i) => out.push(change(name, out.length, held, same[i] ?? take(() => true))));
    for (const held of theirs) out.push(change(name, out.length, null, held));
  }
  return out.sort((x, y) => Math.abs(delta(y)) - Math.abs(delta(x)));
}

/** Of compile time, in µs. */
export const delta = (item: FunctionChange): number => (item.b?.time_us ?? 0) - (item.a?.time_us ?? 0);

function byName(report: Report): Map<string, Held[]> {
  const names = new Map<string, Held[]>();
  for (const compile of report.compiles) {
    if (!isCompile(compile)) continue;
    const { function: name = "unknown frame", file = "", line = null } = compile.frame ?? {};
    // What follows a graph break is named by its line, which moves.
    const key = `${name.replace(/_at_\d+$/, "_at_")} ${baseName(file)}`;
    const list = names.get(key) ?? [];
    const held = list.find((one) => one.line === line && one.name === name);
    if (held) held.compiles.push(compile);
    else list.push({ name, file, line, compiles: [compile] });
    names.set(key, list);
  }
  return names;
}

function change(key: string, n: number, a: Held | null, b: Held | null): FunctionChange {
  const one = (a ?? b)!;
  return { key: `${key} ${n}`, name: one.name, file: one.file, line: [a?.line ?? null, b?.line ?? null], a: a && side(a), b: b && side(b) };
}

function side({ compiles }: Held): Side {
  return {
    compiles,
    time_us: compiles.reduce<number | null>((sum, compile) => (compile.time_us === null ? sum : (sum ?? 0) + compile.time_us), null),
    breaks: compiles.reduce((n, compile) => n + compile.graph_breaks.length, 0),
    failed: compiles.filter((compile) => compile.status === "error" || compile.backward_failure).length,
  };
}

/** The two compiles of a function that answer to each other: of the same id and generation, else the first of each. */
export function comparedCompiles(a: Side, b: Side): [Compile, Compile] {
  for (const one of a.compiles) {
    const other = b.compiles.find((compile) => compile.key === one.key) ?? b.compiles.find((compile) => compile.id === one.id && compile.generation === one.generation);
    if (other) return [one, other];
  }
  return [a.compiles[0]!, b.compiles[0]!];
}

/** Findings of `b` that `a` has not: alike are those of one kind, at one place of the code, with the same words but for numbers. */
export function newFindings(a: readonly Finding[], b: readonly Finding[]): Finding[] {
  const known = new Set(a.map(findingKey));
  return b.filter((finding) => !known.has(findingKey(finding)));
}

function findingKey({ kind, title, place }: Finding): string {
  const where = typeof place === "object" && place ? `${baseName(place.file ?? "")} ${place.function ?? ""}` : (place ?? "");
  return `${kind} ${title.replace(/\d+(\.\d+)?/g, "#")} ${where}`.replace(/_at_\d+/g, "_at_");
}

export interface Figure {
  name: string;
  values: [number | string | null, number | string | null];
  unit: "count" | "us" | "text";
  /** whether more is worse */
  worse?: boolean;
}

/** What one counts of a run; versions only where they differ. */
export function compareFigures(a: Report, b: Report): Figure[] {
  const figure = (name: string, of: (report: Report) => number | null, unit: "count" | "us" = "count", worse = true): Figure => ({ name, values: [of(a), of(b)], unit, worse });
  const version = (name: "torch" | "python" | "cuda" | "triton"): Figure[] => (a.run[name] === b.run[name] ? [] : [{ name, values: [a.run[name], b.run[name]], unit: "text" }]);
  const cache = (result: "hit" | "miss" | "bypass") => (report: Report) => Object.values(report.caches).reduce((n, counts) => n + (counts[result] ?? 0), 0);
  const jobs = a.kind === "ranks" || b.kind === "ranks";
  const ranksOf = (report: Report) => (report.kind === "ranks" ? report.ranks!.filter((rank) => rank.compared).length : 1);
  // Sums over more ranks are larger: that is no change for the worse.
  const sum = (name: string, of: (report: Report) => number | null, unit: "count" | "us" = "count", worse = true) => figure(jobs ? `${name}, all logs` : name, of, unit, worse && !(jobs && ranksOf(a) !== ranksOf(b)));
  return [
    ...version("torch"), ...version("python"), ...version("cuda"), ...version("triton"),
    ...(jobs ? [
      figure("ranks", ranksOf, "count", false),
      figure("compile time of the slowest rank", (report) => (report.kind === "ranks" ? report.ranks!.reduce((most, rank) => Math.max(most, rank.compared ? rank.time_us ?? 0 : 0), 0) : report.totals.time_us), "us"),
    ] : []),
    sum("compile time", (report) => report.totals.time_us, "us"),
    sum("of it backward", (report) => report.totals.backward_us, "us"),
    sum("of it lost to restarts", (report) => report.totals.restart_us, "us"),
    sum("time logged at run time", (report) => report.totals.runtime_us, "us"),
    sum("compiles", (report) => report.totals.compiles),
    sum("compiled", (report) => report.totals.compiled, "count", false),
    // What a job's report does not have: its ranks' have.
    ...(jobs ? [
      sum("graph breaks distinct in a log", (report) => report.totals.graph_breaks),
      sum("failures", (report) => report.totals.failures),
    ] : [
      figure("recompiles", recompileCount),
      figure("graph breaks", (report) => report.graph_breaks.reduce((n, found) => n + found.count, 0)),
      figure("failures", (report) => report.failures.length + (report.backward_failures?.length ?? 0)),
      figure("ops in graphs", (report) => report.compiles.reduce((n, compile) => n + (compile.graph.ops ?? 0), 0), "count", false),
      figure("guards", (report) => report.compiles.reduce((n, compile) => n + (compile.guards ?? 0), 0)),
      figure("kernels", (report) => kernelCount(report.kernels), "count", false),
    ]),
    sum("cache hits", cache("hit"), "count", false),
    sum("cache misses", cache("miss")),
    sum("cache bypasses", cache("bypass")),
  ];
}

export interface SettingChange {
  kind: string;
  setting: string;
  values: [string | null, string | null];
}

/** Settings of which the compiles of one run had other values than those of the other, the values of most compiles first; null: the run has no such setting. */
export function compareSettings(a: readonly Config[], b: readonly Config[]): SettingChange[] {
  const of = (configs: readonly Config[], kind: string) => configs.filter((config) => config.kind === kind).sort((one, other) => other.compiles - one.compiles).map((config) => config.values);
  const names = (sets: readonly Config["values"][]) => sets.flatMap((values) => Object.keys(values));
  const texts = (sets: readonly Config["values"][], setting: string) => [...new Set(sets.flatMap((values) => (setting in values ? [JSON.stringify(values[setting])] : [])))];
  const same = (one: readonly string[], other: readonly string[]) => one.length === other.length && one.every((text) => other.includes(text));
  const out: SettingChange[] = [];
  for (const kind of new Set([...a, ...b].map((config) => config.kind))) {
    const [left, right] = [of(a, kind), of(b, kind)];
    if (!left.length || !right.length) continue; // the log of one does not tell
    for (const setting of [...new Set([...names(left), ...names(right)])].sort()) {
      const [one, other] = [texts(left, setting), texts(right, setting)];
      if (!same(one, other)) out.push({ kind, setting, values: [one.join(", ") || null, other.join(", ") || null] });
    }
  }
  return out;
}

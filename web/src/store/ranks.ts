// Several ranks in report.json: doc/report-data.md, "Several ranks". All of it is absent for a single rank. And how ranks, runs, logs and
// what they call are named.
import { address, toReport } from "../lib/address";
import { placed } from "../lib/packed";
import { baseName, middle } from "../lib/text";
import type { Aspect, Rank as ReportRank, ReportCommon, RootCause } from "./generated/report";

export type * from "./generated/report";

/** of: made by runs.ts for one rank of a run that is a job. */
export type Rank = ReportRank & { of?: string };

/** What reports of ranks share, where a part of it is enough. */
export type RanksPart = Omit<Partial<ReportCommon>, "ranks" | "caches"> & { ranks?: Rank[] };

/** Aspects by severity: what hangs a job, what slows it down, what only explains. */
export const ASPECTS: readonly Aspect[] = [
  "collectives",
  "compile_ids",
  "execution_order",
  "graphs",
  "configuration",
  "tensor_meta",
  "recompiles",
  "status",
  "cache",
  "guards",
];

/** The job may hang: ranks wait for each other in collectives. */
export const MAY_HANG: ReadonlySet<string> = new Set(["collectives"]);

/** Where collectives are read from, as a part of a sentence. */
export function callsFrom(from: string | undefined): string {
  return from === "output_code"
    ? "in the output code"
    : from === "dynamo_graphs"
      ? "in the Dynamo graphs"
      : "in Inductor's schedules";
}

export function rootCauses(part: RanksPart): readonly RootCause[] {
  return part.divergence?.root_causes ?? [];
}

/** Whether no rank compiled a graph, as far as the logs say. */
export function hasNoGraphs(part: RanksPart): boolean {
  const graphs = part.divergence?.graphs;
  return graphs !== undefined && !graphs.known && !graphs.passed_over && !graphs.not_logged?.length;
}

/** What ranks that agree did. */
export function agreementText(ranks: readonly Pick<Rank, "compiles" | "failed">[]): string {
  const [compiles, failed] = [
    ranks.reduce((n, rank) => n + rank.compiles, 0),
    ranks.reduce((n, rank) => n + rank.failed, 0),
  ];
  const who = `${ranks.length} ranks`;
  if (failed && failed === compiles)
    return `${who} tried to compile the same functions in the same order, and every compile failed.`;
  return `${who} compiled the same functions in the same order${failed ? `; ${failed} of ${compiles} compiles failed` : ""}.`;
}

/** The page of a rank, at a place in it; where its log is, if that is not here. The report itself is where we are. */
export function rankUrl(dir: string, hash = "#/"): string {
  if (isElsewhere(dir)) return address(["ranks", "all"], { log: dir });
  return dir ? toReport(`${dir}/`, hash) : placed(hash);
}

/** The folder of the report of a rank; "" is this report, null: none. */
export function dirOf(ranks: readonly Rank[] | undefined, rank: number): string | null {
  return ranks?.find((item) => item.rank === rank && !item.older && item.status !== "bad")?.dir ?? null;
}

/** The page at the top of several logs: it has no compiles of its own. */
export const isLanding = (report: Pick<ReportCommon, "kind">): boolean => report.kind !== "run";

export function divergingAspects(part: RanksPart): Aspect[] {
  return ASPECTS.filter((aspect) => part.divergence?.[aspect]?.diverges);
}

/** Groups of equal items, in order of first appearance. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.values()];
}

/** The name of a group, by its place: A … Z, AA … */
export function groupName(place: number): string {
  return (place >= 26 ? groupName(Math.floor(place / 26) - 1) : "") + String.fromCharCode(65 + (place % 26));
}

/** [0,1,2,3,7] -> "0–3, 7". A thousand ranks must fit into a line: after `limit` ranges comes the number of further ranks. */
export function ranges(ranks: readonly number[], limit = 12): string {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b);
  const texts: string[] = [];
  let left = sorted.length;
  for (let i = 0; i < sorted.length && texts.length < limit;) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1] === sorted[j]! + 1) j++;
    texts.push(i === j ? `${sorted[i]}` : j === i + 1 ? `${sorted[i]}, ${sorted[j]}` : `${sorted[i]}–${sorted[j]}`);
    left -= j - i + 1;
    i = j + 1;
  }
  return texts.join(", ") + (left > 0 ? `, … and ${left} more` : "");
}

/** "rank 3", "ranks 0–3, 7". */
export function ranksText(ranks: readonly number[], limit?: number): string {
  return `${ranks.length === 1 ? "rank" : "ranks"} ${ranges(ranks, limit)}`;
}

export function rankName(rank: Rank): string {
  if (rank.of) return rank.of;
  const named = rank.name && rank.name !== rank.files[0];
  const kind = rank.members ? "job " : named ? "" : "log ";
  const name = rank.rank === null ? `${kind}${runName(rank)}` : `rank ${rank.rank}`;
  return `${name}${rank.older ? " (earlier)" : ""}`;
}

/** What a run is called: by its file, or by its folder where files' names say nothing. */
export function runName(rank: Rank): string {
  if (rank.of) return rank.of;
  const file = rank.files[0] ?? rank.dir;
  return rank.name && rank.name !== file ? middle(rank.name, 40) : logName(file);
}

/** What distinguishes a log from the others: "dedicated_log_torch_trace_5n_77k9e.log.gz" -> "5n_77k9e". */
export function logName(file: string): string {
  const name = baseName(file);
  return middle(name.replace(/^dedicated_log_torch_trace_/, "").replace(/\.log(\.gz|\.zst)?$/, "") || name, 24);
}

/** "torch.ops._c10d_functional.all_reduce_.default" -> "all_reduce_". */
export function shortOp(op: string): string {
  return op
    .replace(/^torch\.ops\./, "")
    .replace(/^_?c10d(_functional(_autograd)?)?\./, "")
    .replace(/\.default$/, "");
}

/** The order of execution names graphs of which no compile id is known by the JSON that the log has. */
export function shownId(text: string): string | null {
  return /^[{[]|^null$|^\(unknown\)$/.test(text) ? null : text;
}

/** Folders of ranks whose logs are not here: a report that was made from facts (`tlparse merge`) has no report of these. */
const dirs = new Set<string>();

/** Remembers the ranks of the report that is shown. */
export function noteElsewhere(ranks: readonly Pick<Rank, "dir" | "elsewhere">[] | undefined): void {
  dirs.clear();
  for (const rank of ranks ?? []) if (rank.elsewhere) dirs.add(rank.dir);
}

/** Whether the report of a rank, by its folder, is not part of this report. */
export const isElsewhere = (dir: string): boolean => dirs.has(dir);

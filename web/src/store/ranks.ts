// Several ranks in report.json: doc/report-data.md, "Several ranks". All of it is absent for a single rank.
import { address } from "../lib/address";
import { placed } from "../lib/packed";
import { toReport } from "../lib/urls";
import { isElsewhere } from "./elsewhere";
import type { Aspect, Rank as ReportRank, ReportCommon, RootCause } from "./generated/report";
export type {
  Aspect,
  Divergence,
  Divergences,
  RankConfigDifference,
  RankEnd,
  RankFinding,
  RankPlace,
  RankSpan,
  RanksNote,
  RootCause,
  RuntimeGraph,
  Schedules,
  Side,
} from "./generated/report";

/** of: made by runs.ts for one rank of a run that is a job. */
export type Rank = ReportRank & { of?: string };

export type RanksPart = Pick<
  ReportCommon,
  | "missing_ranks"
  | "more_missing_ranks"
  | "divergence"
  | "world"
  | "ranks_notes"
  | "rank_ends"
  | "matrix"
  | "runtime"
  | "schedules"
  | "execution"
  | "rank_findings"
  | "cache_misses"
  | "rank_config_differences"
> & { ranks?: Rank[] };

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

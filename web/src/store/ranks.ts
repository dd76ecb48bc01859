// Several ranks, as report.json tells them: doc/report-data.md, "Several ranks". All of it is absent where there is but one.
import type { CacheMiss, CacheMisses } from "./cache-miss-types";
import type { Finding } from "./finding-types";
import type { Place } from "./place";

export interface Rank {
  rank: number | null;
  /** "" for the report itself */
  dir: string;
  files: string[];
  /** what to call it where it is a run */
  name?: string;
  /** of a run that is a job: its logs, by rank; all else are sums over them */
  members?: { rank: number | null; dir: string; readable: boolean; compared: boolean }[];
  /** made by runs.ts: one rank of such a run */
  of?: string;
  /** unfinished: its log ends within spans that have no end */
  status: "ok" | "error" | "bad" | "unfinished";
  /** another log of this rank is newer: this one is not compared */
  older: boolean;
  error: string | null;
  bytes: number;
  compiles: number;
  failed: number;
  time_us: number | null;
  first_us: number | null;
  last_us: number | null;
  counters: Record<string, number>;
  parity: { graph: string; offset: number; missing_waits: number }[];
  decisions: string[];
  /** 0: compared; another number: a log of another job */
  job?: number;
  compared?: boolean;
  unfinished?: RankSpan[];
}

export interface RankSpan {
  name: string;
  compile: string | null;
  place: Place | null;
  started_us: number;
  before_end_us: number;
}

/** Ranks whose logs end in the same span, or in none. */
export interface RankEnd {
  ranks: number[];
  finished: boolean;
  name: string | null;
  compile: string | null;
  place: Place | null;
  /** for how long its compile was open when the log ended, by its rank's own clock */
  open_least_us?: number | null;
  open_most_us?: number | null;
  last_us: number;
  /** before the last event of all ranks, by the clocks of their hosts */
  before_end_us: number;
}

/** What one has to know before one compares. */
export interface RanksNote {
  kind: string;
  title: string;
  why: string;
  ranks: number[];
}

/** Why ranks differ, with what follows from it. */
export interface RootCause {
  kind: string;
  title: string;
  /** that are not like more than half of them; empty where there are only groups */
  ranks: number[];
  aspect: string;
  place: Place | null;
  compile: string | null;
  /** compile: its key on the first of the ranks; same_key: on all of them */
  evidence: { ranks: number[]; compile: string | null; same_key?: boolean; place: Place | null; text: string | null }[];
  consequences: { aspect: string; compile: string | null; first: string }[];
  more_consequences: number;
}

export interface Side {
  ranks: number[];
  /** null: it has ended there */
  key: string | null;
  value: string | null;
  /** whether all of them have it under that key */
  same_key: boolean;
  /** the first group that has the same there */
  alike: number;
}

export interface Divergence {
  title: string;
  why: string;
  known: boolean;
  /** all that logs say of it is of compiles that not all ranks finished */
  passed_over?: boolean;
  diverges: boolean;
  /** ranks whose log says nothing of it */
  not_logged?: number[];
  /** of the order of execution: ranks that ran cached graphs, whose ids there may be those of other compiles */
  uncertain?: number[];
  /** of collectives: schedules, output_code, dynamo_graphs */
  from?: string;
  groups: { ranks: number[] }[];
  first: { index: number; sides: Side[] } | null;
}

export interface RuntimeGraph {
  index: number;
  per_rank: { rank: number; graph: string; compile: string; ns: number }[];
  slowest: number;
  fastest: number;
  spread_ns: number;
}

export interface RankFinding {
  kind: string;
  severity: "error" | "warning" | "info";
  title: string;
  why: string | null;
  advice: string | null;
  place: Place | null;
  cost?: NonNullable<Finding["cost"]>;
  caller?: Place | null;
  library?: boolean;
  time_us: number | null;
  /** of the rank on which it took longest: time_us and the texts are of that one */
  dir?: string;
  dirs: string[];
}

export interface Schedules {
  /** where they are read from, as in Divergence */
  from?: string;
  ops: string[][];
  ranks: { rank: number | null; graphs: { graph: string; compile: string; ops: number }[] }[];
}

/** A setting in which the configurations of ranks differ. */
export interface RankConfigDifference {
  kind: string;
  setting: string;
  /** set is false: these ranks' configurations have no such setting */
  values: { set: boolean; value: unknown; ranks: number[] }[];
}

/** What the report of one rank below another report says of all: data/ranks.js. */
export interface RankPlace {
  /** null: of a run */
  rank: number | null;
  compared: number;
  /** why its log is not compared with the others */
  left_out?: "another_job" | "older" | "no_records" | null;
  root_causes?: { kind: string; title: string; place: Place | null; odd: boolean; compile: string | null }[];
  partings: {
    aspect: string;
    title: string;
    group: number;
    groups: number;
    alike: number[];
    alike_count: number;
    key: string | null;
    value: string | null;
  }[];
  cache_misses?: (CacheMiss & { compile: string })[];
}

export type Divergences = { root_causes?: RootCause[]; more_root_causes?: number } & Partial<Record<Aspect, Divergence>>;

export interface RanksPart {
  ranks?: Rank[];
  missing_ranks?: number[];
  /** beyond that list */
  more_missing_ranks?: number;
  divergence?: Divergences;
  world?: { size: number | null; at_least: number | null; from: string | null };
  ranks_notes?: RanksNote[];
  rank_ends?: RankEnd[];
  matrix?: { ids: string[]; frames?: string[]; id_frames?: number[]; rows: { dir: string; status: string; time_us: (number | null)[]; other?: [column: number, frame: number][] }[] };
  runtime?: { available: boolean; reason: string | null; wait_ns: number; graphs: RuntimeGraph[] };
  schedules?: Schedules;
  execution?: { order: { rank: number | null; ids: string[] }[]; mismatches: { index: number; schedule: boolean; cache: boolean }[] };
  rank_findings?: RankFinding[];
  cache_misses?: CacheMisses;
  rank_config_differences?: RankConfigDifference[];
}

/** Aspects in the order in which they hurt: what hangs a job, what starves it, what only explains. */
export const ASPECTS = ["collectives", "compile_ids", "execution_order", "graphs", "configuration", "tensor_meta", "recompiles", "status", "cache", "guards"] as const;
export type Aspect = (typeof ASPECTS)[number];

/** The job may hang: ranks wait for each other in collectives. */
export const HANGS: ReadonlySet<string> = new Set(["collectives"]);

/** Where collectives are read from, as a part of a sentence. */
export function callsFrom(from: string | undefined): string {
  return from === "output_code" ? "in the output code" : from === "dynamo_graphs" ? "in the Dynamo graphs" : "in Inductor's schedules";
}

export function rootCauses(part: RanksPart): readonly RootCause[] {
  return part.divergence?.root_causes ?? [];
}

/** What of a rank's log could not be read: malformed records, or lines of other output that is in the same file, as findings tell them apart. */
export function unread(rank: Pick<Rank, "counters">): { malformed: number; skipped: number } {
  const at = (key: string) => rank.counters[key] ?? 0;
  const failed = Object.entries(rank.counters).reduce((n, [key, value]) => (key.startsWith("fail") && key !== "fail_glog" ? n + value : n), 0);
  const text = at("fail_glog");
  const output = text > 1 && failed > 1 && !at("fail_payload_md5"); // lines of a program that look like records
  return output ? { malformed: 0, skipped: text + failed } : { malformed: failed, skipped: text };
}

/** Whether no rank compiled a graph, as far as the logs say. */
export function hasNoGraphs(part: RanksPart): boolean {
  const graphs = part.divergence?.graphs;
  return graphs !== undefined && !graphs.known && !graphs.passed_over && !graphs.not_logged?.length;
}

/** What ranks that agree did. */
export function agreementText(ranks: readonly Pick<Rank, "compiles" | "failed">[]): string {
  const [compiles, failed] = [ranks.reduce((n, rank) => n + rank.compiles, 0), ranks.reduce((n, rank) => n + rank.failed, 0)];
  const who = `${ranks.length} ranks`;
  if (failed && failed === compiles) return `${who} tried to compile the same functions in the same order, and every compile failed.`;
  return `${who} compiled the same functions in the same order${failed ? `; ${failed} of ${compiles} compiles failed` : ""}.`;
}

/** The page of a rank, at a place in it. The report itself is where we are. */
export function rankUrl(dir: string, hash = "#/"): string {
  return dir ? `${dir}/index.html${hash}` : hash;
}

/** The report that stands for a rank; "" may be one, so null says that there is none. */
export function dirOf(ranks: readonly Rank[] | undefined, rank: number): string | null {
  return ranks?.find((item) => item.rank === rank && !item.older && item.status !== "bad")?.dir ?? null;
}

/** The page at the top of several logs: it has no compiles of its own. */
export function isLanding(report: { ranks?: Rank[]; compiles: readonly unknown[] }): boolean {
  return (report.ranks?.length ?? 0) > 0 && report.compiles.length === 0;
}

/** Whether the rank is compared with the others. */
export function isCompared(rank: Rank): boolean {
  return rank.compared ?? (rank.rank !== null && !rank.older && rank.status !== "bad");
}

export function partings(part: RanksPart): Aspect[] {
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

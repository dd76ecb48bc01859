// Records that few programs write, as report.json has them: see doc/report-data.md.
import { plural } from "../lib/text";
import type { Artifact, BucketSide, Compile, Notice, PgoRecord, Report, RuntimeParts } from "./report";

/** "2, 1.250 MiB": sizes as the log rounds them. */
export const bucketSide = (side: BucketSide | null): string =>
  !side
    ? "not in the log"
    : !side.count
      ? "0"
      : `${side.count}, ${side.mib ? `${side.mib.toFixed(3)} MiB` : "less than 0.001 MiB each"}`;

/** How a compile is named in these members. */
export const keyOf = (compile: Compile): string => compile.key;

const TITLES: Readonly<Record<string, string>> = {
  compiled_autograd_compile_reasons: "Why Compiled Autograd captured it",
  eager_compile_backwards_failure: "Backward failed to compile ahead of backward()",
  fx_interpreter_error: "Error while the graph was interpreted",
  make_fx_fail_partial: "Partial graph of a failed make_fx",
  compile_worker_sidecar_death: "Compile worker died",
  precompile_cache_bypass: "Not saved by precompile",
  dynamo_cache_bypass: "Left out by precompile",
  dynamo_cache_exception: "Precompile entry failed",
  aotautograd_cache_pickle_failure: "Not saved to the AOTAutograd cache",
  invoke_subgraph_backward_duplicate: "Further backward graph of a subgraph",
  inductor_overlap_cyclic_extra_deps: "Cyclic dependencies in overlap scheduling",
};

export function noticeTitle(notice: Notice): string {
  const title = TITLES[notice.kind] ?? notice.kind;
  return notice.subject ? `${title}: ${notice.subject}` : title;
}

const STORES: Readonly<Record<PgoRecord["store"], string>> = {
  local: "local",
  remote: "remote",
  extra_remote: "extra remote",
};

/** "read from the local cache" */
export const profileAction = ({ action, store }: PgoRecord): string =>
  `${action === "read" ? "read from" : "written to"} the ${STORES[store] ?? store} cache`;

const PARTS: readonly (readonly [key: keyof RuntimeParts, title: string])[] = [
  ["autotune", "Autotuning of Triton kernels"],
  ["cudagraphs", "Preparing and recording CUDA graphs"],
  ["compile", "Compiling outside of a frame"],
  ["other", "Not named in the log"],
];

/** What a compile spent at run time, by what it was spent on. */
export function runtimeParts(compile: Compile): [title: string, us: number][] {
  const parts = compile.runtime_parts_us ?? {};
  return PARTS.filter(([key]) => parts[key]).map(([key, title]) => [title, parts[key]!]);
}

/** What the log has of one compile. */
export function recordsOf(report: Report, compile: Compile) {
  const key = keyOf(compile);
  const { notices, pgo, compile_workers: workers, bucketing } = report;
  return {
    notices: notices?.list.filter((notice) => notice.compile === key) ?? [],
    /** whether the lists of changes are whole */
    allChanges: !pgo?.more_changes,
    profiles: pgo?.records.filter((record) => record.compile === key) ?? [],
    jobs: workers?.jobs.filter((job) => job.compile === key) ?? [],
    buckets: bucketing?.list.filter((one) => one.compile === key) ?? [],
  };
}

/** The place of the artifact that a record is, by its line in the log; -1: it has no text here. */
export const artifactAt = (artifacts: readonly Artifact[], line: number): number =>
  artifacts.findIndex((artifact) => artifact.line === line);

/** A row of the list of artifacts: records of one name, one after the other, that say the same again and again are one row. */
export interface Run {
  artifact: Artifact;
  n: number;
  /** further ones that the row represents */
  more: { artifact: Artifact; n: number }[];
}

const REPEATED = /^(native_dsl_compile|compile_worker_status)$/;

/** Records that come by the hundred share one row, at the first of them. */
export function runs(items: readonly { artifact: Artifact; n: number }[]): Run[] {
  const rows: Run[] = [],
    first = new Map<string, Run>();
  for (const { artifact, n } of items) {
    const row = REPEATED.test(artifact.name) ? first.get(artifact.name) : undefined;
    if (row) row.more.push({ artifact, n });
    else {
      rows.push({ artifact, n, more: [] });
      if (REPEATED.test(artifact.name)) first.set(artifact.name, rows[rows.length - 1]!);
    }
  }
  return rows;
}

const RESULTS: readonly (readonly [key: string, word: string, many?: string])[] = [
  ["hit", "hit", "hits"],
  ["miss", "miss", "misses"],
  ["bypass", "bypass", "bypasses"],
  ["pickle_failure", "not saved"],
  ["exception", "failed"],
  ["entries", "entries"],
];

/** "2 hits · 1 miss"; empty where the cache was never asked. */
export function cacheCounts(counts: Readonly<Record<string, number | undefined>>): string {
  return RESULTS.filter(([key]) => counts[key])
    .map(([key, word, many]) => plural(counts[key]!, word, many ?? word))
    .join(" · ");
}

// Which logs are runs, and what is below them.
import { type Rank, runName } from "./ranks";
import type { Finding, Report } from "./report";

/** Several logs of which none has a rank are no ranks of a job, but runs: before and after a change, say. */
export const isRuns = (report: Pick<Report, "kind">): boolean => report.kind === "runs";

/** The logs below each other's runs: of a job its ranks, else the run itself. */
export const logsOf = (run: Rank): Rank[] =>
  run.members
    ?.filter((log) => log.readable)
    .map(({ dir, rank }) => ({
      ...run,
      dir,
      rank: null,
      of: `${runName(run)} ${rank === null ? "without a rank" : `rank ${rank}`}`,
    })) ?? [run];

/** Of a job those of all ranks. */
export const findingsOf = (report: Report): (Finding & { dirs?: string[] })[] =>
  report.kind === "ranks"
    ? (report.rank_findings ?? []).map((finding) => ({ ...finding, compiles: [], link: null }))
    : report.findings;

import { plural, time } from "../../lib/text";
import type { Finding, Report } from "../../store/report";
import { FindingItem } from "../../ui/FindingItem";
import { Panel, useAll } from "../../ui/page";
import { Prose } from "../../ui/text";
import { RankChip, toRank } from "../../ui/RanksParts";

const LIMIT = 6;

/** The findings of the ranks' own reports; one that several ranks have is shown once, with these ranks. */
export function RankFindings({ report }: { report: Report }) {
  const findings = report.rank_findings ?? [];
  const [shown, button] = useAll(findings, LIMIT);
  if (!findings.length) return null;
  const first = findings.length > 1 ? findings[report.rank_first ?? -1] : undefined;
  const byDir = new Map((report.ranks ?? []).map((rank) => [rank.dir, rank]));
  return (
    <Panel
      title="Issues"
      note={findings.length > 1 ? `${plural(findings.length, "issue")}, most important first` : "1 issue"}
    >
      {first && (
        <p class="first pad">
          <b>First:</b> <Prose text={first.title} />
          {first.saves_us ? `, saves at most ${time(first.saves_us)}` : ""}.
        </p>
      )}
      {shown.slice(0, 200).map((finding, i) => {
        const ranks = finding.dirs.map((dir) => byDir.get(dir)?.rank ?? null).filter((rank) => rank !== null);
        const own: Finding = { ...finding, compiles: [], link: null };
        const dir = finding.dir ?? finding.dirs[0];
        const of = dir === undefined ? null : (byDir.get(dir)?.rank ?? null);
        return (
          <div class="rank-finding" key={i}>
            <FindingItem finding={own} />
            <div class="who">
              {finding.kind === "log_fault" && finding.dirs.includes("") ? (
                <span class="muted">the log of all ranks</span>
              ) : ranks.length > 0 ? (
                <RankChip ranks={ranks} />
              ) : (
                <span class="muted">{finding.dirs.length} logs</span>
              )}
              {dir !== undefined && !byDir.get(dir)?.elsewhere && !(finding.kind === "log_fault" && dir === "") && (
                <a href={toRank(dir)}>{of !== null ? `report of rank ${of}` : "report"}</a>
              )}
              {finding.dirs.length > 1 && finding.time_us ? (
                <span class="muted">longest on {of !== null ? `rank ${of}` : dir}</span>
              ) : null}
            </div>
          </div>
        );
      })}
      {button}
    </Panel>
  );
}

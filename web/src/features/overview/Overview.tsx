import { useState } from "preact/hooks";
import { address } from "../../lib/address";
import { capital, count, plural } from "../../lib/format";
import { useTitle } from "../../lib/hooks";
import { isCompile } from "../../store/counts";
import { rootCauses } from "../../store/ranks";
import type { Report } from "../../store/types";
import { FindingItem } from "../../ui/FindingItem";
import { Panel } from "../../ui/Panel";
import { ParserBox } from "../../ui/ParserBox";
import { PhaseBar } from "../../ui/PhaseBar";
import { PageHead } from "../../ui/PageHead";
import { Prose } from "../../ui/Prose";
import { Empty } from "../../ui/States";
import { StatusBar } from "../../ui/StatusBar";
import { useStore } from "../../ui/context";
import { Checks } from "../../ui/Checks";
import { RunFacts } from "./OverviewFacts";
import { ExportPanel } from "./ExportPanel";
import { OverviewFailures } from "./OverviewFailures";
import { RankPlacePanel } from "./RankPlacePanel";
import { Slowest } from "./Slowest";
import { Unfinished } from "../../ui/Unfinished";

export function Overview() {
  const { report } = useStore();
  useTitle("Overview");
  const names = report.log.files.map((file) => file.name);
  return (
    <>
      <PageHead
        title="Overview"
        sub={
          <span class="mono" title={names.join("\n")}>
            {names[0]}
            {names.length > 1 && ` and ${names.length - 1} more`}
          </span>
        }
      />
      <div class="room" data-scroll="room">
        <div class="cols">
          <div>
            <Checks />
            <ExportPanel report={report} />
            {!report.compiles.some(isCompile) ? (
              !report.export?.found &&
              report.log.records > 0 && (
                <Panel>
                  <Empty title="No compiles in this log">
                    It has {plural(report.log.records, "record")}, none of a compile.{" "}
                    <a href={address(["log"])}>Log contents</a>
                  </Empty>
                </Panel>
              )
            ) : (
              <Panel>
                <div class="bars">
                  <StatusBar report={report} />
                  <PhaseBar of={report.totals} />
                </div>
              </Panel>
            )}
            <Divergence report={report} />
            <RankPlacePanel />
            <Findings report={report} />
            <ParserBox issues />
            <Unfinished />
            <Slowest />
            <OverviewFailures />
          </div>
          <RunFacts report={report} />
        </div>
      </div>
    </>
  );
}

/** One of several ranks: whether they agree comes before what each of them did. */
function Divergence({ report }: { report: Report }) {
  const causes = rootCauses(report);
  const ranks = report.ranks ?? [];
  const of = ranks.length > 1 && report.run.rank !== null && (
    <>
      This report shows rank {report.run.rank}, the first of {ranks.length} ranks in this log.{" "}
    </>
  );
  if (!causes.length)
    return (
      of && (
        <Panel title="Ranks">
          <p class="pad">
            {of}
            <a href={address(["ranks", "all"])}>All ranks</a>
          </p>
        </Panel>
      )
    );
  return (
    <Panel
      title={
        <>
          <span class="s-error" aria-hidden="true">
            ✕
          </span>{" "}
          Rank divergence
        </>
      }
      note={plural(causes.length, "cause")}
    >
      <ul class="pad">
        {causes.slice(0, 5).map((cause, i) => (
          <li key={i}>
            <Prose text={capital(cause.title)} />
          </li>
        ))}
      </ul>
      <p class="pad">
        {of}
        <a href={address(["ranks", "all"])}>All ranks</a>
      </p>
    </Panel>
  );
}

function Findings({ report }: { report: Report }) {
  const [all, setAll] = useState(false);
  const LIMIT = 15;
  const unmeasured = report.totals.statuses.missing;
  const shown = all ? report.findings : report.findings.slice(0, LIMIT);
  if (!report.compiles.some(isCompile) && !report.findings.length) return null;
  return (
    <Panel
      title="Issues"
      note={
        report.findings.length > 1
          ? `${plural(report.findings.length, "cause")}, most severe first`
          : report.findings.length
            ? "1 cause"
            : null
      }
    >
      {report.findings.length === 0 && (
        <Empty title="✓ No issues found">
          {unmeasured
            ? `The log has no metrics for ${plural(unmeasured, "compile")}; ahead-of-time compiles usually log none.`
            : report.export?.outcome?.known === false
              ? "No failures, graph breaks, recompiles or cache bypasses."
              : "Every compile succeeded, without graph breaks, recompiles or cache bypasses."}
        </Empty>
      )}
      {shown.map((finding, i) => (
        <FindingItem key={i} finding={finding} />
      ))}
      {report.findings.length > LIMIT && (
        <p class="more">
          <button type="button" class="plain link" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show all ${count(report.findings.length)}`}
          </button>
        </p>
      )}
    </Panel>
  );
}

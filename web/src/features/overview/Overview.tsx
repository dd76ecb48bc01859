import { address } from "../../lib/address";
import { capital, plural } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { isCompile, type Report } from "../../store/report";
import { rootCauses } from "../../store/ranks";
import { Panel, useStore, EmptyPanel, BadTitle } from "../../ui/page";
import { ParserBox } from "../../ui/ParserBox";
import { PhaseBar } from "../../ui/PhaseBar";
import { PageHead } from "../../ui/PageHead";
import { Prose } from "../../ui/text";
import { StatusBar } from "../../ui/compile";
import { Checks } from "../../ui/Checks";
import { RunFacts } from "./OverviewFacts";
import { Coverage } from "./Coverage";
import { FirstChange } from "./FirstChange";
import { ExportPanel } from "./ExportPanel";
import { Issues } from "./Issues";
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
                <EmptyPanel title="No compiles in this log">
                  It has {plural(report.log.records, "record")}, none of a compile.{" "}
                  <a href={address(["log"])}>Log contents</a>
                </EmptyPanel>
              )
            ) : (
              <Panel>
                <div class="bars">
                  <StatusBar report={report} />
                  <Coverage report={report} />
                  <PhaseBar of={report.totals} />
                  <FirstChange report={report} />
                </div>
              </Panel>
            )}
            <Divergence report={report} />
            <RankPlacePanel />
            <Issues report={report} />
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
    <Panel title={<BadTitle>Rank divergence</BadTitle>} note={plural(causes.length, "cause")}>
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

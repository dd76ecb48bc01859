import { address } from "../../lib/address";
import { EXPORT_KINDS, kindCount, outcomeTitle, programWords, type ExportKind } from "../../store/export";
import type { Report } from "../../store/report";
import { Panel } from "../../ui/page";
import { Prose } from "../../ui/text";

/** At the top of the overview if the log is of an export: its outcome. */
export function ExportPanel({ report }: { report: Report }) {
  const summary = report.export;
  if (!summary?.found) return null;
  const kinds = (Object.keys(EXPORT_KINDS) as ExportKind[]).filter((key) => summary.counts[key]);
  return (
    <Panel title={<a href={address(["export"])}>Export</a>} note={programWords(summary)}>
      {summary.outcome && (
        <p class="pad outcome">
          <b>{outcomeTitle(summary.outcome)}</b> <Prose text={summary.outcome.text} />
        </p>
      )}
      {kinds.length > 0 && (
        <div class="pad where flexrow">
          {kinds.map((key) => (
            <a
              key={key}
              class={`chip ${key === "guard" ? "restart" : "error"}`}
              href={address(["export"], { kind: key })}
            >
              {kindCount(key, summary.counts[key])}
            </a>
          ))}
          <a href={address(["export"])}>Details and fixes</a>
        </div>
      )}
    </Panel>
  );
}

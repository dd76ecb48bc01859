// The issues of the overview: filtered by kind, sorted and grouped as the address says (`?kind=graph_break&sort=time&group=place`).
import { useMemo } from "preact/hooks";
import { replaceQuery, useAddress } from "../../lib/address";
import { count, plural } from "../../lib/text";
import { isCompile, type Report } from "../../store/report";
import { GROUPS, groupsOf, kindsOf, kindWords, shownFindings, SORTS } from "../../store/issues";
import { FindingItem } from "../../ui/FindingItem";
import { Empty, Panel, useAll } from "../../ui/page";
import { QueryLink, Toggle, Select } from "../../ui/PageHead";

const LIMIT = 15;
const CONTROLS_FROM = 4; // fewer issues need no controls

export function Issues({ report }: { report: Report }) {
  const { kind, sort = "", group = "" } = useAddress().query;
  const shown = useMemo(() => shownFindings(report.findings, kind, sort), [report, kind, sort]);
  const [listed, button] = useAll(shown, LIMIT);
  const { length } = report.findings;
  if (!report.compiles.some(isCompile) && !length) return null;
  return (
    <Panel
      title="Issues"
      note={length > 1 ? `${plural(length, "cause")}, most important first` : length ? "1 cause" : null}
    >
      {length === 0 && <None report={report} />}
      {length >= CONTROLS_FROM && <Controls report={report} kind={kind} sort={sort} group={group} />}
      {groupsOf(listed, group).map(({ name, findings }) => (
        <div key={name}>
          {name && (
            <h3 class="pad issues-group">
              {name} <span class="muted">{count(findings.length)}</span>
            </h3>
          )}
          {findings.map((finding) => (
            <FindingItem key={report.findings.indexOf(finding)} finding={finding} />
          ))}
        </div>
      ))}
      {length > 0 && !shown.length && (
        <Empty title="No issue of this kind">
          <QueryLink query={{ kind: null }}>Show all {count(length)}</QueryLink>
        </Empty>
      )}
      {button}
    </Panel>
  );
}

function None({ report }: { report: Report }) {
  const unmeasured = report.totals.statuses.missing;
  return (
    <Empty title="✓ No issues found">
      {unmeasured
        ? `The log has no metrics for ${plural(unmeasured, "compile")}; ahead-of-time compiles usually log none.`
        : report.export?.outcome?.known === false
          ? "No failures, graph breaks, recompiles or cache bypasses."
          : "Every compile succeeded, without graph breaks, recompiles or cache bypasses."}
    </Empty>
  );
}

function Controls(of: { report: Report; kind: string | undefined; sort: string; group: string }) {
  const kinds = useMemo(() => kindsOf(of.report.findings), [of.report]);
  const select = (name: "sort" | "group", label: string, value: string, choices: Readonly<Record<string, string>>) => (
    <label>
      {label}{" "}
      <Select
        label={label}
        value={value}
        onChange={(to) => replaceQuery({ [name]: to || null })}
        options={Object.entries(choices)}
      />
    </label>
  );
  return (
    <div class="pad issues-controls flexrow">
      {kinds.length > 1 && (
        <div class="toggles" role="group" aria-label="Kind of issue">
          {kinds.map(([name, findings]) => (
            <Toggle key={name} on={of.kind === name} query={{ kind: of.kind === name ? null : name }}>
              {kindWords(name)} {count(findings)}
            </Toggle>
          ))}
        </div>
      )}
      {select("sort", "Sort by", of.sort, SORTS)}
      {select("group", "Group by", of.group, GROUPS)}
    </div>
  );
}

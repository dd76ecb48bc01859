import { address } from "../../lib/address";
import { firstLine, middle } from "../../lib/format";
import { failureLine } from "../../store/failure-line";
import { CompileChip } from "../../ui/Chip";
import { Panel } from "../../ui/Panel";
import { PlaceText } from "../../ui/PlaceText";
import { useStore } from "../../ui/context";

/** Failures and restarts in short; all of it is on their page. */
export function OverviewFailures() {
  const { report } = useStore();
  const restarted = report.compiles.filter((compile) => compile.restarts.length > 0);
  const failures = [...report.failures, ...(report.backward_failures ?? [])];
  const total = failures.length + restarted.length;
  if (!total) return null;
  return (
    <Panel title="Failures and restarts" note={<a href={address(["failures"])}>All {total}</a>}>
      <table>
        <thead>
          <tr>
            <th>Id</th>
            <th>Kind</th>
            <th class="full">Reason</th>
            <th class="roomy">Place</th>
          </tr>
        </thead>
        <tbody>
          {failures.slice(0, 6).map((failure, i) => (
            <tr key={`f${i}`}>
              <td>
                <CompileChip id={failure.compile} />
              </td>
              <td class="mono" title={failure.type ?? ""}>
                {middle(failure.type ?? "?", 28)}
              </td>
              <td class="cut" title={failure.reason ?? ""}>
                {failureLine(failure.reason ?? "", 120)}
              </td>
              <td class="roomy">
                <PlaceText place={failure.place && { ...failure.place, function: null }} limit={30} />
              </td>
            </tr>
          ))}
          {restarted.slice(0, 4).map((compile) => (
            <tr key={compile.key}>
              <td>
                <CompileChip id={compile.key} />
              </td>
              <td>restart</td>
              <td class="cut" title={compile.restarts.join("\n")}>
                {firstLine(compile.restarts[0]!, 120)}
              </td>
              <td class="roomy">
                <PlaceText place={compile.frame && { ...compile.frame, function: null }} limit={30} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

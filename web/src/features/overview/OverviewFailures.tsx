import { address } from "../../lib/address";
import { middle } from "../../lib/text";
import { failureCauses, restartCauses } from "../../store/failures";
import { CompileChips } from "../../ui/compile";
import { Panel, useStore, Table } from "../../ui/page";
import { Prose } from "../../ui/text";

/** Failures and restarts in short; all of it is on their page. */
export function OverviewFailures() {
  const { report } = useStore();
  const causes = [...failureCauses(report), ...restartCauses(report)];
  const more = address(["failures"]);
  if (!causes.length) return null;
  return (
    <Panel title="Failures and restarts" note={<a href={more}>All {causes.length}</a>}>
      <Table class="flow" head={["Id", "Kind", ["full", "Cause"]]}>
        {causes.slice(0, 10).map(({ title, types: [type = "restart"], compiles }) => (
          <tr key={title + compiles[0]}>
            <td>
              <CompileChips ids={compiles} limit={2} more={more} />
            </td>
            <td class="kind" title={type}>
              {middle(type, 28)}
            </td>
            <td class="cut" title={title}>
              <Prose text={title} />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

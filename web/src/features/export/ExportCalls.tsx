import { address } from "../../lib/address";
import { count } from "../../lib/text";
import { CALL_OUTCOMES, callMode, type ExportCall, type ExportData } from "../../store/export";
import { CompileChip } from "../../ui/compile";
import { Panel, Table } from "../../ui/page";
import { PlaceText } from "../../ui/text";

const SHOWN = 100;

/** Each call of torch.export in the log, and how it ended. */
export function Calls({ data }: { data: ExportData }) {
  if (data.calls.length < 2) return null;
  const more = data.calls.length - SHOWN;
  return (
    <Panel title="Calls" note={more > 0 ? `the first ${count(SHOWN)} of ${count(data.calls.length)}` : undefined}>
      <Table class="flow export-calls" head={["Id", "Mode", "Outcome", ["full", "Called at"]]}>
        {data.calls.slice(0, SHOWN).map((call) => (
          <tr key={`${call.compile} ${call.line}`}>
            <td>
              <CompileChip id={call.compile} />
            </td>
            <td>{callMode(call)}</td>
            <td>
              <Outcome call={call} />
            </td>
            <td>
              {call.place ? <PlaceText place={call.place} limit={80} /> : <span class="muted">not logged</span>}
              {call.caller && (
                <>
                  {" "}
                  <span class="muted">from</span> <PlaceText place={call.caller} limit={80} />
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function Outcome({ call }: { call: ExportCall }) {
  const words = CALL_OUTCOMES[call.outcome];
  if (call.failure === null) return <>{words}</>;
  return <a href={address(["export"], { n: String(call.failure) })}>{words}</a>;
}

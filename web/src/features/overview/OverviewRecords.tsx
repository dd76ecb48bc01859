// What rarer records say of the whole run: the profile of dynamic shapes, native kernels.
import { count, plural, time } from "../../lib/text";
import { profileAction } from "../../store/records";
import type { NativeKernel, Pgo, Report } from "../../store/report";
import { CompileChip } from "../../ui/compile";
import { CopyButton } from "../../ui/text";
import { Panel, Table } from "../../ui/page";

export function OverviewRecords({ report }: { report: Report }) {
  const { pgo, native_kernels: native } = report;
  return (
    <>
      {pgo && <Profile pgo={pgo} />}
      {native && <Native kernels={native.list} more={native.more} />}
    </>
  );
}

const SHOWN = 12;

function Profile({ pgo }: { pgo: Pgo }) {
  const more = pgo.records.length - SHOWN + pgo.more_records;
  return (
    <Panel title="PGO profile">
      <ul class="plainlist">
        {pgo.records.slice(0, SHOWN).map((record) => (
          <li key={record.line}>
            <CompileChip id={record.compile} /> {profileAction(record)}
            {record.changes.length > 0 && (
              <span class="muted">
                , {count(record.changes.length)} {record.action === "read" ? "dynamic" : "became dynamic"}
              </span>
            )}
          </li>
        ))}
        {more > 0 && <li class="muted">{count(more)} more</li>}
      </ul>
      {pgo.suggested_dynamic_sources && (
        <div class="pad record-env">
          <code>TORCH_COMPILE_DYNAMIC_SOURCES="{pgo.suggested_dynamic_sources}"</code>{" "}
          <CopyButton
            text={`TORCH_COMPILE_DYNAMIC_SOURCES="${pgo.suggested_dynamic_sources}"`}
            title="Copy the setting"
          />
          <p class="muted">
            PyTorch suggests this setting in the log, to compile these sources dynamically from the start.
          </p>
        </div>
      )}
    </Panel>
  );
}

function Native({ kernels, more }: { kernels: readonly NativeKernel[]; more: number }) {
  return (
    <Panel title="Native kernels" note={plural(kernels.length, "operator")}>
      <Table head={["Operator", "DSL", ["num", "Calls"], ["num", "Compiled"], ["num", "Compile time"]]}>
        {kernels.slice(0, 40).map((kernel) => (
          <tr key={kernel.line}>
            <td class="mono wrap">{kernel.op ?? "–"}</td>
            <td>{kernel.dsl ?? "–"}</td>
            <td class="num">{count(kernel.calls)}</td>
            <td class="num">{count(kernel.compiled)}</td>
            <td class="num">{time(kernel.compile_us)}</td>
          </tr>
        ))}
      </Table>
      {kernels.length + more > 40 && <p class="pad muted">More in report.json.</p>}
    </Panel>
  );
}

import { address, go, toCompile } from "../../lib/address";
import { count, firstLine, time } from "../../lib/text";
import { CompileChip, CompileFrame } from "../../ui/compile";
import { Panel, useStore, Table } from "../../ui/page";
import { why } from "../../store/why";

/** The compiles that took longest. */
export function Slowest() {
  const { report } = useStore();
  const rows = report.compiles
    .filter((compile) => compile.time_us)
    .sort((a, b) => b.time_us! - a.time_us!)
    .slice(0, 8);
  if (!rows.length) return null;
  return (
    <Panel
      title="Slowest compiles"
      note={<a href={address(["compiles"], { sort: "-time" })}>All {count(report.totals.compiles)}</a>}
    >
      <Table
        head={[
          "Id",
          "Frame",
          ["num", "Compile time"],
          ["num wide", "Dynamo"],
          ["num wide", "Backend"],
          ["num wide", "Backward"],
          ["num roomy", "Ops"],
          ["num roomy", "Guards"],
          ["wide", "Why compiled"],
        ]}
      >
        {rows.map((compile) => (
          <tr
            key={compile.key}
            onClick={(event) => !(event.target as Element).closest("a") && go(toCompile(compile.key))}
          >
            <td>
              <CompileChip id={compile.key} />
            </td>
            <td class="cut">
              <CompileFrame compile={compile} />
            </td>
            <td class="num">{time(compile.time_us)}</td>
            <td class="num wide" title="Dynamo, self time">
              {time(compile.own_us.dynamo)}
            </td>
            <td class="num wide" title="The backend, with AOTAutograd and Inductor if it uses them">
              {time(compile.phases_us.aot ?? compile.phases_us.inductor)}
            </td>
            <td class="num wide">{time(compile.backward_us)}</td>
            <td class="num roomy">{count(compile.graph.ops)}</td>
            <td class="num roomy">{count(compile.guards)}</td>
            <td class="cut muted wide why" title={compile.recompile_reasons[0] ?? ""}>
              {firstLine(why(report, compile), 80)}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

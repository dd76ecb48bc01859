import { address } from "../../lib/address";
import { bytes, count, moment, percent, plural, time } from "../../lib/text";
import { cacheName } from "../../store/cache-misses";
import { graphTime, profileOf } from "../../store/profile";
import { type CacheCounts, faultCount, type Report } from "../../store/report";
import { cacheCounts } from "../../store/records";
import { unattributedRecords } from "../../store/unattributed";
import { CompileChips } from "../../ui/compile";
import { Facts, Panel } from "../../ui/page";
import { FileLinks, versionFacts } from "../../ui/run-facts";
import { Soft } from "../../ui/text";
import { OverviewRecords } from "./OverviewRecords";

const FILES = [
  "raw.log",
  "raw.jsonl",
  "report.json",
  "compile_directory.json",
  "chromium_events.json",
  "failures_and_restarts.html",
];

/** Where the report has a profile, its page. Otherwise what such a log cannot answer. */
function RunTime({ report }: { report: Report }) {
  const profile = profileOf(report);
  return profile ? (
    <a href={address(["runtime"])}>
      {time(graphTime(profile))} in {plural(profile.graph_calls.calls, "graph call")}
    </a>
  ) : (
    <span title="The log has the compiler's work, some of it at run time: benchmarks of kernels, recording of CUDA graphs. It does not have how long calls of the compiled code take.">
      not in the log; measure it with <code>torch.profiler</code>
    </span>
  );
}

/** Versions, caches, the log. */
export function RunFacts({ report }: { report: Report }) {
  const { run, log } = report;
  const largest = log.kinds.reduce((a, b) => (b.bytes > (a?.bytes ?? -1) ? b : a), log.kinds[0]);
  const faults = faultCount(log);
  return (
    <aside>
      <Panel title="Run">
        <Facts
          dash
          facts={[
            ...versionFacts(run, "not in the log"),
            ...(run.rank === null
              ? []
              : [["rank", `${run.rank}${run.world_size ? ` of ${run.world_size}` : ""}`] as const]),
            ["started", moment(run.started)],
            ["duration", <span title="From the first to the last timestamp in the log">{time(run.duration_us)}</span>],
            ["run time", <RunTime key="run" report={report} />],
            [
              "config",
              report.parts.configs || report.settings_in_effect?.length ? (
                <a href={address(["config"])}>
                  {report.config_differences?.length
                    ? plural(report.config_differences.length, "difference")
                    : "settings"}
                </a>
              ) : (
                "–"
              ),
            ],
          ]}
        />
      </Panel>
      <Made report={report} />
      <Panel title="Caches">
        <Facts facts={Object.entries(report.caches).map(([key, counts]) => [cacheName(key), cacheText(counts)])} />
      </Panel>
      <OverviewRecords report={report} />
      <Panel title="Log">
        <Facts
          facts={[
            ["records", count(log.records)],
            [
              "size",
              log.other_ranks_bytes
                ? `${bytes(log.bytes)}, ${bytes(log.other_ranks_bytes)} from other ranks`
                : bytes(log.bytes),
            ],
            [
              "largest kind",
              largest && (
                <a href={address(["log"])}>
                  <Soft text={largest.name ?? largest.key} />,{" "}
                  {percent(largest.bytes, log.bytes - (log.other_ranks_bytes ?? 0))}
                </a>
              ),
            ],
            ["unknown kinds", log.unknown_keys.length || null],
            [
              "warnings",
              faults ? (
                <a class="chip error" href={address(["log"])}>
                  ✕ {count(faults)}
                </a>
              ) : (
                <span class="chip ok">✓ none</span>
              ),
            ],
          ]}
        />
      </Panel>
      <FileLinks names={FILES} />
    </aside>
  );
}

/** How far the compiler came: kinds of records, and which of them have a page. */
const MADE: readonly (readonly [kind: string, name: string, page?: string])[] = [
  ["dynamo_output_graph", "Dynamo graphs"],
  ["aot_inference_graph", "inference graphs"],
  ["aot_forward_graph", "forward graphs"],
  ["aot_backward_graph", "backward graphs"],
  ["compiled_autograd_graph", "autograd graphs"],
  ["optimize_ddp_split_child", "DDP subgraphs"],
  ["inductor_output_code", "output code"],
  ["graph_dump", "dumped graphs"],
  ["exported_program", "exported programs", "export"],
  ["symbolic_shape_specialization", "specializations"],
  ["create_symbol", "size symbols"],
  ["guard_added_fast", "size guards"],
  ["create_unbacked_symbol", "unbacked symbols"],
  ["inductor_provenance_tracking_node_mappings", "provenance mappings"],
];

/** The Dynamo graph with the most operations. */
function largestGraph(report: Report) {
  const [largest] = [...report.compiles]
    .filter((compile) => compile.graph?.ops)
    .sort((a, b) => b.graph.ops! - a.graph.ops!);
  if (!largest) return null;
  const { ops, inputs, parameters, parameter_bytes: weight } = largest.graph;
  const weights = parameters ? `, ${plural(parameters, "parameter")}${weight ? ` of ${bytes(weight)}` : ""}` : "";
  return (
    <a
      href={address(["c", largest.key])}
      title={`Dynamo graph of ${largest.key.replace("#", " #")}; inputs include parameters and buffers`}
    >
      {plural(ops!, "op")}
      {inputs ? `, ${plural(inputs, "input")}` : ""}
      {weights}
    </a>
  );
}

/** The compiles of torch._dynamo.export, which makes no exported program. */
function exportedCompiles(report: Report) {
  const exported = report.compiles.filter((compile) => compile.exported);
  return exported.length ? <CompileChips ids={exported.map((compile) => compile.key)} limit={6} /> : null;
}

function Made({ report }: { report: Report }) {
  const counts = new Map<string, number>();
  for (const kind of report.log.kinds)
    counts.set(kind.name ?? kind.key, (counts.get(kind.name ?? kind.key) ?? 0) + kind.records);
  const facts = MADE.filter(([kind]) => counts.get(kind)).map(
    ([kind, name, page]) =>
      [name, page ? <a href={address([page])}>{count(counts.get(kind))}</a> : count(counts.get(kind))] as const,
  );
  const kernels = report.kernels.generated;
  const restarts = report.totals.restarts;
  const outside = unattributedRecords(report.unattributed, report.more_unattributed);
  if (!facts.length && !kernels && !restarts) return null;
  return (
    <Panel title="Artifacts">
      <Facts
        facts={[
          ...facts,
          ["largest graph", largestGraph(report)],
          ["exported compiles", exportedCompiles(report)],
          ["kernels", kernels ? <a href={address(["kernels"])}>{count(kernels)}</a> : null],
          [
            "no compile id",
            outside ? (
              <a href={address(["stacks"], { view: "unattributed" })} title="Records with a stack, by caller">
                {plural(outside, "record")}
              </a>
            ) : null,
          ],
          [
            "restarts",
            restarts ? (
              <a href={address(["failures"])}>
                {count(restarts)}
                {report.totals.restart_us ? ` (${time(report.totals.restart_us)})` : ""}
              </a>
            ) : null,
          ],
        ]}
      />
    </Panel>
  );
}

export function cacheText(counts: CacheCounts): string {
  return cacheCounts(counts) || "no record";
}

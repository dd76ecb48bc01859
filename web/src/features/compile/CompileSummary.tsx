import { type ComponentChildren } from "preact";
import { address, toCompile } from "../../lib/address";
import { bytes, count, plural, time } from "../../lib/text";
import { processOf } from "../../store/compile-name";
import { callerNote } from "../../store/caller";
import {
  type Compile,
  type Details,
  type Failure,
  type Finding,
  frameName,
  isCompile,
  type Report,
} from "../../store/report";
import { compileTimes, profileOf } from "../../store/profile";
import { isRefused } from "../../store/recompiles";
import { CompileChip, namesakes, StatusChip } from "../../ui/compile";
import { type Fact, Facts, Panel, useStore, Table } from "../../ui/page";
import { Fix, LongText, PlaceText, Prose, StackList } from "../../ui/text";
import { PhaseBar } from "../../ui/PhaseBar";
import { BytecodePanel, SideEffectsPanel } from "./BytecodePanel";
import { CompileCaches } from "./CompileCaches";
import { CompileRecords } from "./CompileRecords";
import { StepChanges } from "../../ui/RecompileChain";
import { RunPanel } from "./RunPanel";
import { Unfinished } from "../../ui/Unfinished";

export function CompileSummary({ compile, details }: { compile: Compile; details: Details }) {
  const { report } = useStore();
  // A graph break is listed as such, with its place; the text of the log is among the attempts.
  const breaks = compile.graph_breaks.map((n) => report.graph_breaks[n]?.reason.split("\n")[0]);
  const restarts = compile.restarts.filter((reason) => !breaks.includes(reason.split("\n")[0]));
  const explained = (failures: Report["failures"]) => {
    const n = failures.find((failure) => failure.compile === compile.key)?.finding;
    return n === null || n === undefined ? undefined : report.findings[n];
  };
  return (
    <div class="summary" data-scroll="summary" tabIndex={0}>
      <div class="cols">
        <div>
          {compile.failure && (
            <FailurePanel title="Failure" failure={compile.failure} finding={explained(report.failures)} />
          )}
          {compile.backward_failure && (
            <FailurePanel
              title="Backward failure"
              failure={compile.backward_failure}
              finding={explained(report.backward_failures ?? [])}
            />
          )}
          <Unfinished of={compile} />
          {compile.time_us || compile.runtime_us ? (
            <Panel>
              <div class="bars">
                <PhaseBar of={compile} />
              </div>
            </Panel>
          ) : null}
          <RecompilePanel compile={compile} />
          <CudaGraphsPanel compile={compile} />
          {restarts.length > 0 && (
            <Panel title="Restart reasons">
              {restarts.map((reason, i) => (
                <LongText key={i} text={reason} class="pad" />
              ))}
            </Panel>
          )}
          {compile.graph_breaks.length > 0 && (
            <Panel title="Graph breaks">
              <ul class="plainlist">
                {compile.graph_breaks.map((n) => {
                  const item = report.graph_breaks[n];
                  return (
                    item && (
                      <li key={n}>
                        <a href={address(["breaks"], { n: String(n) })}>{item.reason.split("\n")[0]}</a>{" "}
                        <PlaceText place={item.place} />
                      </li>
                    )
                  );
                })}
              </ul>
            </Panel>
          )}
          <CompileRecords compile={compile} artifacts={details.artifacts} />
          {compile.cache.length > 0 && <CompileCaches compile={compile} />}
          <StackPanel compile={compile} />
          <BytecodePanel id={compile.key} artifacts={details.artifacts} />
          <SideEffectsPanel id={compile.key} artifacts={details.artifacts} />
          <RunPanel id={compile.key} artifacts={details.artifacts} />
          {!details.metrics && isCompile(compile) && (
            <Panel title="Metrics">
              <p class="pad muted">No compilation_metrics in the log: compile time unknown.</p>
            </Panel>
          )}
        </div>
        <CompileFacts compile={compile} />
      </div>
    </div>
  );
}

/** What its issues say of CUDA graphs. */
function CudaGraphsPanel({ compile }: { compile: Compile }) {
  const found = useStore().report.findings.filter(
    ({ kind, compiles }) =>
      (kind === "cudagraph_skip" || kind === "cudagraph_recordings") && compiles.includes(compile.key),
  );
  if (!found.length) return null;
  return (
    <Panel title="CUDA graphs">
      {found.map(({ title, why, advice }) => (
        <p key={title} class="pad">
          <Prose text={`${[title, why].filter(Boolean).join(". ")}${advice ? ` ${advice}` : ""}`} />
        </p>
      ))}
    </Panel>
  );
}

/** The changes that led to this version; the text of the log is below, or alone where no change is known. */
function RecompilePanel({ compile }: { compile: Compile }) {
  const { report } = useStore();
  const n = report.recompiles.findIndex((one) => one.steps.some((step) => step.compile === compile.key));
  const item = report.recompiles[n];
  const step = item?.steps.find((one) => one.compile === compile.key);
  const reasons = compile.recompile_reasons;
  if (!reasons.length && !step?.changes.length) return null;
  const texts = reasons.map((reason, i) => <LongText key={i} text={reason} class="pad" />);
  return (
    <Panel
      title={isRefused(compile.failure) ? "No version matched" : "Recompile reason"}
      note={item && <a href={address(["recompiles"], { n: String(n) })}>all versions</a>}
    >
      {item && step && (
        <div class="pad versions">
          <div class="wrap">
            <StepChanges step={step} item={item} />
          </div>
        </div>
      )}
      {item && step
        ? reasons.length > 0 && (
            <details class="pad raw">
              <summary>recompile_reasons in the log</summary>
              {texts}
            </details>
          )
        : texts}
    </Panel>
  );
}

function CompileFacts({ compile }: { compile: Compile }) {
  const store = useStore();
  return (
    <aside>
      <Panel title="Facts">
        <Facts
          facts={[
            ["status", isCompile(compile) ? <StatusChip compile={compile} /> : "outside of compiles"],
            [
              "generation",
              store.names.generations(compile.key) > 1 ? (
                <span title={store.names.explain(compile.key)}>
                  {compile.generation} of {store.names.generations(compile.key)}
                </span>
              ) : null,
            ],
            ["exported by", compile.exported ? "torch._dynamo.export" : null],
            ["process", processOf(compile)],
            ["compile time", time(compile.time_us)],
            ["forward", compile.backward_us === null ? null : time(compile.forward_us)],
            ["backward", compile.backward_us === null ? null : time(compile.backward_us)],
            ["discarded traces", compile.restart_us ? time(compile.restart_us) : null],
            [
              "work at run time",
              compile.runtime_us === null ? null : (
                <span title="autotuning, CUDA graph recording and other compiler work at run time; not part of compile time">
                  {time(compile.runtime_us)}
                </span>
              ),
            ],
            ...runFacts(store.report, compile),
            ["ops", count(compile.graph.ops)],
            ["nodes", count(compile.graph.nodes)],
            ["inputs", count(compile.graph.inputs)],
            [
              "parameters",
              compile.graph.parameters
                ? count(compile.graph.parameters) +
                  (compile.graph.parameter_bytes === null ? "" : `, ${bytes(compile.graph.parameter_bytes)}`)
                : null,
            ],
            [
              "guards",
              compile.guards === null ? null : (
                <a href={address(["c", compile.key], { tab: "guards" })}>{count(compile.guards)}</a>
              ),
            ],
            [
              "guard_count",
              compile.guard_count === null || compile.guard_count === compile.guards ? null : (
                <span title="PyTorch counts Dynamo's guards. Filters drop some; each of the others becomes one or several checks of the guard tree, or none. So either number can be the larger one">
                  {count(compile.guard_count)} of Dynamo
                </span>
              ),
            ],
            [
              "symbols",
              compile.shape_counts && (
                <a href={address(["c", compile.key], { tab: "shapes" })}>{count(compile.shape_counts.symbols)}</a>
              ),
            ],
            ["attempts", (compile.is_compile && compile.attempts.length) || null],
            ["graph breaks", compile.graph_breaks.length || null],
            ["subgraph", compile.subgraph],
            ["artifacts", `${count(compile.artifact_count)}, ${bytes(compile.bytes)}`],
            ["folder", <span class="mono">{compile.dirs.join(", ")}</span>],
          ]}
        />
      </Panel>
      <FrameChain compile={compile} />
      <Namesakes compile={compile} />
    </aside>
  );
}

/** Its calls in the profile. */
function runFacts(report: Report, { key }: Compile): Fact[] {
  const profile = profileOf(report);
  const run = profile && compileTimes(profile).get(key);
  if (!run) return [];
  if (!run.calls && !run.total_us) return [["run time", <a href={address(["runtime"])}>no call in the profile</a>]];
  return [
    [
      "run time",
      <a href={address(["runtime"], { q: `[${key}]` })}>
        {time(run.total_us)} in {plural(run.calls, "call")}
      </a>,
    ],
    ["backward run time", run.backward_us ? time(run.backward_us) : null],
    ["device time", time(run.device_us)],
    ["guard checks", run.guard_us === null ? null : `${time(run.guard_us)} per call`],
  ];
}

interface OthersProps {
  keys: readonly string[];
  of: Compile;
  children: (key: string) => ComponentChildren;
}

/** Other compiles with their times, this one marked. */
function Others({ keys, of, children }: OthersProps) {
  const store = useStore();
  return (
    <Table head={["Compile", ["num", "Compile time"]]}>
      {keys.slice(0, OTHERS).map((key) => (
        <tr key={key} class={key === of.key ? "on" : ""}>
          {children(key)}
          <td class="num">{time(store.compile(key)?.time_us)}</td>
        </tr>
      ))}
    </Table>
  );
}

const OTHERS = 40;

function FrameChain({ compile }: { compile: Compile }) {
  const store = useStore();
  const n = store.report.recompiles.findIndex((item) => item.chain.includes(compile.key));
  const chain = store.report.recompiles[n]?.chain ?? [];
  if (chain.length < 2) return null;
  return (
    <Panel title="Versions" note={<a href={address(["recompiles"], { n: String(n) })}>recompiles</a>}>
      <Others keys={chain} of={compile}>
        {(key) => (
          <td>
            <a class="mono" href={toCompile(key)} aria-current={key === compile.key ? "true" : undefined}>
              {store.name(key)}
            </a>
          </td>
        )}
      </Others>
    </Panel>
  );
}

/** Ids are reused after torch._dynamo.reset() and by each process: other compiles with this id. */
function Namesakes({ compile }: { compile: Compile }) {
  const store = useStore();
  const all = namesakes(store.report, compile).map((one) => one.key);
  if (all.length < 2) return null;
  const other = (key: string): string => frameName(store.compile(key)!.frame);
  const title = (
    <>
      Same id <span class="mono">{compile.id}</span>
    </>
  );
  return (
    <Panel title={title} note={plural(all.length, "compile")}>
      <Others keys={all} of={compile}>
        {(key) => (
          <td class="wrap">
            <CompileChip id={key} />{" "}
            {other(key) !== frameName(compile.frame) && <span class="mono">{other(key) || "?"}</span>}
          </td>
        )}
      </Others>
      {all.length > OTHERS && <p class="pad muted">{count(all.length - OTHERS)} more</p>}
    </Panel>
  );
}

/** What the issue says about it, then the text of the log. */
function FailurePanel({ title, failure, finding }: { title: string; failure: Failure; finding: Finding | undefined }) {
  return (
    <Panel
      title={
        <>
          ✕ {title}: <span class="mono">{failure.type ?? "unknown"}</span>
        </>
      }
      class="bad"
    >
      <div class="pad">
        {failure.file && (
          <PlaceText place={{ file: failure.file, line: failure.line ?? 0, function: null }} full limit={90} />
        )}
        {finding && (
          <>
            <p>
              <Prose text={finding.title} />
            </p>
            {finding.why && (
              <p class="why">
                <Prose text={finding.why} />
              </p>
            )}
            <Fix finding={finding} />
          </>
        )}
        {failure.reason ? <LongText text={failure.reason} lines={16} /> : <p class="muted">No reason in the log.</p>}
      </div>
    </Panel>
  );
}

/** From the leaf to the root of the stack tree. */
function StackPanel({ compile }: { compile: Compile }) {
  const { stacks } = useStore().report;
  if (compile.stack === null) return null;
  const frames = [];
  for (let i = compile.stack, node = stacks[i]; node && frames.length < 30_000; i = node.parent, node = stacks[i])
    frames.push(node);
  if (!frames.length) return null;
  return (
    <Panel title="Stack" note={<a href={address(["stacks"], { q: compile.key })}>all stacks</a>}>
      <div class="pad">
        {compile.caller_from && <p class="muted">{callerNote(compile.caller_from)}</p>}
        <StackList frames={frames.reverse()} />
      </div>
    </Panel>
  );
}

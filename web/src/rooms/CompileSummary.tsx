import { address, toCompile } from "../base/address";
import { bytes, count, time } from "../base/format";
import { isCompile } from "../data/counts";
import type { Compile, Details, Failure } from "../data/types";
import { StatusChip } from "../parts/Chip";
import { Facts } from "../parts/Facts";
import { LongText } from "../parts/LongText";
import { Panel } from "../parts/Panel";
import { PhaseBar } from "../parts/PhaseBar";
import { PlaceText } from "../parts/PlaceText";
import { StackList } from "../parts/StackList";
import { useStore } from "../shell/context";
import { BytecodePanel, SideEffectsPanel } from "./BytecodePanel";
import { CompileRecords } from "./CompileRecords";
import { cacheName } from "./OverviewFacts";
import { RunPanel } from "./RunPanel";

export function CompileSummary({ compile, details }: { compile: Compile; details: Details }) {
  const { report } = useStore();
  return (
    <div class="summary" data-scroll="summary">
      <div class="cols">
        <div>
          {compile.failure && <FailurePanel title="Failure" failure={compile.failure} />}
          {compile.backward_failure && <FailurePanel title="Failure of the backward" failure={compile.backward_failure} />}
          {compile.time_us ? <Panel><div class="bars"><PhaseBar phases={compile.phases_us} total={compile.time_us} label="in all" /></div></Panel> : null}
          {compile.recompile_reasons.length > 0 && (
            <Panel title="Why it was compiled again" note="failing guards">
              {compile.recompile_reasons.map((reason, i) => <LongText key={i} text={reason} class="pad" />)}
            </Panel>
          )}
          {compile.restarts.length > 0 && <Panel title="Restarts" note="tracing began again with other assumptions">{compile.restarts.map((reason, i) => <LongText key={i} text={reason} class="pad" />)}</Panel>}
          {compile.graph_breaks.length > 0 && (
            <Panel title="Graph breaks">
              <ul class="plainlist">
                {compile.graph_breaks.map((n) => {
                  const item = report.graph_breaks[n];
                  return item && <li key={n}><a href={address(["breaks"], { n: String(n) })}>{item.reason.split("\n")[0]}</a> <PlaceText place={item.place} /></li>;
                })}
              </ul>
            </Panel>
          )}
          <CompileRecords compile={compile} artifacts={details.artifacts} />
          {compile.cache.length > 0 && <CachePanel compile={compile} />}
          <StackPanel compile={compile} />
          <BytecodePanel id={compile.id} artifacts={details.artifacts} />
          <SideEffectsPanel id={compile.id} artifacts={details.artifacts} />
          <RunPanel id={compile.id} artifacts={details.artifacts} />
          {!details.metrics && compile.frame_id !== null && <Panel title="Metrics"><p class="pad muted">This compile has no compilation_metrics: it was cut off, or the program ended before it.</p></Panel>}
        </div>
        <CompileFacts compile={compile} />
      </div>
    </div>
  );
}

function CompileFacts({ compile }: { compile: Compile }) {
  return (
    <aside>
      <Panel title="Facts">
        <Facts facts={[
          ["status", isCompile(compile) ? <StatusChip status={compile.status} /> : "outside of a compile"],
          ["time", time(compile.time_us)],
          ["ops", count(compile.graph.ops)],
          ["nodes", count(compile.graph.nodes)],
          ["inputs", count(compile.graph.inputs)],
          ["parameters", compile.graph.parameters ? `${count(compile.graph.parameters)}, ${bytes(compile.graph.parameter_bytes)}` : null],
          ["guards", compile.guards ? <a href={address(["c", compile.id], { tab: "guards" })}>{count(compile.guards)}</a> : count(compile.guards)],
          ["symbols", compile.shape_counts && <a href={address(["c", compile.id], { tab: "shapes" })}>{count(compile.shape_counts.symbols)}</a>],
          ["attempts", compile.attempts.length || null],
          ["graph breaks", compile.graph_breaks.length || null],
          ["subgraph", compile.subgraph],
          ["artifacts", `${count(compile.artifact_count)}, ${bytes(compile.bytes)}`],
          ["folder", <span class="mono">{compile.dirs.join(", ")}</span>],
        ]} />
      </Panel>
      <FrameChain compile={compile} />
    </aside>
  );
}

function FrameChain({ compile }: { compile: Compile }) {
  const store = useStore();
  const n = store.report.recompiles.findIndex((item) => item.chain.includes(compile.id));
  const chain = store.report.recompiles[n]?.chain ?? [];
  if (chain.length < 2) return null;
  return (
    <Panel title="Compiles of this frame" note={<a href={address(["recompiles"], { n: String(n) })}>why</a>}>
      <table>
        <tbody>
          {chain.slice(0, 40).map((id) => (
            <tr key={id} class={id === compile.id ? "on" : ""}><td><a class="mono" href={toCompile(id)} aria-current={id === compile.id ? "true" : undefined}>{id}</a></td><td class="num">{time(store.compile(id)?.time_us)}</td></tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function FailurePanel({ title, failure }: { title: string; failure: Failure }) {
  return (
    <Panel title={<>✕ {title}: <span class="mono">{failure.type ?? "unknown"}</span></>} class="bad">
      <div class="pad">
        {failure.file && <PlaceText place={{ file: failure.file, line: failure.line ?? null }} full limit={90} />}
        {failure.reason ? <LongText text={failure.reason} lines={16} /> : <p class="muted">The log gives no reason.</p>}
      </div>
    </Panel>
  );
}

const CACHE_CHIP = { hit: ["ok", "✓", "hit"], miss: ["restart", "✗", "miss"], bypass: ["empty", "○", "bypass"], pickle_failure: ["restart", "✗", "not saved"], exception: ["restart", "✗", "failed"] } as const;

function CachePanel({ compile }: { compile: Compile }) {
  return (
    <Panel title="Caches">
      <table>
        <tbody>
          {compile.cache.map((item, i) => {
            const [cls, sign, word] = CACHE_CHIP[item.result] ?? ["empty", "○", item.result];
            return <tr key={i}><td>{cacheName(item.cache)}</td><td><span class={`chip ${cls}`}>{sign} {word}</span></td><td class="wrap">{item.reason}</td></tr>;
          })}
        </tbody>
      </table>
    </Panel>
  );
}

/** From the leaf to the root of the stack tree. */
function StackPanel({ compile }: { compile: Compile }) {
  const { stacks } = useStore().report;
  if (compile.stack === null) return null;
  const frames = [];
  for (let i = compile.stack, node = stacks[i]; node && frames.length < 30_000; i = node.parent, node = stacks[i]) frames.push(node);
  if (!frames.length) return null;
  return <Panel title="Stack" note={<a href={address(["stacks"], { q: compile.id })}>in the tree</a>}><div class="pad"><StackList frames={frames.reverse()} /></div></Panel>;
}

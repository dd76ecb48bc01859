// One graph: how much is in use while it runs, what is alive at the peak, and what the forward saves by line.
import { toArtifact } from "../../lib/address";
import { bytes, count, percent, plural } from "../../lib/text";
import {
  chartOf,
  type GraphMemory,
  memoryKey,
  mostBytes,
  type SavedModule,
  savedBy,
  versionsOf,
} from "../../store/memory";
import { frameName } from "../../store/report";
import { CompileChip } from "../../ui/compile";
import { Facts, Table, useStore } from "../../ui/page";
import { Toggle } from "../../ui/PageHead";
import { SourceLine } from "../../ui/text";

const [WIDTH, HEIGHT] = [480, 120];

interface Props {
  graph: GraphMemory;
  close: string;
  /** the address of another graph */
  to: (graph: GraphMemory) => string;
  byModule: boolean;
}

export function MemoryDetails({ graph, close, to, byModule }: Props) {
  const compile = useStore().compile(graph.compile);
  const code = (line: number | null | undefined) =>
    toArtifact(graph.compile, graph.artifact, line ? `${line}` : undefined);
  const direction = graph.direction ?? "graph";
  return (
    <section class="sidepanel" aria-label={`Memory of ${direction} ${graph.compile}`} data-scroll="memory">
      <header>
        <h2>
          <CompileChip id={graph.compile} /> {direction}{" "}
          {compile?.frame && <span class="mono">{frameName(compile.frame)}</span>}
        </h2>
        <a class="button" href={close} aria-label="Close">
          ✕
        </a>
      </header>
      <p class="links">
        <a class="button" href={code(graph.derived ? graph.peak_line : graph.line)}>
          Code, line {(graph.derived ? graph.peak_line : graph.line) ?? 1}
        </a>
      </p>
      {graph.derived ? (
        <>
          <Sums graph={graph} />
          <Chart graph={graph} code={code} />
          <Saved graph={graph} byModule={byModule} />
          <Versions graph={graph} to={to} />
          <Buffers graph={graph} code={code} />
        </>
      ) : (
        <p>
          Not derived: {graph.not_derived}
          {graph.line !== null && `, line ${graph.line}`}. Nothing is said about the memory of this graph.
        </p>
      )}
    </section>
  );
}

function Sums({ graph }: { graph: GraphMemory }) {
  const least = graph.at_least ? "at least " : "";
  return (
    <Facts
      facts={[
        [
          "peak",
          graph.whole_peak_bytes == null
            ? null
            : `${least}${bytes(graph.whole_peak_bytes)}, with what the forward saved`,
        ],
        ["allocates", `${least}${bytes(graph.peak_bytes)} at a time`],
        ["keeps", `${bytes(graph.net_bytes)} after the call`],
        ["saved for the backward", graph.saved_bytes == null ? null : bytes(graph.saved_bytes)],
        ["inputs that the backward uses", graph.input_bytes ? `${bytes(graph.input_bytes)}, which exist anyway` : null],
        ["device", graph.device],
        ["may allocate more", graph.fallback && <span class="mono">{graph.fallback}</span>],
      ]}
    />
  );
}

type Code = (line: number | null | undefined) => string;

function Chart({ graph, code }: { graph: GraphMemory; code: Code }) {
  const shape = chartOf(graph, WIDTH, HEIGHT);
  if (!shape) return null;
  const { peak } = shape;
  return (
    <figure class="memory-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Memory in use during the call: ${bytes(peak.bytes)} at most`}
      >
        {shape.saved && <path class="saved" d={shape.saved} />}
        <path class="own" d={shape.own} />
      </svg>
      <figcaption>
        <span>
          <a href={code(peak.line)}>Line {peak.line}</a>: {bytes(peak.bytes)}
        </span>
        <span class="key own">allocated by the call</span>
        {shape.saved && <span class="key saved">saved by the forward</span>}
      </figcaption>
    </figure>
  );
}

/** Its name in the compile, with what is known of it. */
function ModuleName({ module }: { module: SavedModule | null }) {
  if (!module) return <p class="muted">Its module is unknown.</p>;
  const name = module.name || module.root;
  return (
    <p class="mono">
      {module.exact ? name : `${name}.…`}
      {!module.exact && <span class="muted"> it, or a module below it</span>}
    </p>
  );
}

function Saved({ graph, byModule }: { graph: GraphMemory; byModule: boolean }) {
  const hasModules = graph.saved?.some(({ module }) => module) ?? false;
  const by = byModule && hasModules ? "module" : "line";
  const groups = savedBy(graph, by);
  if (!groups.length) return null;
  const { saved_bytes: all = 0, more_saved: more = 0 } = graph;
  return (
    <>
      <h3>
        Saved for the backward
        {hasModules && (
          <Toggle on={byModule} query={{ by: byModule ? null : "module" }}>
            By module
          </Toggle>
        )}
      </h3>
      <ol class="saved-lines unmarked">
        {groups.map((group) => (
          <li key={group.key}>
            <p>
              <b>{bytes(group.bytes)}</b> {percent(group.bytes, all ?? 0)}{" "}
              <span class="muted mono">
                {group.tensors
                  .map(({ name, shape, dtype }) => `${name} ${dtype.replace("torch.", "")}${shape}`)
                  .join(", ")}
              </span>
            </p>
            {by === "module" ? (
              <ModuleName module={group.module} />
            ) : group.place ? (
              <SourceLine place={group.place} code={group.code} always />
            ) : (
              <p class="muted">No line of the graph computes it.</p>
            )}
          </li>
        ))}
      </ol>
      {more > 0 && <p class="note">{plural(more, "smaller tensor")} not in the report</p>}
    </>
  );
}

/** Bytes more or less than in the version before; nothing if there is none, or if one of the two is unknown. */
function Change({ by }: { by: number | null | undefined }) {
  if (!by) return null;
  return (
    <span class="muted">
      {" "}
      {by > 0 ? "+" : "−"}
      {bytes(Math.abs(by))}
    </span>
  );
}

/** The same graph in each version of the function. */
function Versions({ graph, to }: { graph: GraphMemory; to: (graph: GraphMemory) => string }) {
  const versions = versionsOf(useStore().report.memory ?? [], graph);
  if (versions.length < 2) return null;
  const saves = versions.some(({ saved_bytes }) => saved_bytes != null);
  return (
    <>
      <h3>Versions</h3>
      <Table head={["Compile", "Peak", "Keeps", ...(saves ? ["Saved"] : [])]}>
        {versions.map((one) => (
          <tr key={memoryKey(one)} aria-current={one === graph ? "true" : undefined}>
            <td>{one === graph ? <b>{one.compile}</b> : <a href={to(one)}>{one.compile}</a>}</td>
            {one.derived ? (
              <>
                <td class="num">
                  {one.at_least && "≥ "}
                  {bytes(mostBytes(one))}
                  <Change by={one.whole_peak_bytes == null ? one.before?.peak_change : one.before?.whole_peak_change} />
                </td>
                <td class="num">
                  {bytes(one.net_bytes)}
                  <Change by={one.before?.net_change} />
                </td>
                {saves && (
                  <td class="num">
                    {bytes(one.saved_bytes)}
                    <Change by={one.before?.saved_change} />
                  </td>
                )}
              </>
            ) : (
              <td class="muted" colSpan={saves ? 3 : 2}>
                not derived
              </td>
            )}
          </tr>
        ))}
      </Table>
    </>
  );
}

function Buffers({ graph, code }: { graph: GraphMemory; code: Code }) {
  const { buffers = [], more_buffers: more = 0 } = graph;
  if (!buffers.length) return null;
  return (
    <>
      <h3>Allocated by the call, at its peak</h3>
      <Table head={["Tensor", "Size", "Written by", "Freed"]}>
        {buffers.map((buffer) => (
          <tr key={buffer.name}>
            <td class="mono">
              <a href={code(buffer.line)}>{buffer.name}</a> {buffer.dtype.replace("torch.", "")}
              {buffer.shape}
            </td>
            <td class="num">{bytes(buffer.bytes)}</td>
            <td class="mono kernel">{buffer.kernel ?? "–"}</td>
            <td>
              {buffer.end_line !== null ? (
                <a href={code(buffer.end_line)}>line {buffer.end_line}</a>
              ) : buffer.returned ? (
                "a result"
              ) : (
                "at the end"
              )}
            </td>
          </tr>
        ))}
      </Table>
      {more > 0 && <p class="note">{count(more)} smaller</p>}
    </>
  );
}

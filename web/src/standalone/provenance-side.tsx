// Next to the panes: the kernels, and what belongs to the line or kernel that is held.
import { useMemo, useState } from "preact/hooks";
import { insideEncoded, withSearch } from "../lib/address";
import { baseName, count, plural } from "../lib/text";
import { splitHandle, type GraphSet, type Kernel, type Pane } from "./provenance-data";
import type { At } from "./provenance-panes";
import { isAlone, type Related } from "./provenance-relations";
import { placeKey } from "../lib/graph/line-sources";

export type Held = { at: At } | { kernel: number };

interface Props {
  set: GraphSet;
  panes: readonly Pane[];
  held: Held | null;
  related: Related | null;
  /** the text of a line, for the names of nodes */
  text: (at: At) => string;
  hold: (held: Held | null) => void;
  show: (at: At) => void;
}

export function Side(props: Props) {
  return (
    <aside class="side" aria-label="Kernels and what is held">
      <KernelList {...props} />
      {props.related && <HeldPanel {...props} related={props.related} />}
    </aside>
  );
}

const firstCall = (kernel: Kernel): number => Math.min(...[...kernel.calls.values()].flat(), Infinity);

function KernelList({ set, held, related, hold }: Props) {
  const [filter, setFilter] = useState("");
  const sorted = useMemo(
    () =>
      set.kernels
        .map((kernel, k) => ({ kernel, k }))
        .sort((a, b) => firstCall(a.kernel) - firstCall(b.kernel) || a.k - b.k),
    [set],
  );
  const shown = sorted.filter(({ kernel }) => kernel.name.toLowerCase().includes(filter.toLowerCase()));
  const current = held && "kernel" in held ? held.kernel : -1;
  return (
    <section class="kernels">
      <h3>
        {plural(set.kernels.length, set.kernels.some((kernel) => /:\d+$/.test(kernel.name)) ? "kernel call" : "kernel")}
      </h3>
      {!set.kernels.length && (
        <p class="muted">
          {set.mapped ? "No kernels in the node mapping." : "No node mapping of this graph in the log."}
        </p>
      )}
      {set.kernels.length > 8 && (
        <input
          type="search"
          placeholder="Filter kernels"
          aria-label="Filter kernels"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <ol>
        {shown.slice(0, 500).map(({ kernel, k }) => {
          const [name, handle] = splitHandle(kernel.name);
          return (
            <li key={k}>
              <button
                type="button"
                class={related?.kernels.includes(k) ? "part" : ""}
                aria-pressed={current === k}
                title={kernel.name}
                onClick={() => hold(current === k ? null : { kernel: k })}
              >
                <span class="name">
                  {name}
                  {handle && <span class="debug">:{handle}</span>}
                </span>
                <span class="num">
                  {kernel.guessed && !kernel.known.length ? "≈ " : ""}
                  {plural(kernel.nodes.length, "node")}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {shown.length > 500 && <p class="muted">and {count(shown.length - 500)} more: filter them</p>}
    </section>
  );
}

function HeldPanel({ set, panes, held, related, text, hold, show }: Props & { related: Related }) {
  const traces = insideEncoded(set.tracesUrl);
  const title = !held ? "" : "kernel" in held ? (set.kernels[held.kernel]?.name ?? "") : text(held.at).trim();
  return (
    <section class="held">
      <header>
        <h3 class="mono" title={title}>
          {title || "empty line"}
        </h3>
        <button type="button" onClick={() => hold(null)}>
          Unpin
        </button>
      </header>
      {isAlone(related) && <p class="muted">No known counterparts.</p>}
      {related.guessed.size > 0 && (
        <p class="muted">
          ≈ Not in the node mapping:{" "}
          {set.post === null || !related.lines.has(set.post) || related.guessed.has(set.post)
            ? "nodes"
            : "post-grad nodes by its code, pre-grad nodes"}{" "}
          by the source lines of its stack traces.
        </p>
      )}
      {related.sources.map((source) => (
        <p key={placeKey(source.file, source.line)} class="source">
          <button
            type="button"
            class="link mono"
            title={`${source.file}:${source.line}: show in the graph`}
            onClick={() => show({ pane: commentPane(set, related), line: source.comment })}
          >
            {baseName(source.file)}:{source.line}
          </button>{" "}
          {source.where}
          {source.code && <code>{source.code}</code>}
        </p>
      ))}
      {[set.pre, set.post].map(
        (pane) =>
          pane !== null && (
            <Nodes
              key={pane}
              title={panes[pane]?.title ?? ""}
              pane={pane}
              lines={[...(related.lines.get(pane) ?? [])].sort((a, b) => a - b)}
              text={text}
              show={show}
            />
          ),
      )}
      {related.kernels.slice(0, 20).map((k) => (
        <KernelFacts key={k} kernel={set.kernels[k]!} panes={panes} show={show} />
      ))}
      {related.kernels.length > 20 && <p class="muted">and {related.kernels.length - 20} kernels more</p>}
      {traces && related.kernels.length > 0 && (
        <p>
          <a href={withSearch(traces)}>All stack traces</a>
        </p>
      )}
    </section>
  );
}

/** The pane whose comments the sources are of. */
function commentPane(set: GraphSet, related: Related): number {
  return set.pre !== null && related.lines.has(set.pre) ? set.pre : (set.post ?? 0);
}

const NODES = 40;

interface NodesProps {
  title: string;
  pane: number;
  lines: number[];
  text: (at: At) => string;
  show: (at: At) => void;
}

function Nodes({ title, pane, lines, text, show }: NodesProps) {
  const [all, setAll] = useState(false);
  const nodes = lines.filter((line) => !text({ pane, line }).trim().startsWith("#"));
  if (!nodes.length) return null;
  return (
    <div class="nodes">
      <h4>
        {title}: {plural(nodes.length, "node")}
      </h4>
      {nodes.slice(0, all ? undefined : NODES).map((line) => (
        <button key={line} type="button" class="link mono" onClick={() => show({ pane, line })}>
          {nodeName(text({ pane, line }))}
        </button>
      ))}
      {!all && nodes.length > NODES && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          {nodes.length - NODES} more
        </button>
      )}
    </div>
  );
}

const nodeName = (text: string): string => text.split("=", 1)[0]!.split(":", 1)[0]!.trim().slice(0, 80) || "·";

function KernelFacts({ kernel, panes, show }: { kernel: Kernel; panes: readonly Pane[]; show: (at: At) => void }) {
  return (
    <div class="kernel">
      <h4 class="mono" title={kernel.name}>
        {kernel.name}
      </h4>
      <p class="jumps">
        {[...kernel.calls].flatMap(([pane, lines]) =>
          lines.slice(0, 12).map((line) => (
            <button key={`${pane} ${line}`} type="button" class="link" onClick={() => show({ pane, line })}>
              called in {panes[pane]?.title} {line}
            </button>
          )),
        )}
        {kernel.bodies.map((body) => (
          <button
            key={`${body.pane} body`}
            type="button"
            class="link"
            onClick={() => show({ pane: body.pane, line: body.from })}
          >
            own code, {panes[body.pane]?.title} {body.from}–{body.to}
          </button>
        ))}
      </p>
      {kernel.traces && <Traces id={kernel.traces} />}
    </div>
  );
}

/** The traces are in the page for readers without scripts; here they are said again, with the user's lines first in view. */
function Traces({ id }: { id: string }) {
  const traces = useMemo(
    () => [...(document.getElementById(id)?.querySelectorAll("pre") ?? [])].map((pre) => dedent(pre.textContent ?? "")),
    [id],
  );
  const distinct = [...new Set(traces)];
  if (!distinct.length) return null;
  return (
    <details open={distinct.length < 4}>
      <summary>{plural(distinct.length, "stack trace")}</summary>
      {distinct.slice(0, 50).map((trace, i) => (
        <pre key={i}>{trace}</pre>
      ))}
    </details>
  );
}

function dedent(text: string): string {
  const lines = text
    .replace(/\\n/g, "\n")
    .split("\n")
    .filter((line) => line.trim() && !/^[\s^~]+$/.test(line));
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length), 40);
  return lines.map((line) => line.slice(margin)).join("\n");
}

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { count, plural } from "../../lib/text";
import type { Viewer } from "../viewer/types";
import type { Graph, Source, Value } from "../../lib/graph/model";
import { typeRows } from "../../lib/graph/tensor-type";
import { type Followed, LateComputedBy } from "./late";
import { type GraphModules, ModuleLink } from "./modules";

interface Props {
  graph: Graph;
  viewer: Viewer;
  modules: GraphModules | null;
  followed: Followed | null;
  value: Value | null;
  source: Source | null;
  /** chooses another value */
  onValue: (value: Value, at: number) => void;
  /** shows a place of the value in the text */
  onPlace: (value: Value, at: number) => void;
  onSource: (source: Source) => void;
  /** shows the value in the drawing */
  onDraw: ((value: Value) => void) | null;
  onClose: () => void;
}

/** Rows that a list shows at first; a value may have thousands of uses. */
const SHOWN = 100;

/** Next to the text of a graph, or the table of its nodes: the chosen value with its uses, or the nodes of a source line, or all source lines. */
export function ValuePanel({ source, onClose, ...props }: Props) {
  const { graph, viewer, value, onValue, onSource } = props;
  return (
    <aside class="graph-panel" aria-label="Value">
      <header>
        <h3>{value ? "Value" : source ? "Source line" : "Source lines"}</h3>
        <button type="button" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      {value ? (
        <OfValue {...props} value={value} />
      ) : source ? (
        <OfSource viewer={viewer} source={source} onValue={onValue} />
      ) : (
        <SourceLines graph={graph} onSource={onSource} />
      )}
    </aside>
  );
}

type ValueProps = Omit<Props, "source" | "onClose"> & { value: Value };

function OfValue({ graph, viewer, modules, followed, value, onValue, onPlace, onSource, onDraw }: ValueProps) {
  const source = graph.sources[value.source];
  return (
    <>
      <p class="mono name">{value.name}</p>
      <NodeFacts
        facts={[
          ...typeRows(value.type),
          ["op", value.op],
          ["module", modules?.of(graph, value) && <ModuleLink modules={modules} graph={graph} value={value} />],
          ["op", value.kind === "input" && `input of ${value.scope.name || "the graph"}`, ""],
          [
            "from",
            source && (
              <>
                <button type="button" class="linklike mono" onClick={() => onSource(source)}>
                  {placeOf(source)}
                </button>
                {source.code && <span class="mono code">{source.code}</span>}
              </>
            ),
            "",
          ],
        ]}
      />
      <p class="row">
        <button type="button" onClick={() => onPlace(value, value.at)} title="F12, or Ctrl+click a use">
          Go to definition, line {count(viewer.lineOf(value.at))}
        </button>
        {onDraw && (
          <button type="button" onClick={() => onDraw(value)}>
            Show drawing
          </button>
        )}
      </p>
      <h4>Inputs {count(value.reads.length)}</h4>
      <Items
        items={value.reads}
        row={(read) => (
          <button type="button" class="linklike mono" onClick={() => onValue(read, read.at)}>
            {read.name} <small>{read.type}</small>
          </button>
        )}
      />
      <h4>Uses {count(value.uses.length)}</h4>
      {!value.uses.length && <p class="muted">No uses.</p>}
      <Items
        items={value.uses}
        row={(at) => (
          <button type="button" class="linklike mono" onClick={() => onPlace(value, at)}>
            line {count(viewer.lineOf(at))}
          </button>
        )}
      />
      <LateComputedBy of={followed} graph={graph} value={value} />
    </>
  );
}

function OfSource({ viewer, source, onValue }: Pick<Props, "viewer" | "onValue"> & { source: Source }) {
  return (
    <>
      <p class="mono name">{placeOf(source)}</p>
      {source.code && <p class="mono code">{source.code}</p>}
      <h4>Nodes {count(source.values.length)}</h4>
      <Items
        items={source.values}
        row={(value) => (
          <button type="button" class="linklike mono" onClick={() => onValue(value, value.at)}>
            {value.name}{" "}
            <small>
              {value.type || value.op} · line {count(viewer.lineOf(value.at))}
            </small>
          </button>
        )}
      />
    </>
  );
}

function SourceLines({ graph, onSource }: Pick<Props, "graph" | "onSource">) {
  const [text, setText] = useState("");
  const wanted = text.toLowerCase();
  const found = graph.sources.filter((source) => source.text.toLowerCase().includes(wanted));
  return (
    <>
      <p class="muted">
        Click a name in the text to see its type, its definition and its uses; or a source line to see the nodes it
        became.
      </p>
      <input
        type="search"
        aria-label="Filter source lines"
        placeholder="Filter source lines"
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
      />
      {!found.length && (
        <p class="muted">{graph.sources.length ? "No source line matches." : "No source lines in this text."}</p>
      )}
      <Items
        items={found}
        row={(source) => (
          <button type="button" class="linklike mono" title={source.text} onClick={() => onSource(source)}>
            {placeOf(source)}{" "}
            <small>
              {plural(source.values.length, "node")}
              {source.code && ` · ${source.code}`}
            </small>
          </button>
        )}
      />
    </>
  );
}

type NodeFact = readonly [name: string, value: ComponentChildren, cls?: string];

/** Names and values of a node, without those that it lacks. */
export function NodeFacts({ facts }: { facts: readonly NodeFact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value, cls = "mono"]) =>
          value && (
            <>
              <dt>{name}</dt>
              <dd class={cls}>{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}

export function Items<T>({ items, row }: { items: readonly T[]; row: (item: T) => preact.JSX.Element }) {
  const [all, setAll] = useState(false);
  return (
    <ul>
      {(all ? items : items.slice(0, SHOWN)).map((item) => (
        <li>{row(item)}</li>
      ))}
      {!all && items.length > SHOWN && (
        <li>
          <button type="button" onClick={() => setAll(true)}>
            Show all {count(items.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

export function placeOf(source: Source): string {
  if (!source.file) return source.text;
  const name = source.file.slice(source.file.lastIndexOf("/") + 1);
  return `${name}:${source.line}${source.func && ` in ${source.func}`}`;
}

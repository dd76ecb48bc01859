import { useState } from "preact/hooks";
import { count } from "../../lib/format";
import type { Bundles } from "../../lib/tl";
import type { Viewer } from "../viewer/types";
import type { Drawing, DrawnNode } from "../../lib/graph/drawing";
import type { Graph, Scope, Value } from "../../lib/graph/model";
import { typeRows } from "../../lib/graph/tensor-type";
import { Items, placeOf } from "./ValuePanel";

interface Props {
  kinds: Bundles["drawing"]["KINDS"];
  graph: Graph;
  drawing: Drawing;
  viewer: Viewer;
  selected: number;
  /** the subgraph that the node names */
  subgraph: Scope | null;
  found: Uint8Array | null;
  onSelect: (node: number) => void;
  onText: (value: Value) => void;
  onAround: (node: number, steps: number) => void;
  onScope: (scope: Scope) => void;
}

/** Beside the drawing: the chosen node in words, or all nodes as a list. It says all that the drawing shows. */
export function NodePanel(props: Props) {
  const { drawing, selected } = props;
  const node = drawing.nodes[selected];
  return (
    <aside class="graph-panel" aria-label="Node">
      {node ? <OfNode {...props} node={node} key={selected} /> : <AllNodes {...props} />}
    </aside>
  );
}

function OfNode({
  kinds,
  graph,
  drawing,
  viewer,
  selected,
  subgraph,
  onSelect,
  onText,
  onAround,
  onScope,
  node,
}: Props & { node: DrawnNode }) {
  const { value, kind } = node;
  const source = graph.sources[value.source];
  return (
    <>
      <header>
        <h3>Node</h3>
        <button type="button" onClick={() => onSelect(-1)} aria-label="Choose no node">
          ✕
        </button>
      </header>
      <p class="mono name">{value.kind === "output" ? "output" : value.name}</p>
      <p class="muted">
        {kinds[kind].sign} {kinds[kind].name}
      </p>
      <p class="row">
        <button type="button" onClick={() => onText(value)} title="Enter, or a second click on the node">
          Show in the text, line {count(viewer.lineOf(value.at))}
        </button>
        {subgraph && (
          <button type="button" onClick={() => onScope(subgraph)}>
            Draw this subgraph
          </button>
        )}
      </p>
      <p class="row" role="group" aria-label="Draw the neighbourhood only">
        <span class="muted">Draw only what is within</span>
        {[1, 2, 3].map((steps) => (
          <button
            type="button"
            onClick={() => onAround(selected, steps)}
            title={`Only nodes that are at most ${steps} arrows away`}
          >
            {steps} {steps === 1 ? "step" : "steps"}
          </button>
        ))}
      </p>
      <dl class="facts">
        {value.op && (
          <>
            <dt>target</dt>
            <dd class="mono">{value.op}</dd>
          </>
        )}
        {value.kind !== "output" &&
          typeRows(value.type).map(([key, text]) => (
            <>
              <dt>{key}</dt>
              <dd class="mono">{text}</dd>
            </>
          ))}
        {source && (
          <>
            <dt>from</dt>
            <dd class="mono">
              {placeOf(source)}
              {source.code && <span class="code">{source.code}</span>}
            </dd>
          </>
        )}
      </dl>
      <h4>Inputs {count(drawing.inputs[selected]!.length)}</h4>
      <Items
        items={drawing.inputs[selected]!}
        row={(i) => <NodeButton kinds={kinds} node={drawing.nodes[i]!} onClick={() => onSelect(i)} />}
      />
      <h4>Users {count(drawing.users[selected]!.length)}</h4>
      {!drawing.users[selected]!.length && (
        <p class="muted">{kind === "output" ? "The graph ends here." : "No node reads it."}</p>
      )}
      <Items
        items={drawing.users[selected]!}
        row={(i) => <NodeButton kinds={kinds} node={drawing.nodes[i]!} onClick={() => onSelect(i)} />}
      />
    </>
  );
}

function AllNodes({ kinds, drawing, found, onSelect }: Props) {
  const [legend, setLegend] = useState(false);
  const nodes = [...drawing.nodes.keys()].filter((i) => !found || found[i]);
  const there = new Set(drawing.nodes.map((node) => node.kind));
  return (
    <>
      <header>
        <h3>{found ? `Found ${count(nodes.length)}` : `Nodes ${count(nodes.length)}`}</h3>
        <button type="button" aria-expanded={legend} onClick={() => setLegend(!legend)}>
          Signs
        </button>
      </header>
      {legend && (
        <ul class="legend">
          {Object.entries(kinds)
            .filter(([kind]) => there.has(kind as DrawnNode["kind"]))
            .map(([kind, { sign, name }]) => (
              <li>
                <span class={`sign k-${kind}`} aria-hidden="true">
                  {sign}
                </span>{" "}
                {name}
              </li>
            ))}
          <li class="muted">
            Kinds go by the operator's name. Arrows lead from a value to what reads it; those over more than four ranks
            are dashed.
          </li>
        </ul>
      )}
      {!found && !legend && (
        <p class="muted">
          Click a node to see what it is, what it reads and who reads it. Wheel or two fingers zoom, a drag moves; arrow
          keys go along the arrows.
        </p>
      )}
      {found && !nodes.length && <p class="muted">No node's name, operator or type has these words.</p>}
      <Items
        items={nodes}
        row={(i) => <NodeButton kinds={kinds} node={drawing.nodes[i]!} onClick={() => onSelect(i)} />}
      />
    </>
  );
}

function NodeButton({ kinds, node, onClick }: { kinds: Props["kinds"]; node: DrawnNode; onClick: () => void }) {
  return (
    <button
      type="button"
      class="linklike mono"
      onClick={onClick}
      title={`${node.value.name} ${node.value.op} ${node.value.type}`}
    >
      <span aria-hidden="true">{kinds[node.kind].sign}</span> {node.kind === "output" ? "output" : node.value.name}{" "}
      <small>{node.kind === "input" || node.kind === "output" ? node.note : node.title}</small>
    </button>
  );
}

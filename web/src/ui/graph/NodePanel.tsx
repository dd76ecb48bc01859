import { useState } from "preact/hooks";
import { count } from "../../lib/text";
import type { Bundles } from "../../lib/tl";
import type { Viewer } from "../viewer/types";
import type { Drawing, DrawnNode } from "../../lib/graph/drawing";
import type { Graph, Scope, Value } from "../../lib/graph/model";
import { typeRows } from "../../lib/graph/tensor-type";
import { type Followed, LateComputedBy } from "./late";
import { type GraphModules, ModuleLink } from "./modules";
import { Items, NodeFacts, placeOf } from "./ValuePanel";
import { Soft } from "../text";

interface Props {
  kinds: Bundles["drawing"]["KINDS"];
  graph: Graph;
  drawing: Drawing;
  viewer: Viewer;
  modules: GraphModules | null;
  followed: Followed | null;
  selected: number;
  /** the subgraph that the node names */
  subgraph: Scope | null;
  found: Uint8Array | null;
  onSelect: (node: number) => void;
  onText: (value: Value) => void;
  onAround: (node: number, steps: number) => void;
  onScope: (scope: Scope) => void;
}

/** Next to the drawing: the chosen node, or a list of all nodes. It has all that the drawing shows. */
export function NodePanel(props: Props) {
  const { drawing, selected } = props;
  const node = drawing.nodes[selected];
  return (
    <aside class="graph-panel" aria-label="Node">
      {node ? <OfNode {...props} node={node} key={selected} /> : <AllNodes {...props} />}
    </aside>
  );
}

function OfNode({ node, ...props }: Props & { node: DrawnNode }) {
  const { kinds, graph, drawing, viewer, modules, followed, selected, subgraph } = props;
  const { onSelect, onText, onAround, onScope } = props;
  const { value, kind } = node;
  const source = graph.sources[value.source];
  return (
    <>
      <header>
        <h3>Node</h3>
        <button type="button" onClick={() => onSelect(-1)} aria-label="Deselect">
          ✕
        </button>
      </header>
      <p class="mono name">{value.kind === "output" ? "output" : value.name}</p>
      <p class="muted">
        {kinds[kind].sign} {kinds[kind].name}
      </p>
      <p class="row">
        <button type="button" onClick={() => onText(value)} title="Enter, or double-click the node">
          Show line {count(viewer.lineOf(value.at))}
        </button>
        {subgraph && (
          <button type="button" onClick={() => onScope(subgraph)}>
            Draw subgraph
          </button>
        )}
      </p>
      <p class="row" role="group" aria-label="Draw the neighborhood">
        <span class="muted">Draw within</span>
        {[1, 2, 3].map((steps) => (
          <button
            type="button"
            onClick={() => onAround(selected, steps)}
            title={`Nodes at most ${steps} ${steps === 1 ? "edge" : "edges"} away`}
          >
            {steps} {steps === 1 ? "step" : "steps"}
          </button>
        ))}
      </p>
      <NodeFacts
        facts={[
          ["target", value.op],
          ...(value.kind === "output" ? [] : typeRows(value.type)),
          ["module", modules?.of(graph, value) && <ModuleLink modules={modules} graph={graph} value={value} />],
          [
            "from",
            source && (
              <>
                {placeOf(source)}
                {source.code && <span class="code">{source.code}</span>}
              </>
            ),
          ],
        ]}
      />
      <h4>Inputs {count(drawing.inputs[selected]!.length)}</h4>
      <Nodes {...props} list={drawing.inputs[selected]!} />
      <h4>Users {count(drawing.users[selected]!.length)}</h4>
      {!drawing.users[selected]!.length && (
        <p class="muted">{kind === "output" ? "Output of the graph." : "No users."}</p>
      )}
      <Nodes {...props} list={drawing.users[selected]!} />
      <LateComputedBy of={followed} graph={graph} value={value} />
    </>
  );
}

function AllNodes(props: Props) {
  const { kinds, drawing, found } = props;
  const [legend, setLegend] = useState(false);
  const nodes = [...drawing.nodes.keys()].filter((i) => !found || found[i]);
  const there = new Set(drawing.nodes.map((node) => node.kind));
  return (
    <>
      <header>
        <h3>{found ? `Found ${count(nodes.length)}` : `Nodes ${count(nodes.length)}`}</h3>
        <button type="button" aria-expanded={legend} onClick={() => setLegend(!legend)}>
          Legend
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
          <li class="muted">Edges lead from a value to its users; those over more than four ranks are dashed.</li>
        </ul>
      )}
      {!found && !legend && (
        <p class="muted">
          Click a node for its inputs and users. Wheel or pinch zooms, drag pans, arrow keys follow edges.
        </p>
      )}
      {found && !nodes.length && <p class="muted">No node matches.</p>}
      <Nodes {...props} list={nodes} />
    </>
  );
}

/** Nodes of the drawing, by their places. */
function Nodes({ kinds, drawing, onSelect, list }: Props & { list: readonly number[] }) {
  return (
    <Items
      items={list}
      row={(i) => <NodeButton kinds={kinds} node={drawing.nodes[i]!} onClick={() => onSelect(i)} />}
    />
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
      <span aria-hidden="true">{kinds[node.kind].sign}</span>{" "}
      <Soft text={node.kind === "output" ? "output" : node.value.name} />{" "}
      <small>{node.kind === "input" || node.kind === "output" ? node.note : node.title}</small>
    </button>
  );
}

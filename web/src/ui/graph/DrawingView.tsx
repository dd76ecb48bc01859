// The drawing of a graph: its tools, the picture, and the panel of the node. The part that is drawn is in the address.
import { useMemo, useState } from "preact/hooks";
import { replaceQuery, useAddress } from "../../lib/address";
import { count, plural } from "../../lib/text";
import { useLoaded } from "../../lib/hooks";
import { Empty, Failed, Loading } from "../page";
import { bundle, type Bundles } from "../../lib/tl";
import { valueKey, valueOf, type Graph, type Scope, type Value } from "../../lib/graph/model";
import type { Viewer } from "../viewer/types";
import { WORKER_LIMIT } from "../../lib/graph/lay-out";
import type { Followed } from "./late";
import { boxTitle, type GraphModules } from "./modules";
import { NodePanel } from "./NodePanel";
import { PictureBox } from "./PictureBox";
import { Select } from "../PageHead";

interface Props {
  graph: Graph;
  viewer: Viewer;
  modules: GraphModules | null;
  followed: Followed | null;
  value: Value | null;
  onValue: (value: Value | null) => void;
  onText: (value: Value) => void;
}

/** So many nodes of a neighbourhood are drawn: more show nothing of what is near. */
const AROUND_LIMIT = 1000;

export function DrawingView(props: Props) {
  const loaded = useLoaded(() => bundle("drawing"), []);
  if (loaded.state === "loading") return <Loading what="the drawing" />;
  if (loaded.state === "failed") return <Failed error={loaded.error} />;
  return <Drawn {...props} code={loaded.value} />;
}

function Drawn({
  code,
  graph,
  viewer,
  modules,
  followed,
  value,
  onValue,
  onText,
}: Props & { code: Bundles["drawing"] }) {
  const { query } = useAddress();
  const scopes = useMemo(() => code.drawable(graph), [code, graph]);
  const scope = scopes.find((s) => String(s.index) === query.d) ?? scopes.find((s) => s === value?.scope) ?? scopes[0];
  const drawing = useMemo(() => scope && code.drawingOf(graph, scope), [code, graph, scope]);
  const [text, setText] = useState("");
  const found = useMemo(() => (drawing ? code.matching(drawing, text) : null), [code, drawing, text]);
  const near = /^([123])~(.+)$/.exec(query.near ?? "");
  const middle = near ? (drawing?.nodes.findIndex((node) => node.value === valueOf(graph, near[2]!)) ?? -1) : -1;
  const steps = near && middle >= 0 ? Number(near[1]) : 0;
  const [noWorker, setNoWorker] = useState(false);
  const tooMany = !steps && (noWorker || (drawing?.nodes.length ?? 0) > WORKER_LIMIT);
  const shown = useMemo(() => {
    if (!drawing || tooMany) return null;
    return steps ? code.around(drawing, middle, steps, AROUND_LIMIT) : { ...code.whole(drawing), cut: false };
  }, [code, drawing, steps, middle, tooMany]);
  const depth = modules ? Math.min(Number(query.box) || 0, modules.depth) : 0;
  const boxes = useMemo(
    () =>
      modules && drawing && shown && depth > 0
        ? code.boxesOf(drawing, shown.nodes, (one) => boxTitle(modules, graph, one, depth))
        : null,
    [code, graph, modules, drawing, shown, depth],
  );
  if (!scope || !drawing) return <Empty title="No graph in this text" />;
  const selected = value ? drawing.nodes.findIndex((node) => node.value === value) : -1;
  const select = (node: number) => {
    const chosen = drawing.nodes[node]?.value ?? null;
    onValue(chosen);
    // A node outside the neighborhood is shown by drawing its own neighborhood.
    if (chosen && steps && shown && !shown.nodes.includes(node)) replaceQuery({ near: `${steps}~${valueKey(chosen)}` });
  };
  const showAround = (node: number, far: number) =>
    replaceQuery({ near: `${far}~${valueKey(drawing.nodes[node]!.value)}` });
  const toScope = (to: Scope) => {
    onValue(null);
    setText("");
    setNoWorker(false);
    replaceQuery({ d: String(to.index), near: null, v: null });
  };
  const matches = found ? [...found.keys()].filter((i) => found[i]) : [];
  const nextMatch = (way: 1 | -1) => {
    if (!matches.length) return;
    const at = way === 1 ? matches.findIndex((i) => i > selected) : matches.findLastIndex((i) => i < selected);
    select(matches[at] ?? (way === 1 ? matches[0]! : matches[matches.length - 1]!));
  };
  const name = code.scopeName(scope);
  return (
    <>
      <div class="drawing fill">
        <div class="drawing-tools toolbar">
          {scopes.length > 1 && (
            <Select
              label="Graph"
              value={scope.index}
              onChange={(to) => toScope(scopes.find((s) => String(s.index) === to) ?? scope)}
              options={scopes.map((s) => [s.index, code.scopeName(s)])}
            />
          )}
          {modules && modules.depth > 0 && (
            <Select
              label="Boxes by module"
              title="How deep the modules are that have a box"
              value={depth}
              onChange={(to) => replaceQuery({ box: to === "0" ? null : to })}
              options={Array.from({ length: modules.depth + 1 }, (_, i) => [i, i ? `Modules, level ${i}` : "No boxes"])}
            />
          )}
          <input
            type="search"
            placeholder="Find a node"
            aria-label="Find a node by name, operator or type"
            title="Name, operator, type or kind; Enter goes to the next match"
            value={text}
            onInput={(e) => setText(e.currentTarget.value)}
            onKeyDown={(e) => e.key === "Enter" && nextMatch(e.shiftKey ? -1 : 1)}
          />
          {found && (
            <span class="num muted" role="status">
              {matches.includes(selected) ? `${count(matches.indexOf(selected) + 1)} of ` : ""}
              {count(matches.length)}
            </span>
          )}
          {steps ? (
            <span class="drawing-near">
              within {steps} {steps === 1 ? "step" : "steps"} of <b class="mono">{drawing.nodes[middle]!.value.name}</b>{" "}
              <button type="button" onClick={() => replaceQuery({ near: null })}>
                Draw all
              </button>
            </span>
          ) : null}
          <span class="num muted drawing-count">
            {shown && shown.nodes.length < drawing.nodes.length ? `${count(shown.nodes.length)} of ` : ""}
            {plural(drawing.nodes.length, "node")}
            {shown && ` · ${plural(shown.edges.length / 2, "edge")}`}
          </span>
        </div>
        {shown?.cut && (
          <p class="notice">
            More than {count(AROUND_LIMIT)} nodes in range: the nearest {count(shown.nodes.length)} are drawn.
          </p>
        )}
        {tooMany && (
          <Empty title={`${count(drawing.nodes.length)} nodes are too many to draw`}>
            {noWorker ? "Web workers are unavailable. " : `The limit is ${count(WORKER_LIMIT)} nodes. `}
            Choose a node in the list and draw its neighborhood.
          </Empty>
        )}
        {shown && (
          <PictureBox
            code={code}
            drawing={drawing}
            shown={shown}
            boxes={boxes}
            label={`Drawing of ${name}`}
            selected={selected}
            found={found}
            onSelect={select}
            onOpen={(node) => onText(drawing.nodes[node]!.value)}
            onNoWorker={() => setNoWorker(true)}
          />
        )}
      </div>
      <NodePanel
        kinds={code.KINDS}
        graph={graph}
        drawing={drawing}
        viewer={viewer}
        modules={modules}
        followed={followed}
        selected={selected}
        subgraph={value ? code.subgraphOf(graph, value) : null}
        found={found}
        onSelect={select}
        onText={onText}
        onAround={showAround}
        onScope={toScope}
      />
    </>
  );
}

// In the panel of a node of a Dynamo graph: the post-grad nodes and kernels that it became. In assets/pages.js.
import { useMemo } from "preact/hooks";
import { address } from "../../lib/address";
import type { Graph, Value } from "../../lib/graph/model";
import { useLoaded } from "../../lib/hooks";
import { count } from "../../lib/text";
import { kernelTitle } from "../../store/kernels";
import {
  computedBy,
  lineKey,
  loadLowering,
  type NumberedKernel,
  type PostNodes,
  type StatedKernel,
} from "../../store/lowering";
import type { Artifact } from "../../store/report";
import { useStore } from "../page";
import { Items } from "./ValuePanel";

export interface ComputedByProps {
  compile: string;
  /** the Dynamo graph */
  artifact: Artifact;
  graph: Graph;
  value: Value;
}

const BY: Record<StatedKernel["by"], string> = { mapping: "node mapping", comment: "comment in the code" };

export function ComputedBy({ compile, artifact, graph, value }: ComputedByProps) {
  const store = useStore();
  const loaded = useLoaded(() => loadLowering(store, compile, artifact), [store, compile, artifact]);
  const source = graph.sources[value.source];
  const line = source?.file ? lineKey(source) : "";
  const found = useMemo(
    () => (loaded.state === "ready" ? computedBy(loaded.value, value.name, line) : null),
    [loaded, value, line],
  );
  if (loaded.state === "failed") return <p class="muted">Cannot read what computes it: {loaded.error.message}</p>;
  if (!found) return null;
  const { nodes, kernels, sameLine } = found;
  if (!nodes.length && !kernels.length && !sameLine.nodes.length && !sameLine.kernels.length) return null;
  return (
    <div class="computed-by">
      <h4>Computed by</h4>
      <Nodes compile={compile} graphs={nodes} title="Post-grad nodes" note="stated in the node mappings" />
      <Kernels kernels={kernels} title="Kernels" note="stated in the log" />
      <Nodes
        compile={compile}
        graphs={sameLine.nodes}
        title="Post-grad nodes with this line"
        note="inferred: they may belong to other nodes of the line"
      />
      <Kernels
        kernels={sameLine.kernels}
        title="Kernels with this line"
        note="inferred: they may compute other nodes of the line"
      />
    </div>
  );
}

interface Section {
  title: string;
  note: string;
}

function Head({ title, note, n }: Section & { n: number }) {
  return (
    <p>
      <b>
        {title} {count(n)}
      </b>{" "}
      <small>{note}</small>
    </p>
  );
}

/** Nodes of each post-grad graph: a forward and a backward have nodes of the same names. */
function Nodes({ compile, graphs, ...section }: Section & { compile: string; graphs: readonly PostNodes[] }) {
  if (!graphs.length) return null;
  return (
    <>
      <Head {...section} n={graphs.reduce((sum, { names }) => sum + names.length, 0)} />
      {graphs.map(({ names, artifact, graph }) => (
        <div class="names" key={artifact}>
          {graph && <small>{graph}</small>}
          <Items
            items={names}
            row={(name) => (
              <a class="linklike mono" href={address(["c", compile, artifact], { v: name })}>
                {name}
              </a>
            )}
          />
        </div>
      ))}
    </>
  );
}

type Listed = NumberedKernel & { by?: StatedKernel["by"] };

function Kernels({ kernels, ...section }: Section & { kernels: readonly Listed[] }) {
  if (!kernels.length) return null;
  return (
    <>
      <Head {...section} n={kernels.length} />
      <Items
        items={kernels}
        row={({ kernel, n, by }) => (
          <a class="linklike mono" href={address(["kernels"], { k: `${n}` })}>
            {kernelTitle(kernel)} <small>{[kernel.graph, by && BY[by]].filter(Boolean).join(" · ")}</small>
          </a>
        )}
      />
    </>
  );
}

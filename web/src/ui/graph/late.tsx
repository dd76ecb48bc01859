// Parts of the page of a graph that are in assets/pages.js, since few readers open them.
import { useLoaded } from "../../lib/hooks";
import { bundle, bundleNow } from "../../lib/tl";
import type { Graph, Value } from "../../lib/graph/model";
import type { Artifact } from "../../store/report";
import { Pending } from "../page";
import type { NodesProps } from "./NodesView";

/** A Dynamo graph, whose nodes can be followed to kernels. */
export interface Followed {
  compile: string;
  artifact: Artifact;
}

export function LateNodes(props: NodesProps) {
  const loaded = useLoaded(() => bundle("pages"), []);
  const pages = bundleNow("pages");
  return pages ? <pages.NodesView {...props} /> : <Pending of={loaded} what="the nodes" />;
}

/** Nothing for what computes nothing, and for nodes of nested graphs, which no mapping names. */
export function LateComputedBy({ of, graph, value }: { of: Followed | null; graph: Graph; value: Value }) {
  const outer = graph.scopes.find((scope) => scope.kind === "def" && scope.name === "forward");
  return of && value.kind === "op" && value.scope === outer ? <Computed {...of} graph={graph} value={value} /> : null;
}

function Computed(props: Followed & { graph: Graph; value: Value }) {
  useLoaded(() => bundle("pages"), []);
  const pages = bundleNow("pages");
  return pages ? <pages.ComputedBy {...props} /> : null;
}

// The modules of a Dynamo graph's nodes, by the names that nodes have in texts.
import type { Module } from "./modules";
import type { Artifact, Report } from "./report";

/** The module of a node, and null: it is unknown. `graph`: the nested graph that the node is in. */
export type ModuleOf = (graph: string | null, node: string) => string | null;

/** The report has the modules of the last attempt's graph. */
export const hasModules = ({ kind, slot }: Artifact): boolean =>
  kind === "dynamo_output_graph" && slot === "dynamo_output_graph";

/** As `tlparse graph` prints it in tables: "h.0.attn", and with its source if the root is not `self`. */
function shortName({ root, name }: Module): string {
  if (root === "L['self']") return name || root;
  return `${root}${name && !name.startsWith("[") ? "." : ""}${name}`;
}

export function modulesOfGraph(
  modules: Report["modules"],
  compile: string | undefined,
  artifact: Artifact | null,
): ModuleOf {
  const found = new Map<string, string>();
  for (const module of artifact && hasModules(artifact) ? (modules ?? []) : [])
    if (module.compile === compile)
      for (const name of [...module.exact_nodes, ...module.nodes_within]) found.set(name, shortName(module));
  return (graph, node) => found.get(graph === null ? node : `${graph}/${node}`) ?? null;
}

// To which nn.Modules the nodes of a Dynamo graph belong: in the panel of a node, and as boxes of the drawing.
import { useMemo } from "preact/hooks";
import { address } from "../../lib/address";
import type { Graph, Value } from "../../lib/graph/model";
import { hasModules } from "../../store/graph-modules";
import { moduleChain, moduleOfOps, moduleQuery, type Module, type ModuleNode, treeOf } from "../../store/modules";
import type { Artifact } from "../../store/report";
import { useStore } from "../page";

export interface GraphModules {
  compile: string;
  /** the source of the first root */
  first: string;
  of: (graph: Graph, value: Value) => { node: ModuleNode; exact: boolean } | undefined;
  /** how deep modules with operations are: the children of a root are 1 */
  depth: number;
}

/** null where the report does not say it. */
export function useGraphModules(compile: string, artifact: Artifact): GraphModules | null {
  const { report } = useStore();
  return useMemo(() => {
    if (!hasModules(artifact)) return null;
    const modules = (report.modules ?? []).filter((module) => module.compile === compile);
    const ops = moduleOfOps(treeOf(modules));
    if (!modules[0] || !ops.size) return null;
    return {
      compile,
      first: modules[0].root,
      of: (graph, value) => ops.get(nameIn(graph, value)),
      depth: Math.max(...[...ops.values()].map(({ node }) => moduleChain(node).length - 1)),
    };
  }, [report, compile, artifact]);
}

/** As the report names nodes: those of a nested graph with its name. */
function nameIn(graph: Graph, value: Value): string {
  const owner = value.scope.parent;
  const outer = graph.scopes.find((scope) => scope.kind === "class");
  return owner && owner !== outer ? `${owner.name}/${value.name}` : value.name;
}

const toModule = ({ compile, first }: GraphModules, module: Module): string =>
  address(["modules"], { compile, ...moduleQuery(module, first) });

/** The box of a node at this depth; null: it belongs to a module above. */
export function boxTitle(modules: GraphModules, graph: Graph, value: Value, depth: number): string | null {
  const found = modules.of(graph, value);
  const module = found && moduleChain(found.node)[depth];
  if (!module) return null;
  return module.root === modules.first ? module.name : `${module.root}.${module.name}`;
}

/** The module of a node as `tlparse graph` writes it, with its source: `L['self'].layers.0`. */
export function moduleText(modules: GraphModules, graph: Graph, value: Value): { text: string; exact: boolean } | null {
  const found = modules.of(graph, value);
  if (!found) return null;
  const { root, name } = found.node.module!;
  return { text: `${root}${name && !name.startsWith("[") ? "." : ""}${name}`, exact: found.exact };
}

/** The module of a node, as a link. */
export function ModuleLink({ modules, graph, value }: { modules: GraphModules | null; graph: Graph; value: Value }) {
  const found = modules?.of(graph, value);
  if (!modules || !found) return null;
  const module = found.node.module!;
  return (
    <>
      <a href={toModule(modules, module)}>{module.name || module.root}</a>
      {!found.exact && " or one below it"}
    </>
  );
}

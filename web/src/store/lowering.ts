// What becomes of a node of a Dynamo graph: nodes of post-grad graphs, and kernels. What PyTorch states (Inductor's node mappings, and the comments in
// its code) is kept apart from what only has the same source line.
import type { Source } from "../lib/graph/model";
import { readGraph } from "../lib/graph/read";
import type { Kernel } from "./kernels";
import type { Artifact } from "./report";
import type { Store } from "./store";

/** Longer texts are not read: the page would stop for seconds. */
const TEXT_BYTES = 8 << 20;

/** The texts of one run of Inductor: a forward or a backward. */
export interface LoweringSet {
  /** artifacts of the compile */
  post: number;
  codes: readonly number[];
  /** nodes of the post-grad graph by those of the pre-grad graph */
  stated: ReadonlyMap<string, readonly string[]>;
  /** the source line of each node of the pre-grad graph, "" if it has none; null: unknown */
  before: ReadonlyMap<string, string> | null;
  /** nodes of the post-grad graph by source line */
  byLine: ReadonlyMap<string, readonly string[]>;
}

export interface NumberedKernel {
  kernel: Kernel;
  /** its place among all kernels of the report */
  n: number;
}

export interface Lowering {
  sets: readonly LoweringSet[];
  kernels: readonly NumberedKernel[];
}

/** Nodes of one post-grad graph. */
export interface PostNodes {
  names: readonly string[];
  artifact: number;
  /** what AOTAutograd calls it: `0_forward`; null if that is unknown */
  graph: string | null;
}

export interface StatedKernel extends NumberedKernel {
  by: "mapping" | "comment";
}

export interface ComputedBy {
  nodes: PostNodes[];
  kernels: StatedKernel[];
  /** of nodes and kernels with this source line, where nothing is stated */
  sameLine: { nodes: PostNodes[]; kernels: NumberedKernel[] };
}

export const lineKey = (source: Pick<Source, "file" | "line">): string => `${source.file}:${source.line}`;

type Role = "pre" | "pre_else" | "post" | "post_else" | "code" | "mapping";

/** As on the provenance page: src/lowering/provenance_sets.c. */
export const ROLES: readonly [prefix: string, role: Role][] = [
  ["after_post_grad_graph", "post"],
  ["before_pre_grad_graph", "pre"],
  ["inductor_output_code", "code"],
  ["inductor_aot_wrapper_code", "code"],
  ["inductor_aot_kernel_code", "code"],
  ["inductor_post_grad_graph", "post_else"],
  ["inductor_pre_grad_graph", "pre_else"],
  ["inductor_provenance_tracking_node_mappings", "mapping"],
];

export interface TextSet {
  pre: number | null;
  post: number;
  codes: number[];
  mapping: number | null;
}

/** The sets of a compile, from the artifacts of one attempt. Subgraphs have nodes of their own and are left out. */
export function textSets(artifacts: readonly Artifact[], attempt: number | null): TextSet[] {
  const sets: TextSet[] = [];
  let held: Partial<Record<Role, number>> = {};
  let codes: number[] = [];
  let olderPre: number | null = null;
  const end = (mapping: number | null) => {
    const post = held.post ?? held.post_else;
    olderPre = held.pre ?? held.pre_else ?? olderPre;
    if (post !== undefined) sets.push({ pre: olderPre, post, codes, mapping });
    held = {};
    codes = [];
  };
  artifacts.forEach((artifact, n) => {
    const role = artifact.text && ROLES.find(([prefix]) => artifact.name.startsWith(prefix))?.[1];
    if (!role || artifact.name.includes("/") || artifact.attempt !== attempt || artifact.subgraph !== null) return;
    if (role === "mapping") return end(n);
    // A log without mappings has no other sign that another run of Inductor begins.
    if ((role === "post" || role === "post_else") && codes.length) end(null);
    if (role === "code") codes.push(n);
    else held[role] = n;
  });
  if (held.post !== undefined || held.post_else !== undefined) end(null);
  return sets;
}

/** `preToPost` of a mapping; empty if the text is something else. */
export function statedNodes(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let root: unknown;
  try {
    root = (JSON.parse(text) as { preToPost?: unknown } | null)?.preToPost;
  } catch {
    return found;
  }
  if (typeof root !== "object" || root === null) return found;
  for (const [name, nodes] of Object.entries(root))
    if (Array.isArray(nodes))
      found.set(
        name,
        nodes.filter((one): one is string => typeof one === "string"),
      );
  return found;
}

/** The nodes of the outermost graph of a text, each with its source line. */
function nodeLines(text: string): Map<string, string> {
  const graph = readGraph(text);
  const outer = graph.scopes.find((scope) => scope.kind === "def" && scope.name === "forward");
  const found = new Map<string, string>();
  for (const value of graph.values) {
    const source = graph.sources[value.source];
    if (value.scope === outer && value.kind !== "output" && value.kind !== "input")
      found.set(value.name, source?.file ? lineKey(source) : "");
  }
  return found;
}

function byLine(nodes: ReadonlyMap<string, string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, line] of nodes) {
    const list = found.get(line);
    if (list) list.push(name);
    else if (line) found.set(line, [name]);
  }
  return found;
}

/** Reads what the compile of a Dynamo graph became. */
export async function loadLowering(store: Store, compile: string, artifact: Artifact): Promise<Lowering> {
  const index = store.indexOf(compile);
  if (index === undefined) return { sets: [], kernels: [] };
  const { key } = store.report.compiles[index]!;
  const [{ artifacts }, all] = await Promise.all([store.details(index), store.kernels()]);
  const text = async (n: number | null) => {
    const one = n === null ? undefined : artifacts[n];
    return one && one.bytes <= TEXT_BYTES ? store.text(one) : "";
  };
  const sets = textSets(artifacts, artifact.attempt).map(async (set): Promise<LoweringSet> => {
    const [pre, post, mapping] = await Promise.all([set.pre, set.post, set.mapping].map(text));
    return {
      post: set.post,
      codes: set.codes,
      stated: statedNodes(mapping!),
      before: pre ? nodeLines(pre) : null,
      byLine: byLine(nodeLines(post!)),
    };
  });
  const kernels = all.flatMap((kernel, n) => {
    const code = artifacts[kernel.artifact];
    const own = kernel.compile === key && code?.attempt === artifact.attempt && code.subgraph === null;
    return own ? { kernel, n } : [];
  });
  return { sets: await Promise.all(sets), kernels };
}

/** Whether the comments of the code name nodes of the Dynamo graph: those of a backward name its own. */
const namesSources = ({ graph }: Kernel): boolean => graph !== null && !graph.includes("backward");

const postNodes = (set: LoweringSet, names: readonly string[], kernels: readonly NumberedKernel[]): PostNodes => ({
  names,
  artifact: set.post,
  graph: kernels.find(({ kernel }) => set.codes.includes(kernel.artifact))?.kernel.graph ?? null,
});

/** What a node of the outermost Dynamo graph became. `line` is "" if it is unknown. */
export function computedBy({ sets, kernels }: Lowering, name: string, line: string): ComputedBy {
  const hasLine = ({ kernel }: NumberedKernel) =>
    line !== "" && kernel.sources.some((source) => lineKey(source) === line);
  const found: ComputedBy = { nodes: [], kernels: [], sameLine: { nodes: [], kernels: [] } };
  const stated = new Map<number, StatedKernel>();
  for (const set of sets) {
    // The mapping names nodes of the graph that Inductor got, which is Dynamo's unless something split or rewrote it.
    const names = set.before?.get(name) === line ? (set.stated.get(name) ?? []) : [];
    if (names.length) found.nodes.push(postNodes(set, names, kernels));
    for (const one of kernels)
      if (
        one.kernel.nodes_by === "provenance" &&
        set.codes.includes(one.kernel.artifact) &&
        one.kernel.post_nodes.some((node) => names.includes(node))
      )
        stated.set(one.n, { ...one, by: "mapping" });
  }
  for (const one of kernels)
    if (
      !stated.has(one.n) &&
      namesSources(one.kernel) &&
      one.kernel.nodes.includes(name) &&
      (!line || !one.kernel.sources.length || hasLine(one))
    )
      stated.set(one.n, { ...one, by: "comment" });
  found.kernels = [...stated.values()].sort((a, b) => a.n - b.n);
  if (!found.nodes.length)
    found.sameLine.nodes = sets.flatMap((set) => {
      const names = set.byLine.get(line);
      return names ? [postNodes(set, names, kernels)] : [];
    });
  if (!found.kernels.length) found.sameLine.kernels = kernels.filter(hasLine);
  return found;
}

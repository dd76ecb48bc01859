// What vLLM wrote into the log: doc/report-data.md, "vLLM".

/** An artifact: its compile, and its place in that compile's list. */
export interface Ref {
  compile: string;
  index: number;
}

export interface VllmSubgraph {
  name: string;
  artifacts: Ref[];
}

export interface VllmGroup {
  /** "range [1, 64]" or "size 8" */
  label: string;
  subgraphs: VllmSubgraph[];
}

export interface VllmCall {
  config: Record<string, unknown> | null;
  dynamo: Ref[];
  split_graph: Ref | null;
  groups: VllmGroup[];
}

export interface Vllm {
  calls: VllmCall[];
}

/** The fields of the configuration, those that one asks for first at the top. */
export const CONFIG: readonly (readonly [key: string, title: string])[] = [
  ["model", "Model"], ["prefix", "Prefix"], ["mode", "Mode"], ["backend", "Backend"], ["custom_ops", "Custom ops"], ["splitting_ops", "Splitting ops"],
  ["cudagraph_mode", "CUDA graph mode"], ["compile_sizes", "Compile sizes"], ["compile_ranges_split_points", "Range split points"],
  ["use_inductor_graph_partition", "Inductor graph partition"], ["inductor_passes", "Inductor passes"], ["enabled_passes", "Enabled passes"],
  ["dynamic_shapes_type", "Dynamic shapes"], ["dynamic_shapes_evaluate_guards", "Evaluates guards"],
];

export function configText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(configText).join(", ") || "none";
  return JSON.stringify(value);
}

// What vLLM wrote into the log: doc/report-data.md, "vLLM".
import { time } from "../lib/text";
import type { ArtifactRef as Ref, Vllm, VllmCall, VllmGroup, VllmSubgraph } from "./generated/report";
export type { Ref, Vllm, VllmCall, VllmGroup, VllmSubgraph };

/** The fields of the configuration, those that one asks for first at the top. */
export const CONFIG: readonly (readonly [key: string, title: string])[] = [
  ["model", "Model"],
  ["prefix", "Prefix"],
  ["mode", "Mode"],
  ["backend", "Backend"],
  ["custom_ops", "Custom ops"],
  ["splitting_ops", "Splitting ops"],
  ["cudagraph_mode", "CUDA graph mode"],
  ["compile_sizes", "Compile sizes"],
  ["compile_ranges_split_points", "Range split points"],
  ["compile_ranges_endpoints", "Range endpoints"],
  ["use_inductor_graph_partition", "Inductor graph partition"],
  ["inductor_passes", "Inductor passes"],
  ["enabled_passes", "Enabled passes"],
  ["dynamic_shapes_type", "Dynamic shapes"],
  ["dynamic_shapes_evaluate_guards", "Evaluates guards"],
];

/** Of artifacts that are of a piece: "submod_0, range [1, 64]", by compile and index. */
export function pieceNames(vllm: Vllm | null | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const call of vllm?.calls ?? [])
    for (const { label, subgraphs } of call.groups)
      for (const { name, artifacts } of subgraphs)
        for (const { compile, index } of artifacts) names.set(`${compile} ${index}`, `${name}, ${label}`);
  return names;
}

/** A setting for people: a list or an object (vLLM writes them as JSON in a text) an item a line, an enum without the name of its class. */
export function configText(value: unknown): string {
  if (value === "") return "none";
  if (typeof value === "string")
    return /^[[{]/.test(value) ? configText(parsed(value)) : value.replace(/^[A-Z][A-Za-z]+\.(?=[A-Z][A-Z0-9_]*$)/, "");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return value.map(itemText).join(value.every((item) => typeof item === "number") ? ", " : "\n") || "none";
  if (value && typeof value === "object")
    return (
      Object.entries(value)
        .map(([key, item]) => `${key}: ${itemText(item)}`)
        .join("\n") || "none"
    );
  return JSON.stringify(value);
}

/** Of pieces: the sum of what is known; null where nothing is. */
export function elapsed(pieces: readonly VllmSubgraph[]): number | null {
  const known = pieces.filter((piece) => piece.elapsed_us !== undefined);
  return known.length ? known.reduce((sum, piece) => sum + piece.elapsed_us!, 0) : null;
}

/** What such a time is. */
export const ELAPSED = "First to last record of each piece: a lower bound of its compile time";

/** Time stamps of records are whole milliseconds, and so are differences: below 1 ms is not zero, and small ones have no decimals. */
export function stampTime(us: number): string {
  return us < 1000 ? "<\u00a01\u00a0ms" : us < 100_000 ? `${Math.round(us / 1000)}\u00a0ms` : time(us);
}

/** The sum over pieces for people; it says of how many it is where some have one record and so no time. Empty: none has one. */
export function elapsedText(pieces: readonly VllmSubgraph[]): string {
  const [sum, known] = [elapsed(pieces), pieces.filter((piece) => piece.elapsed_us !== undefined).length];
  return sum === null ? "" : `${stampTime(sum)}${known < pieces.length ? ` (${known} of ${pieces.length} timed)` : ""}`;
}

const itemText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The text where it is no JSON: in a list, so that it is not looked at again. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [text];
  }
}

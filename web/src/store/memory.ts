// What compiled graphs allocate when they run: rows, sums by line, and the points of a chart.
import type { Report } from "./report";

export type GraphMemory = NonNullable<Report["memory"]>[number];
export type SavedTensor = NonNullable<GraphMemory["saved"]>[number];

/** The address of a graph on the page: the compile and the code. */
export const memoryKey = (graph: { compile: string; artifact: number }): string => `${graph.compile}·${graph.artifact}`;

/** The most that exists at a time, with what the forward saved; null: not derived. */
export const mostBytes = (graph: GraphMemory): number | null => graph.whole_peak_bytes ?? graph.peak_bytes ?? null;

export type SavedModule = NonNullable<SavedTensor["module"]>;
export type GroupBy = "line" | "module";

/** Tensors of one line, or of one module. */
export interface SavedGroup {
  key: string;
  place: SavedTensor["place"];
  code: string | null;
  module: SavedModule | null;
  bytes: number;
  tensors: SavedTensor[];
}

function groupKey({ place, module }: SavedTensor, by: GroupBy): string {
  if (by === "line") return place ? `${place.line} ${place.file}` : "";
  return module ? `${module.root} ${module.name} ${module.exact}` : "";
}

/** What a forward saves by the line or the module that computes it, largest first. */
export function savedBy(graph: GraphMemory, by: GroupBy): SavedGroup[] {
  const groups = new Map<string, SavedGroup>();
  for (const tensor of graph.saved ?? []) {
    const { place, code, module } = tensor;
    const key = groupKey(tensor, by);
    const group = groups.get(key) ?? { key, place, code, module, bytes: 0, tensors: [] };
    group.bytes += tensor.bytes;
    group.tensors.push(tensor);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes);
}

/** The same graph in all versions of the function, oldest first; at least the graph itself. */
export function versionsOf(memory: readonly GraphMemory[], graph: GraphMemory): GraphMemory[] {
  const byKey = new Map(memory.map((one) => [memoryKey(one), one]));
  const after = new Map(memory.flatMap((one) => (one.before ? [[memoryKey(one.before), one] as const] : [])));
  const versions = [graph];
  for (let one = graph.before; one;) {
    const before = byKey.get(memoryKey(one));
    if (!before || versions.includes(before)) break;
    versions.unshift(before);
    one = before.before;
  }
  for (let one = after.get(memoryKey(graph)); one && !versions.includes(one); one = after.get(memoryKey(one)))
    versions.push(one);
  return versions;
}

export interface Shape {
  /** paths of an area chart in a box of these sizes */
  saved: string;
  own: string;
  /** where most is in use, as parts of the box */
  peak: { x: number; y: number; line: number; bytes: number };
}

/** The course of a call as steps: what the forward saved below, what the call allocated above. null: nothing is in use. */
export function chartOf(graph: GraphMemory, width: number, height: number): Shape | null {
  const course = graph.course ?? [];
  const sums = course.map((point) => point.bytes + point.saved_bytes);
  const most = Math.max(0, ...sums);
  if (!most) return null;
  const each = width / course.length;
  const area = (of: (i: number) => number, from: (i: number) => number) => {
    const y = (bytes: number) => (height * (1 - bytes / most)).toFixed(1);
    const x = (i: number) => (i * each).toFixed(1);
    const top = course.map((_, i) => `L${x(i)} ${y(of(i))}L${x(i + 1)} ${y(of(i))}`).join("");
    const back = course.map((_, i) => `L${x(i + 1)} ${y(from(i))}L${x(i)} ${y(from(i))}`).reverse();
    return `M0 ${y(from(0))}${top}${back.join("")}Z`;
  };
  const index = sums.indexOf(most);
  return {
    saved: course.some((point) => point.saved_bytes)
      ? area(
          (i) => course[i]!.saved_bytes,
          () => 0,
        )
      : "",
    own: area(
      (i) => sums[i]!,
      (i) => course[i]!.saved_bytes,
    ),
    peak: { x: (index + 0.5) / course.length, y: 0, line: course[index]!.line, bytes: most },
  };
}

// What compiled graphs allocate when they run: rows, sums by line, and the points of a chart.
import type { Report } from "./report";

export type GraphMemory = NonNullable<Report["memory"]>[number];
export type SavedTensor = NonNullable<GraphMemory["saved"]>[number];

/** The address of a graph on the page: the compile and the code. */
export const memoryKey = (graph: GraphMemory): string => `${graph.compile}·${graph.artifact}`;

/** The most that exists at a time, with what the forward saved; null: not derived. */
export const mostBytes = (graph: GraphMemory): number | null => graph.whole_peak_bytes ?? graph.peak_bytes ?? null;

export interface SavedLine {
  place: SavedTensor["place"];
  code: string | null;
  bytes: number;
  tensors: SavedTensor[];
}

/** What a forward saves by the line that computes it, largest first. */
export function savedByLine(graph: GraphMemory): SavedLine[] {
  const lines = new Map<string, SavedLine>();
  for (const tensor of graph.saved ?? []) {
    const { place, code } = tensor;
    const key = place ? `${place.line} ${place.file}` : "";
    const line = lines.get(key) ?? { place, code, bytes: 0, tensors: [] };
    line.bytes += tensor.bytes;
    line.tensors.push(tensor);
    lines.set(key, line);
  }
  return [...lines.values()].sort((a, b) => b.bytes - a.bytes);
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

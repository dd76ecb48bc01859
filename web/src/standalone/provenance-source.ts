// The user's source lines in stack traces, and the nodes that come from them. No DOM.
import { type LineSource, placeKey } from "../lib/graph/line-sources";
import type { Kernel } from "./provenance-data";

const FRAME = /File "([^"\n]+)", line (\d+)/g;

/** The places that stack traces name. */
export function placesIn(traces: string): Set<string> {
  return new Set([...traces.matchAll(FRAME)].map((frame) => placeKey(frame[1]!, Number(frame[2]))));
}

/** Lines of the nodes that come from these places. */
export function linesFrom(sources: readonly (LineSource | null)[], places: ReadonlySet<string>): number[] {
  const lines: number[] = [];
  sources.forEach((source, line) => {
    if (source && source.comment !== line && places.has(placeKey(source.file, source.line))) lines.push(line);
  });
  return lines;
}

/** A mapping of a backward may name no nodes: then a kernel's nodes are those found from its buffers, else those that come from its traces' source lines. */
export function guessNodes(
  kernel: Kernel,
  pre: readonly (LineSource | null)[],
  post: readonly (LineSource | null)[],
  traces: string,
): Kernel {
  if (kernel.nodes.length || (!traces && !kernel.known.length)) return kernel;
  const places = placesIn(traces);
  const [before, nodes] = [linesFrom(pre, places), kernel.known.length ? kernel.known : linesFrom(post, places)];
  return nodes.length || before.length ? { ...kernel, nodes, before, guessed: true } : kernel;
}

const HANDLES = /\[Provenance debug handles\]\s*(.+)$/;

/** The comments above the calls: line -> names with their debug handles. */
export function handlesIn(lines: readonly string[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  lines.forEach((text, i) => {
    const names = HANDLES.exec(text)?.[1];
    if (names)
      found.set(
        i + 1,
        names.split(",").map((name) => name.trim()),
      );
  });
  return found;
}

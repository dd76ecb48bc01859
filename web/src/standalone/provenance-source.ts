// The user's source lines: graphs say them in comments above their nodes, stack traces in their frames. No DOM.
import type { Kernel } from "./provenance-data";

export interface Source {
  file: string;
  line: number;
  /** "forward" */
  where: string;
  code: string;
  /** the line of the comment in the graph */
  comment: number;
}

const COMMENT = /^\s*#.*?\bFile: (.+?):(\d+)(?: in ([^,]*))?(?:, code: (.*))?$/;
const FRAME = /File "([^"\n]+)", line (\d+)/g;

/** For each line of a graph (from 1; place 0 is empty) the source of the node that is there; a comment's own line has it too. */
export function sourcesOf(lines: readonly string[]): (Source | null)[] {
  const found: (Source | null)[] = [null];
  let now: Source | null = null;
  lines.forEach((line, i) => {
    const text = line.trim();
    const comment = COMMENT.exec(line);
    if (comment)
      now = {
        file: comment[1]!,
        line: Number(comment[2]),
        where: comment[3] ?? "",
        code: comment[4] ?? "",
        comment: i + 1,
      };
    else if (!text || text.startsWith("# No stacktrace")) now = null; // an empty line ends what the comment speaks of
    found.push(comment || !/^(?:#|return\b)/.test(text) ? now : null);
  });
  return found;
}

export const placeKey = (file: string, line: number): string => `${file}:${line}`;

/** The places that stack traces name. */
export function placesIn(traces: string): Set<string> {
  return new Set([...traces.matchAll(FRAME)].map((frame) => placeKey(frame[1]!, Number(frame[2]))));
}

/** Lines of the nodes that come from these places. */
export function linesFrom(sources: readonly (Source | null)[], places: ReadonlySet<string>): number[] {
  const lines: number[] = [];
  sources.forEach((source, line) => {
    if (source && source.comment !== line && places.has(placeKey(source.file, source.line))) lines.push(line);
  });
  return lines;
}

/** A mapping of a backward may name no nodes: then a kernel's nodes are those found from its buffers, else those that come from its traces' source lines. */
export function guessNodes(
  kernel: Kernel,
  pre: readonly (Source | null)[],
  post: readonly (Source | null)[],
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

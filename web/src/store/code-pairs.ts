// Which lines of source, Dynamo graph, post-grad graph and output code correspond: by the places in the comments of graphs, and by
// the places and nodes of kernels. All lines count from 1.
import { type LineSource, placeKey, sourcesOf } from "../lib/graph/line-sources";
import { type Kernel, lastLineOf } from "./kernels";

export const TEXT_PANES = ["dynamo", "post", "code"] as const;
/** A pane with an artifact. */
export type TextPane = (typeof TEXT_PANES)[number];
export type PaneName = "source" | TextPane;

export interface SourcePlace {
  file: string;
  line: number;
}

/** What corresponds to a choice: places of source, and lines of the panes, ascending. */
export interface Related {
  places: SourcePlace[];
  lines: Record<TextPane, number[]>;
}

/** The artifacts of one graph; null: the log lacks it. */
export type PaneTexts = Record<TextPane, string | null>;

const KERNEL_LINES = 20_000; // of one definition
const COMMENT_LINES = 400; // above a kernel
const NODE = /^\s*%?(\w+)(?:\s*:\s*(?:"[^"\n]*"|[^=\s]+))?\s*=[^=]/;
const CALLED = /[A-Za-z_][\w.]*/g;

const ascending = (a: number, b: number): number => a - b;
const sorted = (lines: Iterable<number>): number[] => [...new Set(lines)].sort(ascending);

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const held = map.get(key);
  if (held) held.push(value);
  else map.set(key, [value]);
}

/** A printed graph by lines. */
class GraphLines {
  readonly sources: readonly (LineSource | null)[];
  readonly #atPlace = new Map<string, number[]>();
  readonly #ofNode = new Map<string, number[]>();
  readonly #nodes: readonly (string | null)[];

  constructor(text: string | null) {
    const lines = text === null ? [] : text.split("\n");
    this.sources = sourcesOf(lines);
    this.sources.forEach((source, line) => source && push(this.#atPlace, placeKey(source.file, source.line), line));
    this.#nodes = lines.map((line) => NODE.exec(line)?.[1] ?? null);
    this.#nodes.forEach((node, i) => node && push(this.#ofNode, node, i + 1));
  }

  /** Lines of the nodes of a place, with their comments. */
  at = (place: string): readonly number[] => this.#atPlace.get(place) ?? [];
  has = (place: string): boolean => this.#atPlace.has(place);
  node = (line: number): string | null => this.#nodes[line - 1] ?? null;
  linesOf = (node: string): readonly number[] => this.#ofNode.get(node) ?? [];
  places = (): IterableIterator<string> => this.#atPlace.keys();

  placeOf(line: number): SourcePlace | null {
    const source = this.sources[line];
    return source ? { file: source.file, line: source.line } : null;
  }

  /** Lines of nodes that have a place. */
  nodeLines(): number[] {
    return this.sources.flatMap((source, line) => (source && source.comment !== line ? [line] : []));
  }
}

/** The kernels of an output code by lines. */
class CodeLines {
  readonly #kernels = new Map<number, number[]>(); // line -> kernels
  readonly #lines: number[][]; // by kernel

  constructor(text: string | null, kernels: readonly Kernel[]) {
    this.#lines = kernels.map(() => []);
    if (text === null) return;
    const lines = text.split("\n");
    const defined = this.#define(lines, kernels);
    const byName = new Map<string, number[]>();
    kernels.forEach(({ name }, k) => push(byName, name, k));
    kernels.forEach(({ call_line: line }, k) => line !== null && this.#add(lines, k, line, line));
    // Kernels that are defined once and called several times. Calls of a library have an item each.
    lines.forEach((line, i) => {
      if (defined.has(i + 1) || !line.includes("(") || /^\s*(#|\/\/)/.test(line)) return;
      for (const k of calledIn(line, byName)) this.#add(lines, k, i + 1, i + 1);
    });
    this.#lines = this.#lines.map(sorted);
  }

  at = (line: number): readonly number[] => this.#kernels.get(line) ?? [];
  linesOf = (kernel: number): readonly number[] => this.#lines[kernel]!;
  all = (): number[] => sorted(this.#kernels.keys());

  #define(lines: readonly string[], kernels: readonly Kernel[]): Set<number> {
    const defined = new Set<number>();
    kernels.forEach(({ line }, k) => {
      if (line === null || line > lines.length) return;
      const to = lastLineOf(lines, line, KERNEL_LINES);
      for (let n = line; n <= to; n++) defined.add(n);
      this.#add(lines, k, line, to);
    });
    return defined;
  }

  /** With the comments right above. */
  #add(lines: readonly string[], kernel: number, from: number, to: number): void {
    let first = from;
    while (first > 1 && from - first < COMMENT_LINES && /^\s*(#|\/\/)/.test(lines[first - 2] ?? "")) first--;
    for (let n = first; n <= Math.min(to, lines.length); n++) {
      const held = this.#kernels.get(n);
      if (held?.includes(kernel)) continue;
      push(this.#kernels, n, kernel);
      this.#lines[kernel]!.push(n);
    }
  }
}

/** Kernels whose name is on a line, if no other kernel has that name. */
function calledIn(line: string, byName: ReadonlyMap<string, readonly number[]>): number[] {
  const found: number[] = [];
  for (const [word] of line.matchAll(CALLED))
    for (let end = word.length; end > 0; end = word.lastIndexOf(".", end - 1)) {
      const named = byName.get(word.slice(0, end));
      if (named?.length === 1) found.push(named[0]!);
    }
  return found;
}

export class CodePairs {
  readonly #dynamo: GraphLines;
  readonly #post: GraphLines;
  readonly #code: CodeLines;
  readonly #places: readonly SourcePlace[][]; // by kernel
  readonly #kernelsAt = new Map<string, number[]>();
  readonly #kernelsOfNode = new Map<string, number[]>();

  /** `kernels`: those of the output code. */
  constructor(
    texts: PaneTexts,
    readonly kernels: readonly Kernel[],
  ) {
    this.#dynamo = new GraphLines(texts.dynamo);
    this.#post = new GraphLines(texts.post);
    this.#code = new CodeLines(texts.code, kernels);
    this.#places = kernels.map((kernel) => this.#placesOf(kernel));
    this.#places.forEach((places, k) => {
      for (const { file, line } of places) push(this.#kernelsAt, placeKey(file, line), k);
    });
    kernels.forEach((kernel, k) => {
      for (const node of kernel.post_nodes) push(this.#kernelsOfNode, node, k);
    });
  }

  /** What comes from a line of source. */
  ofPlace(place: SourcePlace): Related {
    const key = placeKey(place.file, place.line);
    return this.#related([place], [key], this.#post.at(key), this.#kernelsAt.get(key) ?? []);
  }

  /** What corresponds to a line of a pane, and that line itself. */
  ofLine(pane: TextPane, line: number): Related {
    const found = pane === "code" ? this.#ofKernels(this.#code.at(line)) : this.#ofNode(pane, line);
    found.lines[pane] = sorted([...found.lines[pane], line]);
    return found;
  }

  /** Lines of a pane that have something in another one. */
  linesWith(pane: TextPane): number[] {
    return pane === "code" ? this.#code.all() : (pane === "post" ? this.#post : this.#dynamo).nodeLines();
  }

  /** Whether a line of source is in any pane. */
  has({ file, line }: SourcePlace): boolean {
    const key = placeKey(file, line);
    return this.#dynamo.has(key) || this.#post.has(key) || this.#kernelsAt.has(key);
  }

  #ofNode(pane: "dynamo" | "post", line: number): Related {
    const graph = pane === "post" ? this.#post : this.#dynamo;
    const place = graph.placeOf(line);
    const node = pane === "post" ? graph.node(line) : null;
    // The kernels of this very node, where the log says so; else those of its place.
    const exact = node === null ? undefined : this.#kernelsOfNode.get(node);
    const found = place ? this.ofPlace(place) : this.#related([], [], [], []);
    if (exact) found.lines.code = sorted(exact.flatMap((k) => [...this.#code.linesOf(k)]));
    return found;
  }

  #ofKernels(kernels: readonly number[]): Related {
    const places = kernels.flatMap((k) => [...this.#places[k]!]);
    const keys = [...new Set(places.map(({ file, line }) => placeKey(file, line)))];
    const exact = kernels.flatMap((k) => this.kernels[k]!.post_nodes.flatMap((node) => [...this.#post.linesOf(node)]));
    const post = exact.length ? exact : keys.flatMap((key) => [...this.#post.at(key)]);
    return this.#related(places, keys, post, kernels);
  }

  #related(
    places: SourcePlace[],
    keys: readonly string[],
    post: readonly number[],
    kernels: readonly number[],
  ): Related {
    return {
      places,
      lines: {
        dynamo: sorted(keys.flatMap((key) => [...this.#dynamo.at(key)])),
        post: sorted(post),
        code: sorted(kernels.flatMap((k) => [...this.#code.linesOf(k)])),
      },
    };
  }

  /** Where a kernel comes from; if the report does not know, where its nodes do. */
  #placesOf(kernel: Kernel): SourcePlace[] {
    if (kernel.sources.length) return kernel.sources.map(({ file, line }) => ({ file, line }));
    const found = new Map<string, SourcePlace>();
    const note = (graph: GraphLines, node: string) => {
      for (const line of graph.linesOf(node)) {
        const place = graph.placeOf(line);
        if (place) found.set(placeKey(place.file, place.line), place);
      }
    };
    for (const node of kernel.post_nodes) note(this.#post, node);
    if (!found.size) for (const node of kernel.nodes) note(this.#dynamo, node);
    return [...found.values()];
  }
}

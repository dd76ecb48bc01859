// Which lines of the panes belong to one line, or to one kernel. No DOM.
import type { GraphSet, Kernel } from "./provenance-data";
import { type LineSource, placeKey } from "../lib/graph/line-sources";

/** Lines by pane, the kernels, and the user's source lines. */
export interface Related {
  lines: Map<number, Set<number>>;
  bodies: { pane: number; from: number; to: number }[];
  kernels: number[];
  sources: LineSource[];
  /** the panes whose lines are known by the user's source line only */
  guessed: Set<number>;
}

/** Nothing belongs to it but itself. */
export function isAlone(related: Related): boolean {
  return (
    !related.kernels.length && related.lines.size < 2 && [...related.lines.values()].every((lines) => lines.size < 2)
  );
}

export class Relations {
  readonly #post = new Map<number, Set<number>>(); // pre -> post
  readonly #pre = new Map<number, Set<number>>(); // post -> pre
  readonly #kernelsOfPost = new Map<number, number[]>();
  readonly #kernelsOfPre = new Map<number, number[]>(); // only where no mapping leads there
  readonly #kernelsOfCode = new Map<string, number[]>(); // "pane:line"

  /** `sources` and `handles` by pane. */
  constructor(
    readonly set: GraphSet,
    readonly sources: ReadonlyMap<number, readonly (LineSource | null)[]>,
    handles: ReadonlyMap<number, ReadonlyMap<number, readonly string[]>>,
  ) {
    for (const [pre, posts] of set.preToPost) for (const post of posts) this.#pair(pre, post);
    for (const [post, pres] of set.postToPre) for (const pre of pres) this.#pair(pre, post);
    const byName = new Map(set.kernels.map((kernel, k) => [kernel.name, k]));
    set.kernels.forEach((kernel, k) => {
      for (const node of kernel.nodes) push(this.#kernelsOfPost, node, k);
      for (const node of kernel.before) push(this.#kernelsOfPre, node, k);
      for (const [pane, lines] of kernel.calls)
        for (const line of lines) push(this.#kernelsOfCode, `${pane}:${line}`, k);
    });
    for (const [pane, lines] of handles)
      for (const [line, names] of lines)
        for (const name of names) if (byName.has(name)) push(this.#kernelsOfCode, `${pane}:${line}`, byName.get(name)!);
  }

  ofLine(pane: number, line: number): Related {
    const { set } = this;
    if (pane === set.pre) return this.#ofPre(this.#nodesAt(pane, line), pane, line);
    if (pane === set.post) return this.#ofPost(this.#nodesAt(pane, line), pane, line);
    const kernels =
      this.#kernelsOfCode.get(`${pane}:${line}`) ??
      set.kernels.flatMap((kernel, k) =>
        kernel.bodies.some((body) => body.pane === pane && body.from <= line && line <= body.to) ? [k] : [],
      );
    return this.#ofKernels(kernels);
  }

  ofKernel(kernel: number): Related {
    return this.#ofKernels([kernel]);
  }

  /** The lines of a pane that have something in another one, in order. */
  linesWith(pane: number): number[] {
    const { set } = this;
    if (pane === set.pre) return [...new Set([...this.#post.keys(), ...this.#kernelsOfPre.keys()])].sort(ascending);
    if (pane === set.post) return [...new Set([...this.#pre.keys(), ...this.#kernelsOfPost.keys()])].sort(ascending);
    return [...new Set(set.kernels.flatMap((kernel) => kernel.calls.get(pane) ?? []))].sort(ascending);
  }

  #pair(pre: number, post: number): void {
    add(this.#post, pre, post);
    add(this.#pre, post, pre);
  }

  /** A comment with a source line represents the nodes below it. */
  #nodesAt(pane: number, line: number): number[] {
    const sources = this.sources.get(pane) ?? [];
    const own = sources[line];
    if (!own || own.comment !== line) return [line];
    const nodes: number[] = [];
    for (let i = line + 1; i < sources.length && sources[i]?.comment === line; i++) nodes.push(i);
    return nodes;
  }

  #ofPre(pres: readonly number[], pane: number, line: number): Related {
    const posts = new Set(pres.flatMap((pre) => [...(this.#post.get(pre) ?? [])]));
    const kernels = new Set([...this.#kernelsOf(posts), ...pres.flatMap((pre) => this.#kernelsOfPre.get(pre) ?? [])]);
    return this.#gather(new Set([...pres, line]), posts, [...kernels], this.sources.get(pane)?.[line], true);
  }

  #ofPost(posts: readonly number[], pane: number, line: number): Related {
    const pres = new Set(posts.flatMap((post) => [...(this.#pre.get(post) ?? [])]));
    return this.#gather(pres, new Set([...posts, line]), this.#kernelsOf(posts), this.sources.get(pane)?.[line]);
  }

  #ofKernels(kernels: readonly number[]): Related {
    const posts = new Set(kernels.flatMap((k) => this.set.kernels[k]?.nodes ?? []));
    const pres = new Set([...posts].flatMap((post) => [...(this.#pre.get(post) ?? [])]));
    for (const k of kernels) for (const line of this.set.kernels[k]?.before ?? []) pres.add(line);
    return this.#gather(pres, posts, kernels, null);
  }

  #kernelsOf(posts: Iterable<number>): number[] {
    return [...new Set([...posts].flatMap((post) => this.#kernelsOfPost.get(post) ?? []))];
  }

  #gather(
    pres: Set<number>,
    posts: Set<number>,
    kernels: readonly number[],
    own: LineSource | null | undefined,
    ofPre = false,
  ): Related {
    const { set } = this;
    const found: Related = { lines: new Map(), bodies: [], kernels: [...kernels], sources: [], guessed: new Set() };
    if (set.pre !== null && pres.size) found.lines.set(set.pre, pres);
    if (set.post !== null && posts.size) found.lines.set(set.post, posts);
    for (const k of kernels) {
      const kernel: Kernel = set.kernels[k]!;
      for (const [pane, lines] of kernel.calls) for (const line of lines) add(found.lines, pane, line);
      found.bodies.push(...kernel.bodies);
      if (kernel.guessed)
        for (const pane of ofPre || !kernel.known.length ? found.lines.keys() : [set.pre!])
          if (found.lines.has(pane)) found.guessed.add(pane);
    }
    found.sources = own ? [own] : this.#sourcesOf(pres, posts);
    return found;
  }

  /** Of the pre-grad graph where it has them: its lines are the user's; else of the one after. */
  #sourcesOf(pres: ReadonlySet<number>, posts: ReadonlySet<number>): LineSource[] {
    const { set } = this;
    const all = (pane: number | null, lines: ReadonlySet<number>) =>
      pane === null ? [] : [...lines].sort(ascending).flatMap((line) => this.sources.get(pane)?.[line] ?? []);
    const found = all(set.pre, pres);
    const byPlace = new Map(
      (found.length ? found : all(set.post, posts)).map((source) => [placeKey(source.file, source.line), source]),
    );
    return [...byPlace.values()];
  }
}

const ascending = (a: number, b: number): number => a - b;

function add<K>(map: Map<K, Set<number>>, key: K, value: number): void {
  const held = map.get(key);
  if (held) held.add(value);
  else map.set(key, new Set([value]));
}

function push<K>(map: Map<K, number[]>, key: K, value: number): void {
  const held = map.get(key);
  if (!held) map.set(key, [value]);
  else if (!held.includes(value)) held.push(value);
}

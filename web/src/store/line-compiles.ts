// Which compiles a line of source is part of: those with a kernel, a node of a Dynamo graph, or the begin of a frame from it.
import { placeKey } from "../lib/graph/line-sources";
import type { Details } from "./report";
import type { Store } from "./store";

const MOST_BYTES = 64 << 20; // of Dynamo graphs that are read
const PLACE = /\bFile: ([^\n]{1,1000}?):(\d+)(?=[ ,\n]|$)/g;
/** Milliseconds that the graphs of other compiles wait for the panes of the one that is known from its kernels. */
const PANES_FIRST = 400;
const held = new WeakMap<Store, LineCompiles>();

/** place -> keys of compiles */
type Index = Map<string, Set<string>>;

function note(index: Index, file: string, line: number, compile: string): void {
  const place = placeKey(file, line);
  const set = index.get(place);
  if (set) set.add(compile);
  else index.set(place, new Set([compile]));
}

export class LineCompiles {
  readonly #parts: Index = new Map();
  readonly #begins: Index = new Map();
  readonly #asked = new Set<() => void>();
  /** whether all compiles were read */
  complete = false;
  /** compiles whose graphs were not read because there are too many */
  left = 0;

  private constructor(store: Store) {
    // What cannot be read is not found; the panes say which part of the report is missing.
    void this.#fill(store)
      .catch(() => undefined)
      .then(() => {
        this.complete = true;
        this.#tell();
      });
  }

  /** The index of a report, which is filled the first time that it is asked for. */
  static of(store: Store): LineCompiles {
    const known = held.get(store);
    if (known) return known;
    const made = new LineCompiles(store);
    held.set(store, made);
    return made;
  }

  /** Keys of compiles with a node or a kernel from a line, as far as they are known now. */
  of(file: string, line: number): string[] {
    return [...(this.#parts.get(placeKey(file, line)) ?? [])];
  }

  /** Keys of compiles whose frame begins on a line. */
  beginningAt(file: string, line: number): string[] {
    return [...(this.#begins.get(placeKey(file, line)) ?? [])];
  }

  /** Called whenever more is known, until the returned function is called. */
  follow(changed: () => void): () => void {
    this.#asked.add(changed);
    return () => this.#asked.delete(changed);
  }

  async #fill(store: Store): Promise<void> {
    const { report } = store;
    const kernels = report.parts.kernels ? await store.kernels() : [];
    for (const { compile, sources } of kernels)
      for (const { file, line } of sources) note(this.#parts, file, line, compile);
    for (const { frame, key } of report.compiles) if (frame?.line) note(this.#begins, frame.file, frame.line, key);
    this.#tell();
    if (kernels.length) await pause(PANES_FIRST);
    let bytes = 0;
    for await (const { first, details } of store.allDetails()) {
      for (const [i, item] of details.entries()) {
        const key = report.compiles[first + i]!.key;
        const size = dynamoBytes(item);
        if (size && bytes + size > MOST_BYTES) this.left++;
        else if (size) await this.#read(store, item, key);
        bytes += size;
      }
      this.#tell();
    }
  }

  async #read(store: Store, details: Details, key: string): Promise<void> {
    for (const artifact of dynamoGraphs(details))
      for (const [, file, line] of (await store.text(artifact)).matchAll(PLACE))
        note(this.#parts, file!, Number(line), key);
  }

  #tell(): void {
    for (const changed of this.#asked) changed();
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const dynamoGraphs = ({ artifacts }: Details) =>
  artifacts.filter(({ kind, text }) => kind === "dynamo_output_graph" && text);
const dynamoBytes = (details: Details): number =>
  dynamoGraphs(details).reduce((sum, { text }) => sum + (text?.[1] ?? 0), 0);

// The report as the pages see it: the summary at once, details and texts when they are looked at.
import { CompileNames, parseKey, processName } from "./compile-name";
import type { Comparison } from "./comparison";
import type { ExportData } from "./export";
import type { GuardList } from "./guards";
import type { Shares } from "./logsizes";
import type { Kernel } from "./kernels";
import { Lru } from "../lib/lru";
import { part } from "../lib/parts";
import type { RankPlace } from "./ranks";
import type { Shapes, ShapesPart } from "./shapes";
import { tidy } from "./tidy";
import type { SourceFile, SourcesPart } from "./generated/report";
import type { Artifact, Compile, Config, Details, Parser, Report } from "./report";

const TEXT_LIMIT = 96 << 20;
const DETAIL_LIMIT = 64; // parts

export class Store {
  readonly names: CompileNames;
  #byKey: ReadonlyMap<string, number>;
  #details = new Lru<Promise<Details[]>>(DETAIL_LIMIT);
  #shapes = new Lru<Promise<ShapesPart>>(8);
  #chunks = new Lru<Promise<Uint8Array<ArrayBuffer>>>(TEXT_LIMIT);
  #sources = new Lru<Promise<SourcesPart>>(8);
  #configs: Promise<Config[]> | null = null;
  #place: Promise<RankPlace | null> | null = null;
  #shares: Promise<Shares> | null = null;
  #kernels: Promise<Kernel[]> | null = null;
  #parsers: Promise<Parser[]> | null = null;
  #exported: Promise<ExportData> | null = null;
  #comparisons = new Lru<Promise<Comparison>>(4);

  /** `base` is the way to the report of another rank: "rank_3/". */
  constructor(
    readonly report: Report,
    readonly base = "",
  ) {
    this.#byKey = new Map(report.compiles.map((compile, i) => [compile.key, i]));
    this.names = new CompileNames(report.compiles);
  }

  /**
   * The place of a compile in the report, by its key. Addresses of old, and of pages that were written before all keys were known, may lack the
   * generation (the first is meant) or the process (the first that has such a compile).
   */
  indexOf(key: string): number | undefined {
    const exact = this.#byKey.get(key);
    if (exact !== undefined) return exact;
    const asked = parseKey(key);
    const found = this.report.compiles.findIndex(
      (compile) =>
        compile.id === asked.id &&
        compile.generation === asked.generation &&
        (asked.process === null || processName(compile) === asked.process),
    );
    return found < 0 ? undefined : found;
  }

  compile(key: string): Compile | undefined {
    const index = this.indexOf(key);
    return index === undefined ? undefined : this.report.compiles[index];
  }

  /** How a compile is called where people read: "0/0", or "0/0 #2" where the log has several of that id. */
  name(key: string): string {
    return this.names.of(key);
  }

  /** Artifacts and metrics of the compile with this index. */
  async details(index: number): Promise<Details> {
    const per = this.report.parts.compiles;
    const found = (await this.#part(Math.floor(index / per)))[index % per];
    if (!found) throw new Error(`data/compiles.${Math.floor(index / per)}.js lacks compile ${index}`);
    return found;
  }

  /** All artifacts, a part at a time, in the order of the compiles. */
  async *allDetails(): AsyncGenerator<{ first: number; details: Details[] }> {
    const per = this.report.parts.compiles;
    const count = Math.ceil(this.report.compiles.length / per);
    const AHEAD = 8; // scripts in flight: the disk answers at once, a host in its own time
    const queue: Promise<Details[]>[] = [];
    for (let k = 0; k < count; k++) {
      while (queue.length < AHEAD && k + queue.length < count) queue.push(this.#part(k + queue.length));
      yield { first: k * per, details: await queue.shift()! };
    }
  }

  /** The bytes of an artifact's text, put together from the chunks of its folder's stream. */
  async bytes(artifact: Artifact): Promise<Uint8Array<ArrayBuffer>> {
    if (!artifact.text) return new Uint8Array();
    const [offset, length] = artifact.text;
    const starts = this.report.parts.texts[artifact.dir];
    if (!starts) throw new Error(`the report has no texts of ${artifact.dir}`);
    const pieces = chunksOf(starts, offset, length);
    const chunks = await Promise.all(pieces.map((piece) => this.#chunk(artifact.dir, piece.chunk)));
    const out = new Uint8Array(length);
    let at = 0;
    pieces.forEach((piece, i) => {
      const bytes = chunks[i]!.subarray(piece.from, piece.to);
      out.set(bytes, at);
      at += bytes.length;
    });
    return out;
  }

  async text(artifact: Artifact): Promise<string> {
    return new TextDecoder().decode(await this.bytes(artifact));
  }

  /** The guards of a dynamo_cpp_guards_str; null for another artifact. */
  async guards(artifact: Artifact): Promise<GuardList | null> {
    if (!artifact.guards) return null;
    return json<GuardList>(await this.bytes({ ...artifact, text: artifact.guards.list }));
  }

  /** The symbols of the compile with this index, and the stacks they name; null where there are none. */
  async shapes(index: number): Promise<Shapes | null> {
    if (!this.report.compiles[index]?.shape_counts) return null;
    const per = this.report.parts.compiles;
    const k = Math.floor(index / per);
    const held = await remember(this.#shapes, `${k}`, 1, () =>
      part(`shapes/${k}`, `shapes.${k}.js`, this.base).then(json<ShapesPart>),
    );
    const own = held.compiles[index % per];
    return own ? { ...own, stacks: held.stacks } : null;
  }

  /** Where this rank parts from others; null where this is no rank's report below another one. */
  rankPlace(): Promise<RankPlace | null> {
    if (this.report.run.parent !== "..") return Promise.resolve(null);
    this.#place ??= part("ranks", "ranks.js", this.base)
      .then(json<RankPlace>)
      .catch(() => null); // a rank that is not compared has none
    return this.#place;
  }

  configs(): Promise<Config[]> {
    this.#configs ??= part("configs", "configs.js", this.base).then(json<Config[]>);
    this.#configs.catch(() => (this.#configs = null));
    return this.#configs;
  }

  /** The kinds of records within the compile ids of log.by_compile. */
  logShares(): Promise<Shares> {
    this.#shares ??= part("log", "log.js", this.base).then(json<Shares>);
    this.#shares.catch(() => (this.#shares = null));
    return this.#shares;
  }

  /** All kernels, in the order of the log. */
  kernels(): Promise<Kernel[]> {
    const count = this.report.parts.kernels ?? 0;
    this.#kernels ??= Promise.all(
      Array.from({ length: count }, (_, k) => part(`kernels/${k}`, `kernels.${k}.js`, this.base).then(json<Kernel[]>)),
    ).then((parts) => parts.flat());
    this.#kernels.catch(() => (this.#kernels = null));
    return this.#kernels;
  }

  /** Where a whole file of source is from; undefined: it is not in the report. */
  sourceFile(file: string): SourceFile | undefined {
    return this.report.parts.sources?.find((source) => source.file === file);
  }

  /** The text of a whole file of source; null: it is not in the report, or was left out when the report was shared. */
  async sourceText(file: string): Promise<string | null> {
    const k = this.report.parts.sources?.findIndex((source) => source.file === file) ?? -1;
    if (k < 0) return null;
    const text = await remember(this.#sources, `${k}`, 1, () =>
      part(`sources/${k}`, `sources.${k}.js`, this.base).then(json<SourcesPart>),
    );
    return text?.text ?? null;
  }

  /** What the user's own parsers added. */
  parsers(): Promise<Parser[]> {
    this.#parsers ??= part("parsers", "parsers.js", this.base).then(json<Parser[]>);
    this.#parsers.catch(() => (this.#parsers = null));
    return this.#parsers;
  }

  /** What the log says of torch.export. */
  exported(): Promise<ExportData> {
    this.#exported ??= part("export", "export.js").then(json<ExportData>);
    this.#exported.catch(() => (this.#exported = null));
    return this.#exported;
  }

  /** What changed between two runs, by the place of the pair in report.comparison. */
  comparison(place: number): Promise<Comparison> {
    return remember(this.#comparisons, `${place}`, 1, () =>
      part(`comparison/${place}`, `comparison.${place}.js`, this.base).then(json<Comparison>),
    );
  }

  #part(k: number): Promise<Details[]> {
    return remember(this.#details, `${k}`, 1, () =>
      part(`compiles/${k}`, `compiles.${k}.js`, this.base).then(json<Details[]>),
    );
  }

  #chunk(dir: string, k: number): Promise<Uint8Array<ArrayBuffer>> {
    const starts = this.report.parts.texts[dir]!;
    return remember(this.#chunks, `${dir}/${k}`, starts[k + 1]! - starts[k]!, () =>
      part(`${dir}/${k}`, `${dir}.${k}.js`, this.base),
    );
  }
}

/** Which chunks contain a range of a stream, and which bytes of each. `starts` ends with the stream's length. */
export function chunksOf(
  starts: readonly number[],
  offset: number,
  length: number,
): { chunk: number; from: number; to: number }[] {
  const pieces = [];
  for (let k = 0; k + 1 < starts.length; k++) {
    const from = Math.max(offset, starts[k]!);
    const to = Math.min(offset + length, starts[k + 1]!);
    if (from < to) pieces.push({ chunk: k, from: from - starts[k]!, to: to - starts[k]! });
  }
  return pieces;
}

export async function loadReport(base = ""): Promise<Report> {
  return tidy(json<Report>(await part("report", "report.js", base)));
}

function json<T>(bytes: Uint8Array<ArrayBuffer>): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

/** A promise is cached while it runs, so that two who ask share it; a failed one is forgotten. */
function remember<T>(cache: Lru<Promise<T>>, key: string, size: number, make: () => Promise<T>): Promise<T> {
  const held = cache.get(key);
  if (held) return held;
  const made = make();
  cache.set(key, made, size);
  made.catch(() => cache.delete(key));
  return made;
}

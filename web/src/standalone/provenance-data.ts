// What the block "provenance" of a provenance page says (doc/report-data.md), and which lines belong together by it. No DOM.
// A log may say anything: what has another shape is left out.

export interface Pane {
  title: string;
  name: string;
  url: string;
  lang: string;
}

export interface Kernel {
  name: string;
  /** lines of the post-grad graph */
  nodes: number[];
  /** lines of the post-grad graph where the mapping has none: what the kernel computes by its buffers */
  known: number[];
  /** lines of the pre-grad graph that no node mapping names */
  before: number[];
  /** nodes and before are known by the user's source line only */
  guessed: boolean;
  /** pane -> lines */
  calls: Map<number, number[]>;
  bodies: { pane: number; from: number; to: number }[];
  /** id of the element with its stack traces */
  traces: string | null;
}

export interface GraphSet {
  title: string;
  mapped: boolean;
  pre: number | null;
  post: number | null;
  code: number[];
  preToPost: Map<number, number[]>;
  postToPre: Map<number, number[]>;
  kernels: Kernel[];
  tracesUrl: string | null;
}

export interface Provenance {
  sets: GraphSet[];
  panes: Pane[];
}

export function parseProvenance(text: string): Provenance {
  const root = object(json(text));
  return {
    sets: list(root.sets).map((item) => parseSet(object(item))),
    panes: list(root.panes).map((item) => parsePane(object(item))),
  };
}

function parsePane(from: Fields): Pane {
  return { title: string(from.title), name: string(from.name), url: string(from.url), lang: string(from.lang) };
}

function parseSet(from: Fields): GraphSet {
  const traces = object(from.traces);
  return {
    title: string(from.title),
    mapped: from.mapped === true,
    pre: place(from.pre),
    post: place(from.post),
    code: numbers(from.code),
    preToPost: lineMap(from.preToPost),
    postToPre: lineMap(from.postToPre),
    kernels: list(from.kernels).map((item) => parseKernel(object(item), traces)),
    tracesUrl: typeof from.traces_url === "string" ? from.traces_url : null,
  };
}

function parseKernel(from: Fields, traces: Fields): Kernel {
  const name = string(from.name);
  const id = Object.hasOwn(traces, name) ? traces[name] : null;
  const bodies = list(from.bodies)
    .map(numbers)
    .filter((body) => body.length === 3);
  return {
    name,
    nodes: numbers(from.nodes),
    known: numbers(from.known),
    before: [],
    guessed: false,
    calls: lineMap(from.calls),
    bodies: bodies.map(([pane, first, last]) => ({ pane: pane!, from: first!, to: last! })),
    traces: typeof id === "string" ? id : null,
  };
}

type Fields = Record<string, unknown>;

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const object = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const string = (value: unknown): string => (typeof value === "string" ? value : "");
const place = (value: unknown): number | null => (typeof value === "number" ? value : null);
const numbers = (value: unknown): number[] => list(value).filter((item): item is number => typeof item === "number");

function lineMap(value: unknown): Map<number, number[]> {
  return new Map(Object.entries(object(value)).map(([line, to]) => [Number(line), numbers(to)]));
}

/** "triton_poi_fused_mul_1:2" -> ["triton_poi_fused_mul_1", "2"]: the name and its debug handle. */
export function splitHandle(name: string): [string, string | null] {
  const found = /^(.+):(\d+)$/.exec(name);
  return found ? [found[1]!, found[2]!] : [name, null];
}

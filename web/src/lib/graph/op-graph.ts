// An FX graph as nodes: what each one calls, with which operands, from which line. src/graph/op_graph.h describes it; the
// answers are the same.
import { bracketEnd, wordEnd } from "./fx-text";
import type { FxSource } from "./fx-source";
import type { Words } from "./words";

export type OpKind = "placeholder" | "get_attr" | "call_function" | "call_method" | "call_module" | "output";
export const OP_KINDS: readonly OpKind[] = [
  "placeholder",
  "get_attr",
  "call_function",
  "call_method",
  "call_module",
  "output",
];

export const NODES_MAX = 1 << 20;
export const TOKENS_MAX = 1 << 24;
export const NONE = -1;

export interface OpNode {
  kind: OpKind;
  /** empty for an output, and for what nothing is the result of */
  name: string;
  /** `torch.ops.aten.mm.default`, `view`, `fc.weight`, `operator.add`; of an input its name */
  target: string;
  /** as they are printed, without the brackets of a call, or the whole expression */
  args: string;
  /** `f32[8, s0][s0, 1]cuda:0`; null: not printed */
  type: string | null;
  /** the parts of the type */
  parts: OpType;
  /** in `graphs` */
  graph: number;
  /** range of tokens */
  first: number;
  count: number;
  /** in `sources`; NONE: unknown */
  source: number;
  /** in the text, from 0 */
  line: number;
  /** numbers among its arguments may be sizes of its result */
  takesSizes: boolean;
}

/** The first graph is the outermost one; others are bodies of operators such as cond. */
export interface Nested {
  name: string;
  /** range of nodes */
  first: number;
  count: number;
}

export interface OpGraph {
  /** of both graphs that are compared */
  words: Words;
  graphs: Nested[];
  /** in the order of the text: operands come first */
  nodes: OpNode[];
  /** what arguments consist of: a word, and the node that is the operand or NONE */
  tokens: number[];
  operands: number[];
  sources: FxSource[];
  /** nodes that are left out */
  more: number;
}

/** The parts of a type: `f32`, `8, s0`, `s0, 1`, `cuda:0`. A part that the type does not have is empty. */
export interface OpType {
  tensor: boolean;
  dtype: string;
  shape: string;
  strides: string | null;
  device: string;
}

export const NO_TYPE: OpType = { tensor: false, dtype: "", shape: "", strides: null, device: "" };

export function readType(type: string): OpType {
  const dtype = wordEnd(type, 0);
  const shape = dtype && type[dtype] === "[" ? bracketEnd(type, dtype) : -1;
  if (shape < 0) return NO_TYPE;
  const parts = { ...NO_TYPE, tensor: true, dtype: type.slice(0, dtype), shape: type.slice(dtype + 1, shape - 1) };
  const strides = type[shape] === "[" ? bracketEnd(type, shape) : -1;
  if (strides < 0) return parts;
  return { ...parts, strides: type.slice(shape + 1, strides - 1), device: type.slice(strides) };
}

/** Whether the node is an input whose type is a size or a number, `Sym(s0)`, or computes one. */
export const isSymbol = (node: OpNode): boolean => node.type?.startsWith("Sym(") === true;

/** Whether the operand only has sizes: a symbol, or torch.Size([…]). */
export const isSize = (node: OpNode): boolean => isSymbol(node) || node.target === "torch.Size";

export const isOp = (node: OpNode): boolean => node.kind !== "placeholder" && node.kind !== "output";

const SIZED =
  "view reshape expand zeros ones empty full arange iota rand Size as_strided new_ flatten repeat split narrow eye".split(
    " ",
  );

/** Views and factories. */
export const takesSizes = (target: string): boolean => SIZED.some((word) => target.includes(word));

/** Nodes that compute something. */
export const countOps = (graph: OpGraph): number =>
  graph.nodes.reduce((sum, { kind }) => sum + Number(kind.startsWith("call_")), 0);

/** null: the outermost one. */
export const graphName = (graph: OpGraph, node: OpNode): string | null =>
  node.graph ? graph.graphs[node.graph]!.name : null;

/** How a matched node differs. */
export const DIFFERS = {
  /** in sizes only */
  resized: 1,
  /** it has an operand that was added, removed or replaced */
  rewired: 2,
  /** in its target, its operands, or its constants */
  changed: 4,
  /** its result has another dtype or device */
  retyped: 8,
  restrided: 16,
} as const;

// How matched nodes differ.
import type { Budget } from "./budget";
import { isDigitAt } from "./fx-text";
import { DIFFERS, isSymbol, NONE, type OpGraph, type OpNode } from "./op-graph";
import type { Match } from "./op-inputs";
import { nestedGraphs } from "./op-keys";
import type { ChangedPairs } from "./op-pairs";

/** By node of b: bits of DIFFERS. Notes sizes and types that differ. */
export function compareNodes(a: OpGraph, b: OpGraph, match: Match, pairs: ChangedPairs, budget: Budget): Uint8Array {
  noteSizes(a, b, match, pairs);
  const comparer = new Comparer(a, b, match, pairs, budget);
  return Uint8Array.from(b.nodes, (_, j) => (match.b[j] === NONE ? 0 : comparer.compare(match.b[j]!, j)));
}

const sizesOf = (shape: string): string[] => (shape ? shape.split(", ") : []);

function* differing(one: string, other: string): Iterable<readonly [from: string, to: string]> {
  if (one === other) return;
  const [a, b] = [sizesOf(one), sizesOf(other)];
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) yield [a[i]!, b[i]!];
}

function noteSizes(a: OpGraph, b: OpGraph, match: Match, pairs: ChangedPairs): void {
  b.nodes.forEach(({ parts, kind }, j) => {
    if (match.b[j] === NONE) return;
    for (const [from, to] of differing(a.nodes[match.b[j]!]!.parts.shape, parts.shape))
      pairs.note(from, to, kind === "placeholder");
  });
}

const DTYPES = /^(?:bfloat|bool|byte|char|complex|double|float|half|int|long|short|uint)/;

/** Whether a word names a dtype, as in `torch.float32`, or the method that casts to it, as in `x.float()`. */
const namesDtype = (word: string): boolean => DTYPES.test(word);

class Comparer {
  /** the call that is compared names another dtype */
  private stated = false;
  private readonly nested: [Map<string, number>, Map<string, number>];

  constructor(
    private readonly a: OpGraph,
    private readonly b: OpGraph,
    private readonly match: Match,
    private readonly pairs: ChangedPairs,
    private readonly budget: Budget,
  ) {
    this.nested = [nestedGraphs(a), nestedGraphs(b)];
  }

  compare(a: number, b: number): number {
    const [one, other] = [this.a.nodes[a]!, this.b.nodes[b]!];
    const differs = this.calls(one, other, b);
    return differs | this.types(one, other, b);
  }

  private calls(one: OpNode, other: OpNode, b: number): number {
    this.stated = false;
    if (one.kind !== other.kind) return DIFFERS.changed;
    if (one.kind !== "placeholder" && one.target !== other.target && !this.bothNested(one, other)) {
      this.stated = namesDtype(one.target) && namesDtype(other.target);
      return DIFFERS.changed;
    }
    const [tokens, others] = [tokensOf(this.a, one), tokensOf(this.b, other)];
    let differs = 0;
    for (;;) {
      const [x, y] = [tokens.next().value, others.next().value];
      this.budget.spend(1);
      if (x === undefined || y === undefined) return x === y ? differs : DIFFERS.changed;
      differs |= this.tokens(x, y, b);
    }
  }

  /** Names of nested graphs say nothing. */
  private bothNested(one: OpNode, other: OpNode): boolean {
    const [a, b] = this.nested;
    return one.kind === "get_attr" && a.has(one.target) && b.has(other.target);
  }

  /** The tokens at two places, in a node of b. */
  private tokens(x: number, y: number, b: number): number {
    const [i, j] = [this.a.operands[x]!, this.b.operands[y]!];
    const operands = i !== NONE && j !== NONE;
    if (operands && this.match.a[i] === j) return 0;
    if (i === NONE && j === NONE && sameWord(this.a, x, this.b, y)) return 0;
    const [from, to] = [sizeAt(this.a, x), sizeAt(this.b, y)];
    if (from !== null && to !== null) return this.sizes(from, to, i, j, b);
    const word = (graph: OpGraph, at: number) => graph.words.text(graph.tokens[at]!);
    if (!operands && namesDtype(word(this.a, x)) && namesDtype(word(this.b, y))) this.stated = true;
    return operands && (this.match.a[i] === NONE || this.match.b[j] === NONE) ? DIFFERS.rewired : DIFFERS.changed;
  }

  private sizes(from: string, to: string, i: number, j: number, b: number): number {
    const matched = (i !== NONE && this.match.a[i] !== NONE) || (j !== NONE && this.match.b[j] !== NONE);
    if (i !== NONE && j !== NONE && matched) return DIFFERS.changed; // other symbols of the same graphs
    this.budget.spend(from.length);
    if (from === to) return DIFFERS.resized;
    const symbols = i !== NONE || j !== NONE;
    if (!symbols && !this.pairs.ofSizes(from, to, this.b.nodes[b]!.takesSizes)) return DIFFERS.changed;
    this.pairs.addSize(from, to, b);
    return DIFFERS.resized;
  }

  /** After calls(). A type that the call states is listed as a change of the call. */
  private types({ parts: one }: OpNode, { parts: other }: OpNode, b: number): number {
    if (!one.tensor || !other.tensor) return 0;
    let differs = 0;
    for (const [from, to] of [
      [one.dtype, other.dtype],
      [one.device, other.device],
    ] as const) {
      if (from === to || !from || !to) continue;
      if (from !== one.dtype || !this.stated) this.pairs.types.add(from, to, b);
      differs |= DIFFERS.retyped;
    }
    if (one.shape === other.shape) {
      const known = one.strides !== null && other.strides !== null;
      return differs | (known && one.strides !== other.strides ? DIFFERS.restrided : 0);
    }
    for (const [from, to] of differing(one.shape, other.shape)) this.pairs.addSize(from, to, b);
    return differs | DIFFERS.resized;
  }
}

const SIZE_TOKENS_MAX = 256; // tensors have at most 64 dimensions

/** The tokens of a node, with those of torch.Size([…]) in place of an operand that is one. */
function* tokensOf(graph: OpGraph, node: OpNode): Generator<number, undefined> {
  for (let i = node.first; i < node.first + node.count; i++) {
    const operand = graph.nodes[graph.operands[i]!];
    if (operand?.target !== "torch.Size" || !operand.count || operand.count > SIZE_TOKENS_MAX) yield i;
    else for (let k = operand.first; k < operand.first + operand.count; k++) yield k;
  }
}

/** Lists and tuples of sizes are equal. */
function sameWord(a: OpGraph, x: number, b: OpGraph, y: number): boolean {
  if (a.tokens[x] === b.tokens[y]) return true;
  const [one, other] = [a.words.text(a.tokens[x]!), b.words.text(b.tokens[y]!)];
  const alike = (set: string) => one.length === 1 && other.length === 1 && set.includes(one) && set.includes(other);
  return alike("([") || alike(")]");
}

/** The text of a token that may be a size: a number, or a symbol; null: it is neither. */
function sizeAt(graph: OpGraph, at: number): string | null {
  const operand = graph.nodes[graph.operands[at]!];
  if (operand && isSymbol(operand)) return symbolOf(operand);
  const text = graph.words.text(graph.tokens[at]!);
  return isDigitAt(text, 0) ? text : null;
}

const symbolOf = ({ type, name }: OpNode): string => (type!.endsWith(")") ? type!.slice(4, -1) : name);

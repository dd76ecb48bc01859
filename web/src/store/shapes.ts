// Symbols of shapes: sizes that the compiler left open, where they came from, and what was asked of them.
import type { StackFrame } from "./report";
import type { ShapeGuard, ShapeSymbol, Shapes as ShapeLists, ShapesPart, Specialization } from "./generated/report";
export type { ShapeGuard, ShapesPart, ShapeSymbol, ShapeWhere, Specialization } from "./generated/report";

export type ShapeStacks = ShapesPart["stacks"];
export type Shapes = ShapeLists & { stacks: ShapeStacks };

/** A symbol of one attempt with all that was done with it. */
export interface SymbolStory {
  symbol: ShapeSymbol;
  specializations: Specialization[];
  guards: ShapeGuard[];
}

export interface AttemptShapes {
  attempt: number | null;
  stories: SymbolStory[];
  /** of symbols that were not made here */
  loose: { specializations: Specialization[]; guards: ShapeGuard[] };
}

/** By attempt, the last one first: each attempt creates its symbols again. */
export function shapeStories(shapes: Shapes): AttemptShapes[] {
  const attempts = new Map<number | null, AttemptShapes>();
  const of = (attempt: number | null) => {
    let held = attempts.get(attempt);
    if (!held) attempts.set(attempt, (held = { attempt, stories: [], loose: { specializations: [], guards: [] } }));
    return held;
  };
  const stories = new Map<string, SymbolStory>();
  const key = (attempt: number | null, symbol: string | null) => `${attempt} ${symbol}`;
  for (const symbol of shapes.symbols) {
    if (stories.has(key(symbol.attempt, symbol.symbol))) continue;
    const story = { symbol, specializations: [], guards: [] };
    stories.set(key(symbol.attempt, symbol.symbol), story);
    of(symbol.attempt).stories.push(story);
  }
  for (const item of shapes.specializations)
    (stories.get(key(item.attempt, item.symbol)) ?? of(item.attempt).loose).specializations.push(item);
  for (const item of shapes.guards) {
    const about = item.symbols
      .map((symbol) => stories.get(key(item.attempt, symbol)))
      .filter((story) => story !== undefined);
    for (const story of about.length ? about : [of(item.attempt).loose]) story.guards.push(item);
  }
  return [...attempts.values()].sort((a, b) => (b.attempt ?? -1) - (a.attempt ?? -1));
}

/** The frames of a stack, outermost first. */
export function stackFrames(stacks: ShapeStacks, n: number | null): StackFrame[] {
  const frames: StackFrame[] = [];
  for (let i = n ?? -1; i >= 0 && stacks[i] && frames.length < 10_000; i = stacks[i]!.parent) frames.push(stacks[i]!);
  return frames.reverse();
}

const REASONS: Record<string, string> = {
  range_refined_to_singleton: "its conditions leave one value",
  trivial_lhs: "a condition equates it with this value",
  trivial_rhs: "a condition equates it with this value",
  solve: "the only solution of an equation",
};

/** PyTorch's reason in plain words; its own where none are known. */
export const reasonWords = (reason: string | null): string =>
  reason === null ? "" : (REASONS[reason] ?? reason.replace(/_/g, " "));

/** "[2, int_oo]" -> "2 or more". */
export function rangeWords(range: string | null): string {
  const found = /^(?:VR)?\[(-?[^,\]]+), ([^,\]]+)\]$/.exec(range ?? "");
  if (!found) return range ?? "";
  const [, low, high] = found as unknown as [string, string, string];
  const open = (text: string) => /^-?(int_)?oo$/.test(text);
  if (open(low) && open(high)) return "any";
  if (open(high)) return `${low} or more`;
  if (open(low)) return `${high} or less`;
  return low === high ? `only ${low}` : `${low} to ${high}`;
}

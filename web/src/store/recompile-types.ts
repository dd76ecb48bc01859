import type { Frame, Place } from "./place";

// Frames that were compiled more than once: see doc/report-data.md.
export interface Recompile {
  frame: Frame | null;
  chain: string[];
  /** compiles of the chain that are recompiles: all of them where the first version is not in the log */
  recompiles: number;
  /** further ones, which the recompile limit refused */
  refused: number;
  limit_hit: boolean;
  /** one a step, the most frequent first */
  causes: RecompileCause[];
  steps: RecompileStep[];
  more_steps: number;
  /** recompile_limit of the compile that hit it */
  limit: number | null;
  advice: RecompileAdvice[];
  time_us: number | null;
}

export interface RecompileCause {
  guard: string;
  guard_type: string;
  source: string | null;
  /** the same as the user writes it */
  subject: string | null;
  /** in rows, each of what followed from what: 6 → 7, and 8 → 9; null: not in the log */
  values: (string | null)[][];
  count: number;
  /** in how many of them another guard would have failed as well */
  others: number;
  /** further recompiles in which it changed beside their cause */
  also: number;
  /** how many of them the recompile limit refused */
  refused: number;
  first?: string;
  example?: string | null;
  code?: string | null;
  place?: Place | null;
}

export interface RecompileAdvice {
  guard_type: string;
  text: string;
  /** nothing is wrong */
  expected: boolean;
  evidence: { record: string; compile: string; says: string | null }[];
  more_evidence: number;
}

/** A guard that failed: of which earlier compile, what it wants and what came. */
export interface GuardFailure {
  against: string | null;
  guard: string;
  guard_type: string;
  source: string | null;
  had: string | null;
  has: string | null;
}

/** A guard of the nearest version that does not hold in this one. */
export interface GuardChange {
  guard: string | null;
  guard_type: string;
  source: string | null;
  had: string | null;
  has: string | null;
  /** the symbol that it became */
  symbol: string | null;
  /** of dispatch keys: "−AutogradCPU +AutocastCPU" */
  differs: string | null;
}

export interface RecompileStep {
  compile: string;
  from: string;
  nearest: string | null;
  changes: GuardChange[];
  more_changes: number;
  reasons: GuardFailure[];
  more_reasons: number;
  sizes: { name: string; had: string | null; has: string | null }[];
}

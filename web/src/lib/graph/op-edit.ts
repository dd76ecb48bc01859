export type Change = "added" | "removed" | "changed" | "replaced" | "moved";
export const CHANGES: readonly Change[] = ["added", "removed", "changed", "replaced", "moved"];

/** Nodes of one change. Added: no a. Removed: no b. Changed and moved: one of each. Replaced: several, as if operations are
 * fused. */
export interface Edit {
  change: Change;
  a: readonly number[];
  b: readonly number[];
}

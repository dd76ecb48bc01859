import type { GuardFailure, Recompile } from "./types";

const WORDS: Record<string, string> = {
  size: "size of", stride: "stride of", rank: "number of dimensions of", dtype: "dtype of", device: "device of", requires_grad: "requires_grad of", dispatch_key: "kind of tensor of",
  value: "value of", length: "length of", type: "type of", identity: "another object:", dict: "keys of", attribute: "attribute of", global_state: "global mode", relation: "condition on sizes of",
};

/** "size of x, dimension 0" */
export function failureWords(failure: GuardFailure): string {
  const dimension = /^tensor .* (?:size|stride) mismatch at index (\d+)/.exec(failure.guard)?.[1];
  const words = failure.guard_type === "alias" ? "one tensor passed twice" : (WORDS[failure.guard_type] ?? "guard on");
  const about = failure.source ?? (failure.guard_type === "alias" ? "" : failure.guard_type === "relation" ? "inputs" : failure.guard);
  return [`${words} ${about}`.trim(), dimension && `dimension ${dimension}`].filter(Boolean).join(", ");
}

export interface Flap {
  words: string;
  /** how many recompiles the latest version failed with it */
  count: number;
  /** what the value was from compile to compile, where the log tells */
  values: string[];
}

/** The guards with which the latest version failed more than once, the most frequent first: values that change for ever. An older version's guard may fail each time anew and says less. */
export function flapping(item: Recompile): Flap[] {
  const flaps = new Map<string, Flap>();
  for (const step of item.steps) {
    const latest = step.reasons[0];
    if (!latest) continue;
    const words = failureWords(latest);
    const flap = flaps.get(words) ?? { words, count: 0, values: [] };
    flap.count++;
    for (const value of [latest.had, latest.has]) if (value !== null && flap.values.at(-1) !== value) flap.values.push(value);
    flaps.set(words, flap);
  }
  return [...flaps.values()].filter((flap) => flap.count > 1).sort((a, b) => b.count - a.count);
}

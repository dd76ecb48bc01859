/** A value of a configuration as one line. Integers beyond 2^53 lost digits when the data was parsed, so they are rounded visibly. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return `≈ ${value.toPrecision(4)}`;
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}

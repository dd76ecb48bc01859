/** A value of a configuration as one line. */
export const shownValue = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");

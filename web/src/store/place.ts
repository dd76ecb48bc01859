// Places in source code and frames of stacks: the types that all parts of report.json share.
import type { Place } from "./generated/report";

export type { Place, StackFrame } from "./generated/report";

/** A function; tidy() makes it of a place. */
export interface Frame extends Place {
  file: string;
  function: string;
}

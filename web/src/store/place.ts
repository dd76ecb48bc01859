// Places in source code and frames of stacks: the types that all parts of report.json share.
import { baseName } from "../lib/format";
import type { Frame as ReportFrame } from "./generated/report";
export type { Place, StackFrame } from "./generated/report";

/** A function; tidy() makes it of a place. */
export interface Frame extends ReportFrame {
  file: string;
  function: string;
}

/** The function as people recognize it: "Net.forward" where its own name says little; "" of no frame. */
export const frameName = (frame: Pick<Frame, "function" | "label"> | null | undefined): string =>
  frame?.label ?? frame?.function ?? "";

/** The same where its place is shown too: "wrapper" instead of "wrapper (model.py)" or "wrapper (model.py:10)". */
export const besidePlace = (frame: Frame): string => {
  const file = `${frame.function} (${baseName(frame.file)}`;
  return frame.label === `${file})` || frame.label === `${file}:${frame.line})` ? frame.function : frameName(frame);
};

/** A frame of a stack as people recognize it: "Net.forward". */
export const stackName = (node: { function: string; label?: string }): string => node.label ?? node.function;

// Places in source code and frames of stacks: the types that all parts of report.json share.
export interface Place {
  file: string;
  line: number | null;
  function?: string | null;
}

export interface Frame extends Place {
  function: string;
}

export interface StackFrame extends Frame {
  code?: string | null;
  /** not the user's */
  library?: boolean;
}

// The stages and passes of a compile: see doc/report-data.md.
/** A stage of a compile, from bytecode to kernels. */
export interface Stage {
  stage: string;
  backward: boolean;
  state: "done" | "cached" | "failed" | "skipped" | "unknown";
  why: string | null;
  time_us: number | null;
  ops: number | null;
  nodes: number | null;
  kernels: number | null;
  parts: number;
  /** places in the compile's artifacts */
  artifacts: number[];
}

/** A graph before and after a pass. */
export interface Pass {
  name: string;
  stage: string;
  /** a step from one form of the graph to the next: no pass */
  step: boolean;
  backward: boolean;
  /** places in the compile's artifacts */
  before: number;
  after: number;
  changed: boolean;
  ops_before: number | null;
  ops_after: number | null;
  nodes_before: number | null;
  nodes_after: number | null;
}

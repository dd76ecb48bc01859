import type { LineCost } from "../src/store/lines";

/** A line that costs nothing but what is given. */
export const lineCost = (file: string, line: number, more: Partial<LineCost> = {}): LineCost => ({
  file,
  line,
  text: null,
  function: null,
  library: false,
  breaks: 0,
  guards: 0,
  recompiles: 0,
  ops: 0,
  kernels: 0,
  saved_bytes: 0,
  compile_us: 0,
  run_us: null,
  compiles: [],
  compile_count: 0,
  ...more,
});

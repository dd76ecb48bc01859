import type { Place } from "./place";

// What the overview ranks: see doc/report-data.md.
export interface Finding {
  kind: string;
  severity: "error" | "warning" | "info";
  impact?: "stops" | "every_step" | "compile_time" | "information";
  /** what time_us is */
  cost?: "compile_time" | "lost_to_restarts" | "lost" | "run_time" | "cacheable" | "unfinished";
  title: string;
  /** of a graph break */
  id?: string | null;
  /** what PyTorch or the program said */
  message?: string | null;
  /** the line at place */
  code?: string | null;
  /** the user's line that led there */
  caller?: Place | null;
  /** the place is not the user's */
  library?: boolean;
  evidence?: string | null;
  /** the advice says why nothing is wrong */
  expected?: boolean;
  place: Place | string | null;
  compiles: string[];
  time_us: number | null;
  why: string | null;
  advice: string | null;
  link: string | null;
}

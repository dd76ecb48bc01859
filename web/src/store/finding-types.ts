import type { Finding as ReportFinding } from "./generated/report";

/** A finding of the report, or one that the page makes: of several ranks, or of a cache miss. */
export type Finding = Partial<Omit<ReportFinding, "link">> &
  Pick<ReportFinding, "kind" | "severity" | "title" | "why" | "advice" | "place" | "compiles" | "time_us"> & {
    link: string | null;
  };

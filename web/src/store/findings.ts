// What a finding says beyond its texts.
import { plural } from "../lib/text";
import type { Finding, Report, StackFrame } from "./report";

/** What its time is. */
const COSTS: Record<string, string> = {
  compile_time: "compile time",
  lost_to_restarts: "discarded traces",
  lost: "wasted compile time",
  run_time: "run time",
  cacheable: "cacheable compile time",
  unfinished: "unfinished",
};

export function costWords(finding: Pick<Finding, "cost">): string {
  return (finding.cost && COSTS[finding.cost]) ?? "";
}

/** What its time is of. That of recompiles is without the first compile, which is only named with them; the recompile limit may have
 * refused some. */
export function costCount(
  finding: Pick<Finding, "kind" | "link">,
  compiles: number,
  report: Pick<Report, "recompiles">,
  refused = 0,
): string {
  const chain = /^recompile/.test(finding.kind)
    ? report.recompiles[Number(/^#\/recompiles\?n=(\d+)$/.exec(finding.link ?? "")?.[1])]
    : undefined;
  if (!chain) return plural(compiles, "compile");
  return `${plural(chain.recompiles, "recompile")}${refused ? `, ${refused} refused` : ""}`;
}

/** What was said, without a first line that ends the title. */
export function messageOf(finding: Pick<Finding, "title" | "message">): string | null {
  const [first = "", ...rest] = (finding.message ?? "").split("\n");
  return (finding.title.endsWith(first) ? rest : [first, ...rest]).join("\n") || null;
}

/** The finding that has this page. */
export const findingOf = (report: Pick<Report, "findings">, link: string): Report["findings"][number] | undefined =>
  report.findings.find((finding) => finding.link === link);

/** The user's stack of a graph break, which is where its link goes. */
export function ownStack(report: Pick<Report, "graph_breaks">, finding: Pick<Finding, "link">): readonly StackFrame[] {
  const place = /^#\/breaks\?n=(\d+)$/.exec(finding.link ?? "");
  return place ? (report.graph_breaks[Number(place[1])]?.stack ?? []) : [];
}

/** Whether a frame is not the user's: the verdict of src/scan/library.h, which the data carries. */
export function isLibrary(frame: { library?: boolean }): boolean {
  return frame.library === true;
}

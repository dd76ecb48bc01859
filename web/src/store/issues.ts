// Which issues the overview lists, in which order, below which heads.
import { baseName } from "../lib/text";
import type { Finding } from "./report";

export const SORTS = { "": "importance", time: "compile time", compiles: "number of compiles" } as const;
export const GROUPS = { "": "nothing", kind: "kind", file: "file", severity: "severity" } as const;

/** "graph_break" as people say it. */
export const kindWords = (kind: string): string => kind.replaceAll("_", " ");

/** The kinds that the issues have, in their order, with their number. */
export function kindsOf(findings: readonly Finding[]): [kind: string, findings: number][] {
  const counts = new Map<string, number>();
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts];
}

/** The issues of a kind (undefined: all). An unknown order is that of the report: the most important first. */
export function shownFindings<F extends Finding>(findings: readonly F[], kind: string | undefined, sort: string): F[] {
  const kept = kind ? findings.filter((finding) => finding.kind === kind) : [...findings];
  if (sort === "time") kept.sort((a, b) => (b.time_us ?? 0) - (a.time_us ?? 0));
  if (sort === "compiles") kept.sort((a, b) => b.compiles.length - a.compiles.length);
  return kept;
}

/** The issues below their heads; one group without a name if they are not grouped. */
export function groupsOf<F extends Finding>(findings: readonly F[], group: string): { name: string; findings: F[] }[] {
  const of = (finding: Finding): string =>
    group === "kind"
      ? kindWords(finding.kind)
      : group === "severity"
        ? finding.severity
        : group === "file"
          ? fileOf(finding)
          : "";
  const groups = new Map<string, F[]>();
  for (const finding of findings) groups.set(of(finding), [...(groups.get(of(finding)) ?? []), finding]);
  return [...groups].map(([name, list]) => ({ name, findings: list }));
}

function fileOf({ place }: Finding): string {
  const file = typeof place === "string" ? place : (place?.file ?? "");
  return file ? baseName(file) : "no source line";
}

// What the table of compiles is made of: lines of compiles and of groups with their sums, and the same as CSV.
import { plural } from "../../lib/text";
import { type Compile, isCompile, type Report, type Status } from "../../store/report";
import { STATUS_WORDS } from "../../ui/compile";

export type GroupBy = "frame" | "status" | "none";
export const GROUPS: readonly GroupBy[] = ["frame", "status", "none"];

export interface Line {
  key: string;
  /** of one compile; of a group its first */
  compile: Compile;
  /** all compiles of a group; of a single line itself alone */
  members: readonly Compile[];
  group: boolean;
  /** the key of its group; "": none */
  within: string;
  open: boolean;
  /** of one frame between two resets */
  frame: string;
  /** in a few words why it was compiled */
  why: string;
  /** what the filter looks in */
  text: string;
}

export function lineOf(compile: Compile, why = "", frameOf = frameKey(compile.key)): Line {
  const { frame } = compile;
  const text = [
    compile.key,
    compile.id,
    frame?.label,
    frame?.function,
    frame && `${frame.file}:${frame.line}`,
    compile.subgraph,
    STATUS_WORDS[compile.status],
    compile.failure?.type,
    why,
    ...compile.recompile_reasons,
  ]
    .join(" ")
    .toLowerCase();
  return {
    key: compile.key,
    compile,
    members: [compile],
    group: false,
    within: "",
    open: false,
    frame: frameOf,
    why,
    text,
  };
}

/** The key of a line's group: its status, or its frame. */
export function groupKey({ compile, frame }: Line, by: GroupBy): string {
  if (!isCompile(compile)) return "outside";
  return by === "status" ? compile.status : frame;
}

/** The compiles of each frame by a key for it, "2" or "!0/2" or "2#2" after a reset: the frame that is called 2 then may be another one. */
export function framesOf(report: Pick<Report, "recompiles">): Map<string, string> {
  const frames = new Map<string, string>();
  for (const { chain } of report.recompiles) for (const key of chain) frames.set(key, frameKey(chain[0]!));
  return frames;
}

export const frameKey = (first: string): string => first.replace(/\/0(?=#|$)/, "");

/** Lines under the heads of their groups. `order` sorts lines, heads by their sums. A frame with one compile needs no head. */
export function grouped(
  lines: readonly Line[],
  by: GroupBy,
  isFolded: (key: string) => boolean,
  order: (lines: readonly Line[]) => readonly Line[],
): readonly Line[] {
  if (by === "none") return order(lines);
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const key = groupKey(line, by);
    const held = groups.get(key);
    if (held) held.push(line);
    else groups.set(key, [line]);
  }
  const heads = [...groups].map(([key, items]): Line =>
    by === "frame" && items.length === 1
      ? items[0]!
      : {
          ...items[0]!,
          key: `group ${key}`,
          members: items.map((item) => item.compile),
          group: true,
          within: key,
          open: !isFolded(key),
        },
  );
  const out: Line[] = [];
  for (const head of order(heads)) {
    out.push(head);
    if (head.group && head.open)
      for (const line of order(groups.get(head.within)!)) out.push({ ...line, within: head.within });
  }
  return out;
}

/** The sum over the members of what is known; null where nothing is. */
export function sum(line: Line, of: (compile: Compile) => number | null | undefined): number | null {
  let total: number | null = null;
  for (const compile of line.members) {
    const value = of(compile);
    if (value != null) total = (total ?? 0) + value;
  }
  return total;
}

export function statusesOf(line: Line): [Status, number][] {
  const counts = new Map<Status, number>();
  for (const compile of line.members) counts.set(compile.status, (counts.get(compile.status) ?? 0) + 1);
  return [...counts];
}

/** What the head of a group counts: ids with records but without a compile are "other ids". */
export function membersText(members: readonly Compile[]): string {
  const compiles = members.filter(isCompile).length;
  const others = members.length - compiles;
  const outside = others ? plural(others, "other id") : "";
  return compiles ? `${plural(compiles, "compile")}${outside && `, ${outside}`}` : outside;
}

/** "bypass, miss"; of a group how many compiles had such a result: "miss (2)". */
export function cacheText(line: Line): string {
  const counts = new Map<string, number>();
  for (const compile of line.members)
    for (const result of new Set(compile.cache.map((item) => item.result)))
      counts.set(result, (counts.get(result) ?? 0) + 1);
  return [...counts].map(([result, n]) => (line.group ? `${result} (${n})` : result)).join(", ");
}

/** Rows for a spreadsheet. A text that a spreadsheet would take for a formula is quoted: logs are not trusted. */
export function separated(
  heads: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  sign: "," | "\t",
): string {
  const cell = (value: string | number | null): string => {
    if (value === null) return "";
    if (typeof value === "number") return `${value}`;
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    if (sign === "\t") return safe.replace(/[\t\r\n]+/g, " ");
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [heads, ...rows].map((row) => row.map(cell).join(sign)).join("\n") + "\n";
}

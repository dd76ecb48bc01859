// The rooms of the page: a row each. A room of a later day is a row here and a file in rooms/.
import type { ComponentType } from "preact";
import { address, type Address } from "../base/address";
import { isCompile, recompileCount } from "../data/counts";
import { kernelCount } from "../data/kernels";
import { isLanding, type Aspect } from "../data/ranks";
import { isRuns } from "../data/runs";
import type { Report } from "../data/types";
import { Breaks } from "../rooms/Breaks";
import { CompileRoom } from "../rooms/CompileRoom";
import { Compare } from "../rooms/Compare";
import { Compiles } from "../rooms/Compiles";
import { ConfigRoom } from "../rooms/ConfigRoom";
import { Export } from "../rooms/Export";
import { Failures } from "../rooms/Failures";
import { Files } from "../rooms/Files";
import { HelpRoom } from "../rooms/HelpRoom";
import { Kernels } from "../rooms/Kernels";
import { LogRoom } from "../rooms/LogRoom";
import { Passes } from "../rooms/Passes";
import { ranksNote, Ranks } from "../rooms/Ranks";
import { RanksCollectives } from "../rooms/RanksCollectives";
import { RanksDiff } from "../rooms/RanksDiff";
import { RanksMatrix } from "../rooms/RanksMatrix";
import { RanksOrder } from "../rooms/RanksOrder";
import { RanksRuntime } from "../rooms/RanksRuntime";
import { Recompiles } from "../rooms/Recompiles";
import { Search } from "../rooms/Search";
import { Stacks } from "../rooms/Stacks";
import { Timeline } from "../rooms/Timeline";
import { Vllm } from "../rooms/Vllm";
import { Home } from "./Home";
import { bytes, count, time } from "../base/format";

export interface RoomProps {
  at: Address;
}

export interface Room {
  /** first item of the address, or the first two ("ranks/diff"); "" is the overview */
  key: string;
  title: string;
  component: ComponentType<RoomProps>;
  /** the key after `g` */
  letter?: string;
  /** what the navigation says beside the title */
  note?: (report: Report) => { text: string; bad?: boolean } | null;
  group: "vllm" | "what" | "ranks" | "data" | "hidden";
  /** whether this report has it; else the navigation leaves it out */
  has?: (report: Report) => boolean;
}

/** The page at the top of several ranks holds no compiles, so the rooms of compiles are not its own. */
const one = (report: Report): boolean => !isLanding(report);
const several = (report: Report): boolean => report.ranks !== undefined;
/** Logs without ranks are runs: of what ranks do together they have nothing. */
const ranked = (report: Report): boolean => several(report) && !isRuns(report);

export const ROOMS: readonly Room[] = [
  { key: "vllm", title: "vLLM", component: Vllm, letter: "v", group: "vllm", note: (r) => number(r.vllm?.calls.length ?? 0), has: (r) => (r.vllm?.calls.length ?? 0) > 0 },
  { key: "", title: "Overview", component: Home, letter: "o", group: "what", note: (r) => (isLanding(r) ? (isRuns(r) ? null : ranksNote(r)) : number(r.findings.length, r.findings.some((f) => f.severity === "error"))) },
  { key: "export", title: "Export", component: Export, letter: "p", group: "what", note: (r) => number(r.export?.failure_count ?? 0, true), has: (r) => r.export?.found === true },
  { key: "stacks", title: "Stacks", component: Stacks, letter: "s", group: "what", has: one },
  { key: "compiles", title: "Compiles", component: Compiles, letter: "c", group: "what", note: (r) => number(r.compiles.filter(isCompile).length), has: one },
  { key: "breaks", title: "Graph breaks", component: Breaks, letter: "b", group: "what", note: (r) => number(r.graph_breaks.length), has: one },
  { key: "recompiles", title: "Recompiles", component: Recompiles, letter: "r", group: "what", note: (r) => number(recompileCount(r), r.recompiles.some((x) => x.limit_hit)), has: one },
  { key: "failures", title: "Failures", component: Failures, letter: "x", group: "what", note: (r) => number(r.failures.length + (r.backward_failures?.length ?? 0), true), has: one },
  { key: "timeline", title: "Timeline", component: Timeline, letter: "t", group: "what", note: (r) => (r.timeline?.spans ? { text: time(r.timeline.duration_us) } : null) },
  { key: "passes", title: "Passes", component: Passes, letter: "n", group: "what", note: (r) => number(r.compiles.reduce((n, c) => n + (c.pass_counts?.passes ?? 0), 0)), has: (r) => r.compiles.some((c) => c.pass_counts) },
  { key: "compare", title: "Compare", component: Compare, letter: "y", group: "what", has: one },
  { key: "search", title: "Search", component: Search, letter: "q", group: "what", has: one },
  { key: "ranks/all", title: "All ranks", component: Ranks, letter: "a", group: "ranks", note: ranksNote, has: (r) => several(r) && one(r) },
  { key: "ranks", title: "Ranks × ids", component: RanksMatrix, letter: "m", group: "ranks", has: ranked },
  { key: "ranks/collectives", title: "Collectives", component: RanksCollectives, letter: "k", group: "ranks", note: (r) => parts(r, "collectives"), has: ranked },
  { key: "ranks/order", title: "Execution order", component: RanksOrder, letter: "e", group: "ranks", note: (r) => parts(r, "execution_order"), has: ranked },
  { key: "ranks/runtime", title: "Runtime", component: RanksRuntime, letter: "u", group: "ranks", has: ranked },
  { key: "ranks/diff", title: "Diff", component: RanksDiff, letter: "d", group: "ranks", has: several },
  { key: "kernels", title: "Kernels", component: Kernels, letter: "j", group: "what", note: (r) => number(kernelCount(r.kernels)), has: one },
  { key: "files", title: "Files", component: Files, letter: "f", group: "data", note: (r) => number(r.compiles.reduce((n, c) => n + c.artifact_count, 0)), has: one },
  { key: "config", title: "Config", component: ConfigRoom, letter: "i", group: "data", has: one },
  { key: "log", title: "Log", component: LogRoom, letter: "l", group: "data", note: (r) => ({ text: bytes(r.log.bytes), bad: r.log.faults.length > 0 }) },
  { key: "help", title: "Help", component: HelpRoom, letter: "h", group: "data" },
  { key: "c", title: "Compile", component: CompileRoom, group: "hidden" },
];

/** The room of an address; the longer key goes first. */
export function roomAt(path: readonly string[]): Room | undefined {
  return ROOMS.find((room) => room.key === path.slice(0, 2).join("/")) ?? ROOMS.find((room) => room.key === (path[0] ?? ""));
}

export const toRoom = (room: Room): string => address(room.key.split("/").filter(Boolean));

export function roomsOf(report: Report): readonly Room[] {
  return ROOMS.filter((room) => room.has?.(report) ?? true);
}

function parts(report: Report, aspect: Aspect): { text: string; bad: boolean } | null {
  const item = report.divergence?.[aspect];
  return item?.diverges ? { text: `${item.groups.length}`, bad: true } : item?.known && item.groups.some((group) => group.ranks.length > 1) ? { text: "✓", bad: false } : null; // one rank alone agrees with none
}

function number(n: number, bad = false): { text: string; bad: boolean } {
  return { text: count(n), bad: bad && n > 0 };
}

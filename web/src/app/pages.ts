// The pages of a report, one row each. A new page is a row here and a folder in features/.
import type { ComponentType } from "preact";
import { address } from "../lib/address";
import { isCompile, recompileCount, type Report } from "../store/report";
import { type Aspect, isLanding } from "../store/ranks";
import { mostBytes } from "../store/memory";
import { graphTime, profileOf } from "../store/profile";
import { isRuns } from "../store/runs";
import type { PageProps } from "../ui/page";
import { Breaks } from "../features/breaks/Breaks";
import { CompilePage } from "../features/compile/CompilePage";
import { Compiles } from "../features/compiles/Compiles";
import { Failures } from "../features/failures/Failures";
import { StandalonePage } from "../features/page/StandalonePage";
import { ranksNote } from "../features/ranks/Ranks";
import { Recompiles } from "../features/recompiles/Recompiles";
import { Search } from "../features/search/Search";
import { Timeline } from "../features/timeline/Timeline";
import { AllRanks, Home } from "./Home";
import { late } from "./late";
import { bytes, count, time } from "../lib/text";

export interface Page {
  /** first item of the address, or the first two ("ranks/diff"); "" is the overview */
  key: string;
  title: string;
  component: ComponentType<PageProps>;
  /** the key after `g` */
  letter?: string;
  /** what the navigation shows next to the title */
  note?: (report: Report) => { text: string; bad?: boolean } | null;
  group: "vllm" | "what" | "ranks" | "data" | "hidden";
  /** whether this report has it; otherwise the navigation leaves it out */
  has?: (report: Report) => boolean;
}

/** The top-level report of several ranks has no compiles, so it has no pages about them. */
const one = (report: Report): boolean => !isLanding(report);
const several = (report: Report): boolean => report.ranks !== undefined;
/** Logs without ranks are runs, which have nothing that ranks do together. */
const ranked = (report: Report): boolean => several(report) && !isRuns(report);

export const PAGES: readonly Page[] = [
  {
    key: "vllm",
    title: "vLLM",
    component: late("Vllm"),
    letter: "v",
    group: "vllm",
    note: (r) => number(r.vllm?.calls.length ?? 0),
    has: (r) => (r.vllm?.calls.length ?? 0) > 0,
  },
  {
    key: "",
    title: "Overview",
    component: Home,
    letter: "o",
    group: "what",
    note: (r) =>
      isLanding(r)
        ? isRuns(r)
          ? null
          : ranksNote(r)
        : number(
            r.findings.length,
            r.findings.some((f) => f.severity === "error"),
          ),
  },
  {
    key: "export",
    title: "Export",
    component: late("Export"),
    letter: "p",
    group: "what",
    note: (r) => number(r.export?.failure_count ?? 0, true),
    has: (r) => r.export?.found === true,
  },
  { key: "stacks", title: "Stacks", component: late("Stacks"), letter: "s", group: "what", has: one },
  {
    key: "compiles",
    title: "Compiles",
    component: Compiles,
    letter: "c",
    group: "what",
    note: (r) => number(r.compiles.filter(isCompile).length),
    has: one,
  },
  {
    key: "breaks",
    title: "Graph breaks",
    component: Breaks,
    letter: "b",
    group: "what",
    note: (r) => number(r.totals.graph_breaks),
    has: one,
  },
  {
    key: "recompiles",
    title: "Recompiles",
    component: Recompiles,
    letter: "r",
    group: "what",
    note: (r) =>
      number(
        recompileCount(r),
        r.recompiles.some((x) => x.limit_hit),
      ),
    has: one,
  },
  {
    key: "failures",
    title: "Failures",
    component: Failures,
    letter: "x",
    group: "what",
    note: (r) => number(r.failures.length + (r.backward_failures?.length ?? 0), true),
    has: one,
  },
  {
    key: "time",
    title: "Compile time",
    component: late("CompileTime"),
    group: "what",
    note: (r) => ({ text: time(r.totals.time_us) }),
    has: (r) => r.compile_time !== undefined,
  },
  {
    key: "timeline",
    title: "Timeline",
    component: Timeline,
    letter: "t",
    group: "what",
    note: (r) =>
      r.timeline?.spans && !r.ranks?.every((rank) => rank.elsewhere) ? { text: time(r.timeline.duration_us) } : null,
  },
  {
    key: "passes",
    title: "Passes",
    component: late("Passes"),
    letter: "n",
    group: "what",
    note: (r) => number(r.compiles.reduce((n, c) => n + (c.pass_counts?.passes ?? 0), 0)),
    has: (r) => r.compiles.some((c) => c.pass_counts),
  },
  {
    key: "ranks/all",
    title: "All ranks",
    component: AllRanks,
    letter: "a",
    group: "ranks",
    note: ranksNote,
    has: (r) => several(r) && one(r),
  },
  { key: "ranks", title: "Compile matrix", component: late("RanksMatrix"), letter: "m", group: "ranks", has: ranked },
  {
    key: "ranks/collectives",
    title: "Collectives",
    component: late("RanksCollectives"),
    letter: "k",
    group: "ranks",
    note: (r) => parts(r, "collectives"),
    has: ranked,
  },
  {
    key: "ranks/order",
    title: "Execution order",
    component: late("RanksOrder"),
    letter: "e",
    group: "ranks",
    note: (r) => parts(r, "execution_order"),
    has: ranked,
  },
  {
    key: "ranks/runtime",
    title: "Runtime estimates",
    component: late("RanksRuntime"),
    letter: "u",
    group: "ranks",
    has: ranked,
  },
  { key: "ranks/diff", title: "Diff", component: late("RanksDiff"), letter: "d", group: "ranks", has: several },
  {
    key: "kernels",
    title: "Kernels",
    component: late("Kernels"),
    letter: "j",
    group: "what",
    note: (r) => number(r.kernels.generated),
    has: one,
  },
  {
    key: "code",
    title: "Code",
    component: late("CodePage"),
    group: "what",
    note: (r) => number(r.lines?.filter(({ library }) => !library).length || (r.lines?.length ?? 0)),
    has: one,
  },
  {
    key: "modules",
    title: "Modules",
    component: late("ModulesPage"),
    group: "what",
    note: (r) => number((r.modules?.length ?? 0) + (r.more_modules ?? 0)),
    has: one,
  },
  {
    key: "memory",
    title: "Memory",
    component: late("MemoryPage"),
    group: "what",
    note: (r) => {
      const most = Math.max(0, ...(r.memory ?? []).map((graph) => mostBytes(graph) ?? 0));
      return most ? { text: bytes(most) } : null;
    },
    has: (r) => one(r) && (r.memory?.length ?? 0) > 0,
  },
  {
    key: "guards",
    title: "Guards",
    component: late("GuardsPage"),
    group: "what",
    note: (r) => number((r.guard_checks?.length ?? 0) + (r.more_guard_checks ?? 0)),
    has: one,
  },
  {
    key: "runtime",
    title: "Run time",
    component: late("RunTime"),
    letter: "w",
    group: "what",
    note: (r) => {
      const profile = profileOf(r);
      return profile ? { text: time(graphTime(profile)) } : { text: "not used", bad: true };
    },
    has: (r) => r.profile !== undefined,
  },
  {
    key: "parsers",
    title: "Parsers",
    component: late("Parsers"),
    group: "data",
    note: (r) =>
      number(
        r.parsers!.length,
        r.parsers!.some((parser) => parser.error),
      ),
    has: (r) => r.parsers !== undefined,
  },
  { key: "search", title: "Search", component: Search, letter: "q", group: "data", has: one },
  { key: "compare", title: "Compare", component: late("Compare"), letter: "y", group: "data", has: one },
  {
    key: "files",
    title: "Files",
    component: late("Files"),
    letter: "f",
    group: "data",
    note: (r) => number(r.compiles.reduce((n, c) => n + c.artifact_count, 0)),
    has: one,
  },
  { key: "config", title: "Config", component: late("ConfigPage"), letter: "i", group: "data", has: one },
  {
    key: "log",
    title: "Log",
    component: late("LogPage"),
    letter: "l",
    group: "data",
    note: (r) => ({ text: bytes(r.log.bytes), bad: r.log.faults.length > 0 }),
  },
  { key: "help", title: "Help", component: late("HelpPage"), letter: "h", group: "data" },
  { key: "c", title: "Compile", component: CompilePage, group: "hidden" },
  { key: "page", title: "Page", component: StandalonePage, group: "hidden" },
];

/** The page of an address; longer keys take precedence. */
export function pageAt(path: readonly string[]): Page | undefined {
  return (
    PAGES.find((page) => page.key === path.slice(0, 2).join("/")) ?? PAGES.find((page) => page.key === (path[0] ?? ""))
  );
}

export const toPage = (page: Page): string => address(page.key.split("/").filter(Boolean));

export function pagesOf(report: Report): readonly Page[] {
  return PAGES.filter((page) => page.has?.(report) ?? true);
}

function parts(report: Report, aspect: Aspect): { text: string; bad: boolean } | null {
  const item = report.divergence?.[aspect];
  return item?.diverges
    ? { text: `${item.groups.length}`, bad: true }
    : item?.known && item.groups.some((group) => group.ranks.length > 1)
      ? { text: "✓", bad: false }
      : null; // a single rank has no other to agree with
}

function number(n: number, bad = false): { text: string; bad: boolean } {
  return { text: count(n), bad: bad && n > 0 };
}

// Traces of torch.profiler, joined with the compiles: what the page works out of report.profile.
import type {
  Profile,
  ProfiledCompile as CompileRun,
  ProfiledGraph as GraphRun,
  ProfiledKernel as KernelRun,
  ProfiledLine as LineRun,
  RunTime,
} from "./generated/report";
import type { Frame, Report } from "./report";

export type { CompileRun, GraphRun, KernelRun, LineRun, Profile };
export type Operator = Profile["eager"]["operators"][number];

/**
 * The run time of a compile: its calls, and its backward graphs, which autograd calls later. Of one whose graphs are called without a frame,
 * as those of AOTInductor, all its graphs.
 */
export interface CompileTimes {
  calls: number;
  total_us: number;
  device_us: number | null;
  /** parts of total_us; nested_us: in calls of other versions of the function */
  backward_us: number;
  nested_us: number;
  guard_us: number | null;
  /** versions whose guards a call tries before those of this one, on average; null: unknown */
  tried: number | null;
}

const NEVER: CompileTimes = {
  calls: 0,
  total_us: 0,
  device_us: null,
  backward_us: 0,
  nested_us: 0,
  guard_us: null,
  tried: null,
};

/** Whether the profile has anything: all its traces may be those of other programs. */
export const isUsed = (profile: Profile): boolean => profile.files.some((file) => file.refused === null);

export const hasDevice = (profile: Profile): boolean => profile.graph_calls.device_us !== undefined;

/** The profile of a report, if it has anything. */
export const profileOf = (report: Pick<Report, "profile">): Profile | null =>
  report.profile && isUsed(report.profile) ? report.profile : null;

/** By the key of the compile; those that never ran have no calls, others without calls are absent. */
export function compileTimes(profile: Profile): ReadonlyMap<string, CompileTimes> {
  const times = new Map<string, CompileTimes>(profile.never_ran.map((key) => [key, NEVER]));
  for (const {
    compile,
    calls,
    total_us,
    device_us = null,
    nested_us,
    guard_calls,
    guard_us,
    ordered_calls,
    tried_before,
  } of profile.compiles)
    times.set(compile, {
      calls,
      total_us,
      device_us,
      backward_us: 0,
      nested_us,
      guard_us: guard_calls ? guard_us / guard_calls : null,
      tried: ordered_calls ? tried_before / ordered_calls : null,
    });
  const framed = new Set(profile.compiles.map(({ compile }) => compile));
  for (const { compile, direction, calls, total_us, device_us } of profile.graphs) {
    const backward = direction === "backward";
    if (compile === null || (framed.has(compile) && !backward)) continue;
    // The forward calls may have been before the profile began.
    const own = times.get(compile) ?? NEVER;
    times.set(compile, {
      ...own,
      calls: own.calls + (backward ? 0 : calls),
      total_us: own.total_us + total_us,
      device_us: device_us === undefined ? own.device_us : (own.device_us ?? 0) + device_us,
      backward_us: own.backward_us + (backward ? total_us : 0),
    });
  }
  return times;
}

/** The versions of a function: what they cost to compile, and to run in the profile. */
export interface FunctionRun {
  frame: Frame;
  /** of its compiles, in their order */
  keys: string[];
  /** number of them without a call in the profile */
  unused: number;
  calls: number;
  total_us: number;
  device_us: number | null;
  compile_us: number | null;
}

const sumOf = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0);

/** The functions of which a version has a call in the profile, or that never ran, by run time. */
export function functionRuns({ profile, compiles }: Pick<Report, "profile" | "compiles">): FunctionRun[] {
  const times: ReadonlyMap<string, CompileTimes> = profile ? compileTimes(profile) : new Map();
  const functions = new Map<string, FunctionRun>();
  for (const { key, frame, time_us } of compiles) {
    const ran = times.get(key);
    if (!frame || !ran) continue;
    const place = `${frame.file}:${frame.line}:${frame.function}`;
    const old = functions.get(place);
    functions.set(place, {
      frame: old?.frame ?? frame,
      keys: [...(old?.keys ?? []), key],
      unused: (old?.unused ?? 0) + (ran.calls || ran.backward_us ? 0 : 1),
      calls: (old?.calls ?? 0) + ran.calls,
      total_us: (old?.total_us ?? 0) + ran.total_us - ran.nested_us,
      device_us: sumOf(old?.device_us ?? null, ran.device_us),
      compile_us: sumOf(old?.compile_us ?? null, time_us),
    });
  }
  return [...functions.values()].sort((a, b) => b.total_us - a.total_us);
}

/** By the index in the list of kernels. */
export const kernelTimes = (profile: Profile): ReadonlyMap<number, KernelRun> =>
  new Map(profile.kernels.map((kernel) => [kernel.index, kernel]));

/** What the shares of kernels and lines are of: the time of all graph calls, on the device if there is one. */
export const graphTime = (profile: Profile): number => timeOf(profile.graph_calls, profile);

/** The time that a share is made of. */
export const timeOf = (run: Pick<RunTime, "total_us" | "device_us">, profile: Profile): number =>
  hasDevice(profile) ? (run.device_us ?? 0) : run.total_us;

export interface Part {
  key: "graphs" | "guards" | "overhead" | "eager";
  title: string;
  us: number;
  /** of the palette */
  color: number;
  about: string;
}

/** Where the time goes that is due to compiled code or replaces it. The parts do not overlap. */
export function partsOf(profile: Profile): Part[] {
  const all: Part[] = [
    { key: "graphs", title: "Graphs", us: profile.graph_calls.total_us, color: 1, about: "calls of compiled graphs" },
    { key: "guards", title: "Guard checks", us: profile.guards.total_us, color: 5, about: "lookups in Dynamo's cache" },
    {
      key: "overhead",
      title: "Overhead",
      us: profile.overhead_us,
      color: 4,
      about: "bytecode and runtime wrappers of AOTAutograd around the graphs",
    },
    {
      key: "eager",
      title: "Eager operators",
      us: profile.eager.total_us,
      color: 6,
      about: "operators outside of compiled graphs",
    },
  ];
  return all.filter((part) => part.us > 0);
}

/** Graph calls whose operators are not those of the code, in its order, and the share of graph time that they have. */
export function unaligned(profile: Profile): { calls: number; us: number } {
  const sum = { calls: 0, us: 0 };
  for (const { unaligned_calls, unaligned_us } of profile.graphs) {
    sum.calls += unaligned_calls;
    sum.us += unaligned_us;
  }
  return sum;
}

/** The time of kernels in graphs, on devices if the profile has them. */
const kernelSums = (profile: Profile): Pick<Profile, "kernel_us" | "without_line_us"> => profile.devices ?? profile;

/** The part of kernel time that has a source line, in microseconds, and the whole. */
export function withLine(profile: Profile): { us: number; of: number } {
  const { kernel_us, without_line_us } = kernelSums(profile);
  return { us: kernel_us - without_line_us, of: kernel_us };
}

/** The setting that records the events of generated kernels on the CPU. */
export const KERNEL_PROFILE = "torch._inductor.config.cpp.enable_kernel_profile = True";

interface NoLines {
  why: string;
  /** what to set to have lines */
  set: { option: string; does: string } | null;
}

/** Why there are no lines. */
export function noLines(profile: Profile): NoLines {
  if (!profile.graph_calls.calls)
    return {
      why: profile.regions.calls
        ? "The profile has no calls of graphs, which PyTorch 2.9 and later record"
        : "No call of a compiled graph in the profile",
      set: null,
    };
  if (profile.unknown_graphs >= profile.graph_calls.calls)
    return { why: "The code of these graphs is not in the log, or is that of several compiles", set: null };
  if (!kernelSums(profile).kernel_us)
    return {
      why: "No kernel has an event",
      set: { option: KERNEL_PROFILE, does: "records those of generated kernels on the CPU" },
    };
  if (!profile.kernels.length) return { why: "No graph call is aligned with its code", set: null };
  return {
    why: "No kernel has a source line",
    set: { option: "INDUCTOR_PROVENANCE=1", does: "logs a stack trace of each kernel" },
  };
}

/** By `file:line`, the kernels that compute operations of the line. */
export function kernelsOfLines(profile: Profile): ReadonlyMap<string, readonly KernelRun[]> {
  const lines = new Map<string, KernelRun[]>();
  for (const kernel of profile.kernels)
    for (const { file, line } of kernel.places) {
      const key = `${file}:${line}`;
      const held = lines.get(key);
      if (held) held.push(kernel);
      else lines.set(key, [kernel]);
    }
  return lines;
}

/** Graph time that no line has. */
export interface Rest {
  title: string;
  about: string;
  us: number;
}

/** Together with the lines, these are the time of all graph calls. */
export function restOf(profile: Profile): Rest[] {
  const whole = graphTime(profile);
  const listed = profile.lines.reduce((us, line) => us + timeOf(line, profile), 0);
  const { kernel_us, without_line_us } = kernelSums(profile);
  const [title, about] = profile.devices
    ? ["other device work", "work that no operator of the graphs starts"]
    : ["no kernel event", "Python code of the graphs, and kernels without events"];
  const rest: Rest[] = [
    { title: "other lines", about: "not listed", us: kernel_us - without_line_us - listed },
    { title: "kernels without a line", about: "their source line is unknown", us: without_line_us },
    { title, about, us: whole - kernel_us },
  ];
  // What is left of rounded numbers is nothing.
  return rest.filter(({ us }) => us >= 0.5 && us > whole / 10_000);
}

/** Compiles that have code, but no call in the profile, the most expensive first. */
export function neverRan(report: Pick<Report, "profile" | "compiles">): { key: string; us: number | null }[] {
  const keys = new Set(report.profile?.never_ran);
  return report.compiles
    .filter((compile) => keys.has(compile.key))
    .map((compile) => ({ key: compile.key, us: compile.time_us }))
    .sort((a, b) => (b.us ?? -1) - (a.us ?? -1));
}

/** Which kernels of a graph have events. */
export const eventsOf = ({ kernel_events, kernel_us, aligned_calls }: GraphRun): string =>
  kernel_events || (kernel_events === null && aligned_calls && kernel_us > 0)
    ? "generated"
    : kernel_events === null && !aligned_calls
      ? "unknown"
      : kernel_us > 0
        ? "library calls"
        : "none";

/** Graphs with time in generated kernels without events, as on the CPU without enable_kernel_profile. */
export const withoutEvents = (profile: Profile): number =>
  hasDevice(profile)
    ? 0
    : profile.graphs.filter((graph) => graph.kernel_events === false && graph.kernel_us < 0.95 * graph.total_us).length;

import { besidePlace, type Compile, type Frame, type Report, type StackNode } from "./report";

/** Log text is often incomplete: what may be absent gets one form here, so that no page has to ask again. */
export function tidy(report: Report): Report {
  for (const compile of report.compiles) {
    compile.frame = tidyFrame(compile.frame);
    compile.phases_us ??= {};
    compile.graph ??= { ops: null, nodes: null, inputs: null };
    for (const key of ["attempts", "dirs", "recompile_reasons", "restarts", "graph_breaks", "cache"] as const)
      (compile[key] as unknown[] | null) ??= [];
  }
  const byKey = new Map(report.compiles.map((compile) => [compile.key, compile]));
  for (const item of report.recompiles) {
    item.frame = tidyFrame(item.frame);
    item.steps ??= [];
    item.advice ??= [];
    // A compile that hit the recompile limit has no frame of its own in the log, but its chain has.
    for (const id of item.chain) {
      const compile = byKey.get(id);
      if (compile) compile.frame ??= item.frame;
    }
  }
  for (const item of report.graph_breaks) {
    item.hints ??= [];
    item.stack ??= [];
    if (item.place && !item.place.file) item.place = null;
  }
  for (const item of report.failures) if (item.place && !item.place.file) item.place = null;
  for (const node of report.stacks) {
    node.file ??= "?";
    node.function ??= "?";
    const label = labelOf(node, byKey);
    if (label) node.label = label;
    const from = node.compiles.map((key) => byKey.get(key)?.caller_from);
    if (from.length && from.every(Boolean)) node.caller_from = [...new Set(from)].join(", ");
  }
  for (const finding of report.findings) finding.compiles ??= [];
  report.caches ??= {};
  report.checks ??= [];
  report.unfinished ??= [];
  report.unattributed ??= [];
  return report;
}

/** The label that all compiles at this node share; undefined if it says no more than the function and its file. */
function labelOf(node: StackNode, compiles: ReadonlyMap<string, Compile>): string | undefined {
  const frames = node.compiles.map((key) => compiles.get(key)?.frame);
  const label = frames[0] ? besidePlace(frames[0]) : "";
  const agree = frames.every(
    (frame) => frame?.function === node.function && frame.file === node.file && besidePlace(frame) === label,
  );
  return agree && label !== node.function ? label : undefined;
}

/** A frame of which neither name nor file is known is none. */
function tidyFrame(frame: Frame | null): Frame | null {
  if (!frame || (!frame.file && !frame.function)) return null;
  frame.file ??= "";
  frame.function ??= "?";
  return frame;
}

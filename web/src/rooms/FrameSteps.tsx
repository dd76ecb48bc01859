import { toCompile } from "../base/address";
import type { Compile, Report } from "../data/types";

/** The compiles of the same frame, in order; the frame's id stands before the last `/`. */
export function neighbours(report: Report, compile: Compile): string[] {
  const chain = report.recompiles.find((item) => item.chain.includes(compile.id))?.chain;
  if (chain) return chain;
  if (compile.frame_id === null) return [compile.id];
  const frame = compile.id.slice(0, compile.id.lastIndexOf("/") + 1);
  return report.compiles.filter((other) => other.id.startsWith(frame) && !other.id.slice(frame.length).includes("/")).map((other) => other.id);
}

/** Previous and next compile of the frame. */
export function FrameSteps({ ids, id }: { ids: readonly string[]; id: string }) {
  if (ids.length < 2) return null;
  const i = ids.indexOf(id);
  const link = (to: string | undefined, sign: string, what: string, key: string) =>
    to === undefined ? <span class="step off" aria-hidden="true">{sign}</span> : <a class="step" href={toCompile(to)} title={`${what} compile of this frame: ${to} (${key})`} aria-label={`${what} compile of this frame: ${to}`}>{sign}</a>;
  return (
    <span class="steps">
      {link(ids[i - 1], "‹", "previous", "[")}
      <span class="muted num">{i + 1} of {ids.length}<span class="wide"> of this frame</span></span>
      {link(ids[i + 1], "›", "next", "]")}
    </span>
  );
}

import { toCompile } from "../lib/address";
import type { Compile, Report } from "../store/report";
import { useStore } from "./page";

/** The compiles of the same frame between two resets, in order. */
export function neighbours(report: Report, compile: Compile): string[] {
  return report.recompiles.find((item) => item.chain.includes(compile.key))?.chain ?? [compile.key];
}

/** The compiles that have the same id: after resets, and in other processes of the log. */
export function namesakes(report: Report, compile: Compile): Compile[] {
  return report.compiles.filter((other) => other.id === compile.id && other.is_compile);
}

/** Previous and next compile of the frame. */
export function FrameSteps({ ids, id }: { ids: readonly string[]; id: string }) {
  const store = useStore();
  if (ids.length < 2) return null;
  const i = ids.indexOf(id);
  const link = (to: string | undefined, sign: string, what: string, key: string) =>
    to === undefined ? (
      <span class="step off" aria-hidden="true">
        {sign}
      </span>
    ) : (
      <a
        class="step"
        href={toCompile(to)}
        title={`${what} compile of this frame: ${store.name(to)} (${key})`}
        aria-label={`${what} compile of this frame: ${store.name(to)}`}
      >
        {sign}
      </a>
    );
  return (
    <span class="steps">
      {link(ids[i - 1], "‹", "previous", "[")}
      <span class="muted num">
        {i + 1} of {ids.length}
        <span class="wide"> of this frame</span>
      </span>
      {link(ids[i + 1], "›", "next", "]")}
    </span>
  );
}

import { address } from "../lib/address";
import { time } from "../lib/text";
import type { ShownTimes } from "../store/generated/report";
import { phasesOf } from "../store/phases";
import { useStore } from "./page";

interface Times {
  time_us: number | null;
  runtime_us: number | null;
  restart_us: number | null;
  by_phase_us: ShownTimes;
}

/** Where the compile time went, of one compile or of all: one bar, the figures below it, which lead to their spans, and what is not
 * part of it. */
export function PhaseBar({ of }: { of: Times & { key?: string } }) {
  const { report } = useStore();
  const phases = phasesOf(report, of.by_phase_us);
  const spans = (phase: string): string => address(["timeline"], { q: `phase:${phase} ${of.key ?? ""}`.trim() });
  if (of.time_us === null && !phases.length) return null;
  return (
    <div>
      <div
        class="bar"
        role="img"
        aria-label={`Compile time by phase: ${phases.map((phase) => `${phase.title} ${time(phase.us)}`).join(", ")}`}
      >
        {phases.map((phase) => (
          <i
            key={phase.key}
            title={`${phase.title}: ${time(phase.us)} (${phase.description})`}
            style={{ flexGrow: phase.us, background: `var(--p${phase.color})` }}
          />
        ))}
      </div>
      <div class="legend">
        <span>
          <b>{time(of.time_us)}</b> compile time
        </span>
        {phases.map((phase) => (
          <span key={phase.key} title={phase.description}>
            <i style={{ background: `var(--p${phase.color})` }} />
            {phase.of.length && report.timeline?.spans ? (
              <a href={spans(phase.key)}>{phase.title}</a>
            ) : (
              phase.title
            )}{" "}
            <b>{time(phase.us)}</b>
          </span>
        ))}
        {of.runtime_us ? (
          <span
            class="muted"
            title="from compilation_metrics_runtime, not part of compile time: autotuning, CUDA graph recording, or compiles outside a frame"
          >
            + {time(of.runtime_us)} at run time
          </span>
        ) : null}
        {of.restart_us ? (
          <span
            class="muted"
            title="dynamo_time_before_restart_s: part of the compile time, spent on traces that Dynamo discarded"
          >
            {time(of.restart_us)} in discarded traces
          </span>
        ) : null}
      </div>
    </div>
  );
}

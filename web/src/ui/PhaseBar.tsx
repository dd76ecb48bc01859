import { time } from "../lib/format";
import { phasesOf } from "../store/phases";

interface Times {
  time_us: number | null;
  runtime_us: number | null;
  restart_us: number | null;
  own_us: Record<string, number>;
}

/** Where the compile time went, of one compile or of all: one bar, the figures below it, and what is not part of it. */
export function PhaseBar({ of }: { of: Times }) {
  const phases = phasesOf(of.own_us);
  if (of.time_us === null && !phases.length) return null;
  return (
    <div>
      <div
        class="bar"
        role="img"
        aria-label={`Compile time by phase: ${phases.map((phase) => `${phase.label} ${time(phase.us)}`).join(", ")}`}
      >
        {phases.map((phase) => (
          <i
            key={phase.key}
            title={`${phase.label}: ${time(phase.us)} (${phase.hint})`}
            style={{ flexGrow: phase.us, background: `var(--p${phase.colour})` }}
          />
        ))}
      </div>
      <div class="legend">
        <span>
          <b>{time(of.time_us)}</b> compile time
        </span>
        {phases.map((phase) => (
          <span key={phase.key} title={phase.hint}>
            <i style={{ background: `var(--p${phase.colour})` }} />
            {phase.label} <b>{time(phase.us)}</b>
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

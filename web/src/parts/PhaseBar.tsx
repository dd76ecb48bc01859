import { time } from "../base/format";
import { ownTimes } from "../data/phases";

/** Where the compile time went: one bar, and the figures beneath it. */
export function PhaseBar({ phases, total, label }: { phases: Record<string, number>; total: number | null; label: string }) {
  const own = ownTimes(phases);
  const sum = own.reduce((n, phase) => n + phase.us, 0);
  // The backward is compiled later and is not within the compile's own time.
  const known = own.reduce((n, phase) => n + (phase.key === "backward" ? 0 : phase.us), 0);
  const other = Math.max(0, (total ?? 0) - known);
  const items = other > (total ?? 0) * 0.005 ? [...own, { key: "other", label: "other", us: other, colour: 0, hint: "not measured by a phase" }] : own;
  if (!sum && !other) return null;
  return (
    <div>
      <div class="bar" role="img" aria-label={items.map((item) => `${item.label} ${time(item.us)}`).join(", ")}>
        {items.map((item) => <i key={item.key} title={`${item.label}: ${time(item.us)} (${item.hint})`} style={{ flexGrow: item.us, background: `var(--p${item.colour})` }} />)}
      </div>
      <div class="legend">
        <span><b>{time(total)}</b> {label}</span>
        {items.map((item) => <span key={item.key} title={item.hint}><i style={{ background: `var(--p${item.colour})` }} />{item.label} <b>{time(item.us)}</b></span>)}
      </div>
    </div>
  );
}

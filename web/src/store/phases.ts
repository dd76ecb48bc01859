// Self times by phase, as C has sorted them: `phases` of the report names them, `by_phase_us` has the times.
import type { ShownPhase, ShownTimes } from "./generated/report";

type PhaseKey = ShownPhase["key"];

/** A report, or what of it names the phases. */
export interface Phases {
  phases: readonly ShownPhase[];
  totals?: { by_phase_us: ShownTimes };
}

export interface Phase extends ShownPhase {
  us: number;
  /** number of the color token --p0 … --p7 */
  color: number;
}

const COLORS: Readonly<Record<PhaseKey, number>> = {
  dynamo: 1,
  aot: 2,
  backend: 2,
  passes: 3,
  inductor: 4,
  codegen: 5,
  triton: 6,
  backward: 7,
  other: 0,
  not_logged: 0,
};

const phaseWith = (info: ShownPhase, us: number): Phase => ({ ...info, us, color: COLORS[info.key] });

/** The phase that has this key of `own_us`, as spans have, by the name that the totals have for it; other for none. */
export function phaseOf({ phases, totals }: Phases, own: string | undefined): Phase {
  const found = phases.find((phase) => phase.of.some((key) => key === own));
  if (!found)
    return phaseWith(
      phases.find((phase) => phase.key === "other")!,
      0,
    );
  const times = totals?.by_phase_us ?? {};
  const instead = times[found.key] ? undefined : phases.find((phase) => phase.sum === found.key && times[phase.key]);
  return phaseWith(instead ?? found, 0);
}

/** The phases that took time. */
export const phasesOf = ({ phases }: Phases, times: ShownTimes): Phase[] =>
  phases.flatMap((info) => (times[info.key] ? [phaseWith(info, times[info.key]!)] : []));

/** The times of several compiles together. */
export function sumTimes({ phases }: Phases, compiles: readonly { by_phase_us: ShownTimes }[]): ShownTimes {
  const sum: ShownTimes = {};
  for (const { by_phase_us: times } of compiles)
    for (const { key } of phases) if (times[key]) sum[key] = (sum[key] ?? 0) + times[key];
  for (const { key, sum: into } of phases)
    if (into && sum[key] && sum[into]) {
      sum[into] += sum[key];
      delete sum[key];
    }
  return sum;
}

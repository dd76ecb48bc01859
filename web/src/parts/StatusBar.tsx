import { address } from "../base/address";
import { count } from "../base/format";
import { isCompile } from "../data/counts";
import { STATUSES, type Compile, type Status } from "../data/types";
import { SIGNS, STATUS_WORDS } from "./Chip";

export function countStatuses(compiles: readonly Compile[]): Record<Status, number> {
  const counts: Record<Status, number> = { ok: 0, restart: 0, error: 0, empty: 0, missing: 0 };
  for (const compile of compiles) if (isCompile(compile)) counts[compile.status]++;
  return counts;
}

export function StatusBar({ compiles }: { compiles: readonly Compile[] }) {
  const counts = countStatuses(compiles);
  const total = compiles.filter(isCompile).length;
  const shown = STATUSES.filter((status) => counts[status] > 0);
  return (
    <div>
      <div class="bar" role="img" aria-label={shown.map((status) => `${counts[status]} ${STATUS_WORDS[status]}`).join(", ")}>
        {shown.map((status) => <i key={status} style={{ flexGrow: counts[status], background: `var(--${status})` }} />)}
      </div>
      <div class="legend">
        <span><b>{count(total)}</b> {total === 1 ? "compile" : "compiles"}</span>
        {shown.map((status) => (
          <a key={status} href={address(["compiles"], { status })}>
            <i style={{ background: `var(--${status})` }} /><b>{count(counts[status])}</b> <span aria-hidden="true">{SIGNS[status]}</span> {STATUS_WORDS[status]}
          </a>
        ))}
      </div>
    </div>
  );
}

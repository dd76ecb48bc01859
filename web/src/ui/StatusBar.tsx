import { address } from "../lib/address";
import { count } from "../lib/text";
import { type Compile, isCompile, type Report } from "../store/report";
import { STATUSES, type Status } from "../lib/status";
import { INTERRUPTED, OPS_UNKNOWN, SIGNS, STATUS_WORDS } from "./Chip";

export function countStatuses(compiles: readonly Compile[]): Record<Status, number> {
  const counts: Record<Status, number> = { ok: 0, restart: 0, error: 0, empty: 0, missing: 0 };
  for (const compile of compiles) if (isCompile(compile)) counts[compile.status]++;
  return counts;
}

/** How the compiles ended. Those that restarted and then compiled are compiled: the bar shows them within. */
export function StatusBar({ report }: { report: Report }) {
  const { compiles, compiled, statuses, interrupted, ops_unknown: uncounted } = report.totals;
  const shown = STATUSES.filter((status) => statuses[status] > 0);
  const link = (status: readonly Status[], text: string) => (
    <a href={address(["compiles"], { status: status.join(",") })}>{text}</a>
  );
  const rest: [Status, number, string][] = [
    ["error", statuses.error, STATUS_WORDS.error],
    ["empty", interrupted, INTERRUPTED],
    ["empty", statuses.empty - uncounted - interrupted, STATUS_WORDS.empty],
    ["empty", uncounted, OPS_UNKNOWN],
    ["missing", statuses.missing, STATUS_WORDS.missing],
  ];
  return (
    <div>
      <div
        class="bar"
        role="img"
        aria-label={shown.map((status) => `${count(statuses[status])} ${STATUS_WORDS[status]}`).join(", ")}
      >
        {shown.map((status) => (
          <i
            key={status}
            title={`${count(statuses[status])} ${STATUS_WORDS[status]}`}
            style={{ flexGrow: statuses[status], background: `var(--${status})` }}
          />
        ))}
      </div>
      <div class="legend">
        <span>
          <b>{count(compiles)}</b> {compiles === 1 ? "compile" : "compiles"}
        </span>
        {compiled > 0 && (
          <span>
            <i style={{ background: `var(--${statuses.ok ? "ok" : "restart"})` }} />
            <b>{count(compiled)}</b> <span aria-hidden="true">{SIGNS.ok}</span> {link(["ok", "restart"], "compiled")}
            {statuses.restart > 0 && (
              <span class="muted">
                {" "}
                ({count(statuses.restart)} {link(["restart"], "after a restart")})
              </span>
            )}
          </span>
        )}
        {rest
          .filter(([, n]) => n > 0)
          .map(([status, n, words]) => (
            <span key={words}>
              <i style={{ background: `var(--${status})` }} />
              <b>{count(n)}</b> <span aria-hidden="true">{SIGNS[status]}</span> {link([status], words)}
            </span>
          ))}
      </div>
    </div>
  );
}

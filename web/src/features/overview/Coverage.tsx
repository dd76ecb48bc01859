import { toCompile } from "../../lib/address";
import { count, plural } from "../../lib/text";
import { placed } from "../../lib/packed";
import type { CoveredFunction, Frame, Report } from "../../store/report";
import { CompileChips } from "../../ui/compile";
import { More, useStore } from "../../ui/page";
import { FrameName, Prose } from "../../ui/text";

const WORDS = {
  compiled: ["✓", "ok", "compiled", "They have graphs, and nothing of them is known to run without"],
  partly: [
    "◐",
    "restart",
    "partly compiled",
    "They, or their callers, have graphs, and graph breaks, failures or calls beyond the limit",
  ],
  not: ["✕", "error", "not compiled", "They have no graph"],
  no_ops: ["–", "empty", "without operators", "Dynamo found no operators outside of their graph breaks"],
  unknown: [
    "?",
    "missing",
    "unknown",
    "The log does not have the end of their traces, or does not say why they were skipped, or whether graphs of their callers contain them",
  ],
} as const;

/** Which functions run compiled code: one line, and below it those that do not, with the reason. */
export function Coverage({ report }: { report: Report }) {
  const { coverage } = report;
  if (!coverage) return null;
  const { counts, library, functions, more_functions: more } = coverage;
  const states = (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((state) => counts[state] > 0);
  const all = states.reduce((n, state) => n + counts[state], 0);
  return (
    <div class="coverage">
      <div class="legend">
        <span>
          <b>{count(all)}</b> {all === 1 ? "function" : "functions"}
        </span>
        {states.map((state) => (
          <span key={state} title={WORDS[state][3]}>
            <i style={{ background: `var(--${WORDS[state][1]})` }} />
            <b>{count(counts[state])}</b> <span aria-hidden="true">{WORDS[state][0]}</span> {WORDS[state][2]}
          </span>
        ))}
        {library > 0 && library < all && (
          <span>
            <b>{count(library)}</b> of them in libraries
          </span>
        )}
      </div>
      {functions.length > 0 && (
        <details open={counts.not > 0 && functions.length <= 6}>
          <summary>{plural(functions.length + more, "function")} not compiled as a whole</summary>
          <div>
            <More items={functions} step={20}>
              {(covered) => <Function key={covered.compiles[0]} covered={covered} />}
            </More>
          </div>
        </details>
      )}
    </div>
  );
}

function Function({ covered }: { covered: CoveredFunction }) {
  const { report } = useStore();
  const finding = covered.finding === null ? undefined : report.findings[covered.finding];
  const reason = covered.reason && <Prose text={covered.reason} />;
  return (
    <p>
      {WORDS[covered.state][2]}: <FrameName frame={covered.frame as Frame} />
      {reason && <>, {finding?.link ? <a href={placed(finding.link)}>{reason}</a> : reason}</>}
      {covered.breaks > 1 && ` and ${plural(covered.breaks - 1, "more graph break")}`}{" "}
      <CompileChips ids={covered.compiles} more={toCompile(covered.compiles[0]!)} />
    </p>
  );
}

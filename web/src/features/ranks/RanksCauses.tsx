import { useState } from "preact/hooks";
import { capital, count, firstLine, plural } from "../../lib/text";
import { dirOf, type Rank, type RootCause, rootCauses } from "../../store/ranks";
import type { Report } from "../../store/report";
import { PlaceText, Prose } from "../../ui/text";
import { RankChip, RankCompile, toDiff } from "../../ui/RanksParts";

const FIRST = 8;
const CONSEQUENCES = 5;

/** The artifact in which one sees the difference. */
const ARTIFACT: Record<string, string> = {
  branch: "dynamo_output_graph",
  operations: "dynamo_output_graph",
  input_sizes: "dynamo_output_graph",
  dynamic_sizes: "dynamo_output_graph",
  source: "dynamo_output_graph",
  graph_break: "dynamo_output_graph",
  tensors: "dynamo_output_graph",
  graph: "dynamo_output_graph",
  guards: "dynamo_cpp_guards_str",
  collectives: "inductor_collective_schedule",
  cache: "fx_graph_cache",
  recompile: "recompile_reasons",
  recompile_reason: "recompile_reasons",
  tensor_meta: "inductor_runtime_and_tensor_meta",
};
const WORDS: Record<string, string> = {
  compile_ids: "compile ids",
  status: "status",
  graphs: "graph",
  guards: "guards",
  recompiles: "recompiles",
  cache: "cache",
  collectives: "collectives",
  tensor_meta: "tensor metadata",
  execution_order: "execution order",
  configuration: "configuration",
  compile_time: "compile time",
};

/** Why the ranks diverge: each cause once, with what every side has and what follows from it. */
export function RootCauses({ report }: { report: Report }) {
  const [all, setAll] = useState(false);
  const causes = rootCauses(report);
  const shown = all ? causes : causes.slice(0, FIRST);
  const more = report.divergence?.more_root_causes ?? 0;
  return (
    <>
      {shown.map((cause, i) => (
        <Cause key={i} cause={cause} ranks={report.ranks ?? []} />
      ))}
      {causes.length > FIRST && (
        <p class="more">
          <button type="button" class="plain link" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show all ${count(causes.length)}`}
          </button>
        </p>
      )}
      {more > 0 && <p class="pad muted">and {plural(more, "further root cause")}, not shown</p>}
    </>
  );
}

function Cause({ cause, ranks }: { cause: RootCause; ranks: readonly Rank[] }) {
  const [all, setAll] = useState(false);
  const sign = cause.may_hang ? "error" : "warning";
  const consequences = all ? cause.consequences : cause.consequences.slice(0, CONSEQUENCES);
  const hidden = cause.consequences.length - consequences.length;
  const diff = diffOf(cause, ranks);
  return (
    <article class="aspect cause" data-kind={cause.kind}>
      <span class={`sign s-${sign}`} role="img" aria-label={sign}>
        {sign === "error" ? "✕" : "≠"}
      </span>
      <div>
        <h3>
          <Prose text={capital(cause.title)} />
        </h3>
        {cause.place && (
          <p class="muted">
            <PlaceText place={cause.place} />
          </p>
        )}
        <div class="first">
          <table>
            <tbody>
              {cause.evidence.map((side, i) => (
                <tr key={i}>
                  <td>
                    <RankChip ranks={side.ranks} place={i} limit={4} />
                  </td>
                  <td class="num">
                    {side.compile ? (
                      <>
                        <RankCompile rank={side.ranks[0]!} id={side.compile} />
                        {side.same_key === false && (
                          <span class="muted" title="Other ranks use a different compile id">
                            {" "}
                            on rank {side.ranks[0]}
                          </span>
                        )}
                      </>
                    ) : (
                      "–"
                    )}
                  </td>
                  <td class="value">
                    {side.place && <PlaceText place={side.place} />}
                    {side.text && (
                      <>
                        {side.place && <span class="muted">: </span>}
                        <code title={side.text}>{firstLine(side.text, 200)}</code>
                      </>
                    )}
                    {!side.place && !side.text && <span class="muted">no such compile</span>}
                  </td>
                </tr>
              ))}
              {cause.more_evidence > 0 && (
                <tr>
                  <td colSpan={3} class="muted">
                    and {plural(cause.more_evidence, "more group")}, not shown
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
        {consequences.length > 0 && (
          <ul class="consequences" aria-label="Consequences">
            {consequences.map((item, i) => (
              <li key={i}>
                <span class="chip empty">{WORDS[item.aspect] ?? item.aspect}</span> <Prose text={item.first} />
              </li>
            ))}
            {hidden > 0 && (
              <li>
                <button type="button" class="plain link" onClick={() => setAll(true)}>
                  {count(hidden)} more
                </button>
              </li>
            )}
            {all && cause.more_consequences > 0 && (
              <li class="muted">and {count(cause.more_consequences)} more, not shown</li>
            )}
          </ul>
        )}
      </div>
      <nav class="more-of" aria-label={`More about: ${cause.title.replaceAll("`", "")}`}>
        {diff}
      </nav>
    </article>
  );
}

/** Of the first two sides that have a compile. */
function diffOf(cause: RootCause, ranks: readonly Rank[]) {
  const name = ARTIFACT[cause.kind];
  const [one, other] = cause.evidence.filter((side) => side.compile !== null);
  if (!name || !one || !other) return null;
  const [a, b] = [dirOf(ranks, one.ranks[0]!), dirOf(ranks, other.ranks[0]!)];
  if (a === null || b === null) return null;
  return (
    <a href={toDiff({ a, b, id: one.compile, idb: other.compile, name })}>
      Diff {one.ranks[0]} and {other.ranks[0]}
    </a>
  );
}

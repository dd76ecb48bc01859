import { type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { capital, count, firstLine, plural } from "../../lib/text";
import { dirOf, type RootCause, rootCauses } from "../../store/ranks";
import type { Report } from "../../store/report";
import { PlaceText, Prose } from "../../ui/text";
import { RankChip, RankCompile, toDiff, type DiffPlace } from "../../ui/RanksParts";
import { useStore, RestRow, useAll } from "../../ui/page";

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

interface EntryProps {
  class: string;
  id?: string;
  "data-kind"?: string;
  serious: boolean;
  /** of the links */
  about: string;
  links: ComponentChildren;
  children: ComponentChildren;
}

/** A cause or an aspect in which ranks differ: how bad it is, what it is, and at the right where one reads more. */
export function Entry({ serious, about, links, children, ...rest }: EntryProps) {
  const sign = serious ? "error" : "warning";
  return (
    <article {...rest}>
      <span class={`sign s-${sign}`} role="img" aria-label={sign}>
        {serious ? "✕" : "≠"}
      </span>
      <div>{children}</div>
      <nav class="more-of" aria-label={about}>
        {links}
      </nav>
    </article>
  );
}

interface SideProps {
  ranks: readonly number[];
  place: number;
  /** the compile, as text or by its id */
  at?: ComponentChildren;
  id?: string | null;
  /** false: some of the ranks have it under another id */
  same?: boolean;
  children: ComponentChildren;
}

/** What some ranks have where others have something else. */
export function SideRow({ ranks, place, at = "–", id, same, children }: SideProps) {
  return (
    <tr>
      <td>
        <RankChip ranks={ranks} place={place} limit={4} />
      </td>
      <td class="num">
        {id ? <RankCompile rank={ranks[0]!} id={id} /> : at}
        {id && same === false && (
          <span class="muted" title="Other ranks use a different compile id">
            {" "}
            on rank {ranks[0]}
          </span>
        )}
      </td>
      <td class="value">{children}</td>
    </tr>
  );
}

interface DiffProps extends Pick<DiffPlace, "id" | "idb" | "name"> {
  a: readonly number[];
  b: readonly number[];
}

/** Leads to an artifact of two ranks, the first of each of two groups, side by side. */
export function DiffLink({ a: [one], b: [other], ...place }: DiffProps) {
  const { ranks } = useStore().report;
  const [a, b] = [dirOf(ranks, one!), dirOf(ranks, other!)];
  if (a === null || b === null) return null;
  return (
    <a href={toDiff({ a, b, ...place })}>
      Diff {one} and {other}
    </a>
  );
}

/** Why the ranks diverge: each cause once, with what every side has and what follows from it. */
export function RootCauses({ report }: { report: Report }) {
  const [shown, button] = useAll(rootCauses(report), FIRST);
  const more = report.divergence?.more_root_causes ?? 0;
  return (
    <>
      {shown.map((cause, i) => (
        <Cause key={i} cause={cause} />
      ))}
      {button}
      {more > 0 && <p class="pad muted">and {plural(more, "further root cause")}, not shown</p>}
    </>
  );
}

function Cause({ cause }: { cause: RootCause }) {
  const [all, setAll] = useState(false);
  const consequences = all ? cause.consequences : cause.consequences.slice(0, CONSEQUENCES);
  const hidden = cause.consequences.length - consequences.length;
  return (
    <Entry
      class="aspect cause"
      data-kind={cause.kind}
      serious={cause.may_hang}
      about={`More about: ${cause.title.replaceAll("`", "")}`}
      links={diffOf(cause)}
    >
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
              <SideRow key={i} ranks={side.ranks} place={i} id={side.compile} same={side.same_key}>
                {side.place && <PlaceText place={side.place} />}
                {side.place && side.text && <span class="muted">: </span>}
                {side.text && <code title={side.text}>{firstLine(side.text, 200)}</code>}
                {!side.place && !side.text && <span class="muted">no such compile</span>}
              </SideRow>
            ))}
            {cause.more_evidence > 0 && (
              <RestRow columns={3}>and {plural(cause.more_evidence, "more group")}, not shown</RestRow>
            )}
          </tbody>
        </table>
      </div>
      {consequences.length > 0 && (
        <ul class="consequences unmarked" aria-label="Consequences">
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
    </Entry>
  );
}

/** Of the first two sides that have a compile. */
function diffOf({ kind, evidence }: RootCause) {
  const [one, other] = evidence.filter((side) => side.compile !== null);
  if (!ARTIFACT[kind] || !one || !other) return null;
  return <DiffLink a={one.ranks} b={other.ranks} id={one.compile} idb={other.compile} name={ARTIFACT[kind]} />;
}

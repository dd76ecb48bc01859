import { useState } from "preact/hooks";
import { address } from "../../lib/address";
import { count, firstLine, plural } from "../../lib/text";
import {
  agreementText,
  type Aspect,
  ASPECTS,
  callsFrom,
  type Divergence,
  type Divergences,
  divergingAspects,
  hasNoGraphs,
  MAY_HANG,
  ranksText,
  rootCauses,
  shortOp,
  shownId,
  type Side,
} from "../../store/ranks";
import type { Report } from "../../store/report";
import { RestRow } from "../../ui/page";
import { RootCauses, DiffLink, Entry, SideRow } from "./RanksCauses";
import { RankChip } from "../../ui/RanksParts";

const GROUPS = 10;
const SIDES = 6;

/** The artifact in which one sees the difference of an aspect. */
const ARTIFACT: Partial<Record<Aspect, string>> = {
  graphs: "dynamo_output_graph",
  guards: "dynamo_cpp_guards_str",
  tensor_meta: "inductor_runtime_and_tensor_meta",
  recompiles: "recompile_reasons",
  collectives: "inductor_collective_schedule",
  cache: "fx_graph_cache",
};
/** Compared by their text: two equal figures do not mean that nothing differs. */
const BY_TEXT: ReadonlySet<string> = new Set(["graphs", "guards"]);

/** What is said of an aspect that no log has, though the ranks could have logged it: there was none. */
const NONE: Partial<Record<Aspect, string>> = {
  recompiles: "No recompiles",
  collectives: "No collectives in compiled graphs",
  graphs: "No graphs",
  guards: "No guards",
  tensor_meta: "No tensor metadata",
  execution_order: "No graphs ran",
  compile_ids: "No compiles",
  status: "No compiles",
};

/** What is compared where each rank has the compile; of another function there is nothing to compare it with. */
const OF_FUNCTIONS: ReadonlySet<string> = new Set(["status", "cache", "graphs", "guards", "tensor_meta"]);

/** What there is of graphs only. */
const OF_GRAPHS: ReadonlySet<string> = new Set(["graphs", "guards", "tensor_meta", "collectives"]);

export function Verdict({ report }: { report: Report }) {
  const diverging = divergingAspects(report);
  const causes = rootCauses(report);
  const divergence: Partial<Divergences> = report.divergence ?? {};
  const known = (aspect: Aspect) => divergence[aspect];
  const alike = ASPECTS.filter(
    (aspect) =>
      known(aspect)?.known && !known(aspect)!.diverges && known(aspect)!.groups.some((group) => group.ranks.length > 1),
  );
  const silent = ASPECTS.filter((aspect) => known(aspect) && !known(aspect)!.known && !known(aspect)!.diverges);
  const passed = silent.filter((aspect) => known(aspect)!.passed_over);
  const noGraphs = hasNoGraphs(report);
  const none = silent.filter(
    (aspect) =>
      !passed.includes(aspect) &&
      !known(aspect)!.not_logged?.length &&
      NONE[aspect] &&
      !(noGraphs && OF_GRAPHS.has(aspect)),
  );
  const unknown = silent.filter(
    (aspect) => !passed.includes(aspect) && !none.includes(aspect) && !(noGraphs && OF_GRAPHS.has(aspect)),
  );
  const unfinished = (report.ranks ?? [])
    .filter((rank) => rank.compared && rank.status === "unfinished")
    .flatMap((rank) => rank.rank ?? []);
  const lacking =
    (report.missing_ranks?.length ?? 0) > 0 ||
    (report.ranks ?? []).some(
      (rank) => rank.status === "bad" || rank.status === "unfinished" || (!rank.compared && !rank.older),
    );
  const read = (report.ranks ?? []).filter((rank) => rank.compared);
  const allFailed = read.some((rank) => rank.compiles > 0) && read.every((rank) => rank.failed === rank.compiles);
  const compared = report.ranks?.filter((rank) => rank.compared).length ?? 0;
  const parts = causes.length > 0 || diverging.length > 0;
  return (
    <section
      class={`panel verdict ${parts || unfinished.length || allFailed ? "parts" : "agrees"}`}
      aria-label="Verdict"
    >
      <header>
        <h2>
          {compared < 2
            ? "Nothing to compare"
            : parts
              ? `✕ Rank divergence: ${plural(causes.length + (divergence.more_root_causes ?? 0), "root cause")}`
              : unfinished.length
                ? `✕ ${unfinished.length === 1 ? "A log ends" : `${count(unfinished.length)} logs end`} during a compile`
                : allFailed
                  ? "✕ Every compile failed on all ranks"
                  : lacking
                    ? "✓ The logged ranks agree"
                    : "✓ The ranks agree"}
        </h2>
        <p>
          {compared < 2 ? (
            "A comparison needs readable logs of at least two ranks of one job."
          ) : (
            <>
              {!parts && `${agreementText(report.ranks?.filter((rank) => rank.compared) ?? [])} `}
              <Collectives
                item={divergence.collectives}
                noGraphs={noGraphs}
                hangs={causes.some((cause) => cause.may_hang)}
              />
            </>
          )}
        </p>
        {(alike.length > 0 || silent.length > 0) && compared > 1 && (
          <p class="alike">
            {alike.map((aspect) => (
              <span
                key={aspect}
                class="chip ok"
                title={
                  known(aspect)!.not_logged?.length
                    ? `Not logged on ${ranksText(known(aspect)!.not_logged, 20)}`
                    : undefined
                }
              >
                ✓ {known(aspect)!.title}
                {OF_FUNCTIONS.has(aspect) && known("compile_ids")?.diverges ? " (of common functions)" : ""}
                {known(aspect)!.not_logged?.length ? ` (not logged on ${ranksText(known(aspect)!.not_logged, 3)})` : ""}
              </span>
            ))}
            {[...new Set(none.map((aspect) => NONE[aspect]))].map((text) => (
              <span key={text} class="chip ok">
                ✓ {text}
              </span>
            ))}
            {noGraphs && <span class="chip empty">○ No graph was compiled</span>}
            {passed.map((aspect) => (
              <span key={aspect} class="chip empty" title="Only compiles that finished on all ranks are compared">
                ○ {known(aspect)!.title}: not compared
              </span>
            ))}
            {unknown.map((aspect) => (
              <span key={aspect} class="chip empty">
                ○ {known(aspect)!.title}: not logged
              </span>
            ))}
            {(divergence.execution_order?.uncertain?.length ?? 0) > 0 && (
              <span
                class="chip empty"
                title="The log names cached graphs by the compile that stored them, or not at all"
              >
                ○ Execution order: not comparable on {ranksText(divergence.execution_order!.uncertain!, 3)}
              </span>
            )}
          </p>
        )}
      </header>
      <RootCauses report={report} />
      {diverging.length > 0 && (
        <details class="by-aspect">
          <summary>
            By aspect: {plural(diverging.length, "aspect")} {diverging.length === 1 ? "differs" : "differ"}
          </summary>
          {diverging.map((aspect) => (
            <AspectItem key={aspect} aspect={aspect} item={divergence[aspect]!} />
          ))}
        </details>
      )}
    </section>
  );
}

/** Whether the ranks issue the same collectives, and how that is known. */
function Collectives({ item, noGraphs, hangs }: { item: Divergence | undefined; noGraphs: boolean; hangs: boolean }) {
  if (!item) return null;
  if (noGraphs && !item.known) return <>No graph was compiled, so the logs say nothing about collectives.</>;
  if (item.passed_over) return <>Collectives are not compared: not all ranks finished the compiles that have them.</>;
  if (item.diverges && hangs)
    return <>The ranks issue different collectives ({callsFrom(item.from)}): the job may hang or time out.</>;
  if (item.diverges)
    return (
      <>
        The compiled graphs issue different collectives ({callsFrom(item.from)}); those outside of compiled graphs are
        not logged.
      </>
    );
  if (item.known)
    return <>The compiled graphs issue the same collectives in the same order ({callsFrom(item.from)}).</>;
  if (item.not_logged?.length) return <>The logs do not say which collectives the ranks issue.</>;
  return <>The compiled graphs contain no collectives; collectives outside of compiled graphs are not logged.</>;
}

function AspectItem({ aspect, item }: { aspect: Aspect; item: Divergence }) {
  const [all, setAll] = useState(false);
  const groups = all ? item.groups.slice(0, 200) : item.groups.slice(0, GROUPS);
  const hidden = item.groups.length - groups.length;
  return (
    <Entry
      class="aspect"
      id={`aspect-${aspect}`}
      serious={MAY_HANG.has(aspect)}
      about={`More about ${item.title}`}
      links={<Links aspect={aspect} item={item} />}
    >
      <h3>{item.title}</h3>
      <p class="muted">
        {item.why}
        {item.from &&
          item.from !== "schedules" &&
          ` Read ${callsFrom(item.from)}: not every graph has a logged schedule.`}
        {item.not_logged?.length ? ` Not logged on ${ranksText(item.not_logged, 6)}.` : ""}
      </p>
      <div class="groups flexrow">
        <span class="muted">{plural(item.groups.length, "group")}:</span>
        {groups.map((group, i) => (
          <RankChip key={i} ranks={group.ranks} place={i} />
        ))}
        {hidden > 0 && (
          <button type="button" class="plain link" onClick={() => setAll(true)}>
            {count(hidden)} more
          </button>
        )}
      </div>
      {item.first && <First aspect={aspect} first={item.first} item={item} />}
    </Entry>
  );
}

interface Shown extends Side {
  place: number;
}

/** The first difference: what each group has there. Groups that have the same share a row. */
function First({ aspect, first, item }: { aspect: Aspect; first: NonNullable<Divergence["first"]>; item: Divergence }) {
  const sides: Shown[] = [];
  first.sides.forEach((side, place) => {
    const same = side.alike === place ? undefined : sides.find((other) => other.place === side.alike);
    if (same)
      Object.assign(same, {
        ranks: [...same.ranks, ...side.ranks],
        same_key: same.same_key && side.same_key && same.key === side.key,
      });
    else sides.push({ ...side, place });
  });
  const inText = BY_TEXT.has(aspect) && new Set(sides.map((side) => `${side.key} ${side.value}`)).size === 1;
  return (
    <div class="first">
      <div class="caption muted">
        First difference{placeName(aspect) && `: ${placeName(aspect)} ${count(first.index + 1)}`}
        {inText && ". The counts are equal, the texts differ"}
        {sides.length < first.sides.length && ". Groups that are equal here differ later"}
      </div>
      <table>
        <tbody>
          {sides.slice(0, SIDES).map(({ ranks, place, key, same_key: same, ...side }) => {
            const shown = aspect !== "configuration" && key !== null && shownId(key) ? key : null;
            return (
              <SideRow key={place} ranks={ranks} place={place} id={shown} same={same} at={idText(aspect, key)}>
                {key === null ? (
                  <span class="muted">{item.known ? "none" : ""}</span>
                ) : (
                  <Value aspect={aspect} text={side.value ?? ""} />
                )}
              </SideRow>
            );
          })}
          {sides.length > SIDES && <RestRow columns={3}>and {plural(sides.length - SIDES, "further group")}</RestRow>}
        </tbody>
      </table>
    </div>
  );
}

/** What is in the place of a compile that has no id. */
function idText(aspect: Aspect, key: string | null) {
  if (aspect === "configuration") return <span class="mono">{key}</span>;
  return key === null ? "–" : <span class="muted">no id</span>;
}

function Value({ aspect, text }: { aspect: Aspect; text: string }) {
  if (aspect === "execution_order")
    return <span class="muted">{shownId(text) ? "runs this graph" : "runs a graph without a compile id"}</span>;
  return (
    <code title={text.length > 100 ? text.slice(0, 2000) : undefined}>
      {aspect === "collectives" ? shortOp(text) : firstLine(text, aspect === "recompiles" ? 140 : 400)}
    </code>
  );
}

/** What is counted where the order is compared. Other items are compared wherever each rank has them. */
function placeName(aspect: Aspect): string | undefined {
  return (
    { compile_ids: "compile", collectives: "operation", execution_order: "step" } as Partial<Record<Aspect, string>>
  )[aspect];
}

function Links({ aspect, item }: { aspect: Aspect; item: Divergence }) {
  const place = (
    {
      compile_ids: ["ranks"],
      status: ["ranks"],
      collectives: ["ranks", "collectives"],
      execution_order: ["ranks", "order"],
      cache: ["ranks", "order"],
    } as Partial<Record<Aspect, string[]>>
  )[aspect];
  const words: Partial<Record<Aspect, string>> = {
    collectives: "Collectives",
    execution_order: "Execution order",
    cache: "Execution order",
  };
  return (
    <>
      {place && <a href={address(place)}>{words[aspect] ?? "Compile matrix"}</a>}
      {diffLink(aspect, item)}
    </>
  );
}

/** Two sides that differ, next to each other: of the first group, and of the first that has something else. */
function diffLink(aspect: Aspect, item: Divergence) {
  const sides = item.first?.sides ?? [];
  const one = sides[0];
  const name = ARTIFACT[aspect];
  const other = sides.find((side) => side !== one && (side.key !== one?.key || side.value !== one?.value)) ?? sides[1];
  if (!one || !other || !name) return null;
  // What another rank has under that id is a recompile of its own.
  if (aspect === "recompiles" && (one.key === null || other.key === null)) return null;
  const [id, idb] = [one.key ?? other.key, other.key ?? one.key];
  return <DiffLink a={one.ranks} b={other.ranks} id={id} idb={idb} name={name} />;
}

import { address, toReport } from "../../lib/address";
import { capital, count, firstLine, plural } from "../../lib/text";
import { useLoaded } from "../../lib/hooks";
import { ASPECTS, groupName, MAY_HANG, type RankPlace, ranksText, shortOp, shownId } from "../../store/ranks";
import { Panel, useStore, BadTitle } from "../../ui/page";
import { Prose } from "../../ui/text";
import { groupColor } from "../../ui/RanksParts";

/** On the page of one rank of several: where it differs from the others. Nothing where all ranks agree, or there is but one. */
export function RankPlacePanel() {
  const store = useStore();
  const loaded = useLoaded(() => store.rankPlace(), [store]);
  const place = loaded.state === "ready" ? loaded.value : null;
  if (place?.left_out) return <LeftOut place={place} why={place.left_out} />;
  const causes = place?.root_causes ?? [];
  if (!place || (!causes.length && place.divergences.every((item) => (item.alike_count + 1) * 2 > place.compared)))
    return null;
  const order = (aspect: string) => (ASPECTS as readonly string[]).indexOf(aspect);
  // Where most ranks are like this one, it is the others that differ.
  const divergences = place.divergences
    .filter((item) => (item.alike_count + 1) * 2 <= place.compared)
    .sort((a, b) => order(a.aspect) - order(b.aspect));
  return (
    <Panel
      title={<BadTitle>Rank divergence</BadTitle>}
      note={causes.length ? plural(causes.length, "cause") : undefined}
      class="rank-place"
    >
      <p class="pad">
        Rank {place.rank}, one of {place.compared} compared ranks.
        {divergences.some((item) => MAY_HANG.has(item.aspect)) &&
          " The compiled graphs of the ranks issue different collectives."}{" "}
        <a href={toReport("../", address(["ranks", "all"]))}>All ranks</a>
      </p>
      {causes.slice(0, 8).map((cause, i) => (
        <p class="pad" key={i}>
          <b>
            <Prose text={capital(cause.title)} />
          </b>{" "}
          {cause.compile && (
            <a class="mono" href={address(["c", cause.compile])}>
              {cause.compile}
            </a>
          )}
        </p>
      ))}
      <ul class="unmarked">
        {divergences.map((item) => (
          <li key={item.aspect}>
            <span class="aspect-name">{item.title}</span>
            <span
              class="chip rank-chip"
              title={`Ranks that agree form a group; this rank is in group ${groupName(item.group)} of ${count(item.groups)}`}
            >
              <i style={{ background: groupColor(item.group) }} />
              group {groupName(item.group)} of {count(item.groups)}
            </span>
            <span class="alike">
              {item.alike_count
                ? `with ${ranksText(item.alike, 6)}${item.alike_count > item.alike.length ? " and more" : ""}`
                : "alone"}
            </span>
            <span class="parts-at cutoff">
              <Where item={item} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function LeftOut({ place, why }: { place: RankPlace; why: NonNullable<RankPlace["left_out"]> }) {
  return (
    <Panel title="Rank not compared" class="rank-place">
      <p class="pad">
        {LEFT_OUT[why]} The report compares {plural(place.compared, "other log")}.{" "}
        <a href={toReport("../", address(["ranks", "all"]))}>All ranks</a>
      </p>
    </Panel>
  );
}

const LEFT_OUT = {
  another_job: "This log is from another job than the compared logs.",
  older: "The report compares a newer log of this rank.",
  no_records: "No record could be read in this log.",
} as const;

/** What this rank has where the ranks differ first. */
function Where({ item }: { item: RankPlace["divergences"][number] }) {
  if (item.key === null) return <>has nothing here; other ranks do</>;
  const value = item.value ?? "";
  const shown = item.aspect === "collectives" ? shortOp(value) : firstLine(value, 120);
  return (
    <>
      differs first at{" "}
      {item.aspect === "configuration" ? (
        <code>{item.key}</code>
      ) : shownId(item.key) ? (
        <a class="mono" href={address(["c", item.key])}>
          [{item.key}]
        </a>
      ) : (
        "a graph without an id"
      )}
      {item.aspect !== "execution_order" && shown && (
        <>
          : <code title={value}>{shown}</code>
        </>
      )}
    </>
  );
}

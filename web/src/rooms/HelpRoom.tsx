import { useMemo } from "preact/hooks";
import { plural } from "../base/format";
import { useTitle } from "../base/hooks";
import { Panel } from "../parts/Panel";
import { FilterBox, RoomHead } from "../parts/RoomHead";
import { Empty } from "../parts/States";
import { searchHelp, type HelpEntry } from "../shell/help-registry";
import type { RoomProps } from "../shell/rooms";

const TITLES: Record<HelpEntry["kind"], string> = { term: "Terms", room: "Rooms", artifact: "Artifacts: what the texts of a compile are" };

/** All that the page says of itself: `#/help?q=guard`. */
export function HelpRoom({ at }: RoomProps) {
  useTitle("Help");
  const { q } = at.query;
  const found = useMemo(() => searchHelp(q ?? ""), [q]);
  return (
    <>
      <RoomHead title="Help" sub={<span aria-live="polite">{plural(found.length, "entry", "entries")}</span>}><FilterBox value={q} label="Find a term, a room, an artifact" /></RoomHead>
      <div class="room" data-scroll="room">
        {!found.length && <Panel><Empty title="No entry has these words">Terms, rooms and artifacts are searched by their names and texts.</Empty></Panel>}
        {(["term", "room", "artifact"] as const).map((kind) => {
          const items = found.filter((entry) => entry.kind === kind);
          return items.length > 0 && (
            <Panel key={kind} title={TITLES[kind]} note={`${items.length}`}>
              <dl class="glossary">{items.map((entry) => [<dt class={kind === "artifact" ? "mono" : ""}>{kind === "term" ? entry.title : <a href={entry.href}>{entry.title}</a>}</dt>, <dd>{entry.text}</dd>])}</dl>
            </Panel>
          );
        })}
      </div>
    </>
  );
}

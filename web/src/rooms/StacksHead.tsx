import type { ComponentChildren } from "preact";
import { replaceQuery, type Address } from "../base/address";
import { plural } from "../base/format";
import { FilterBox, RoomHead } from "../parts/RoomHead";
import { useStore } from "../shell/context";

/** The head of both views of the stacks, so that what one set stays when one switches. */
export function StacksHead({ at, children }: { at: Address; children?: ComponentChildren }) {
  const { stacks } = useStore().report;
  const { q, fw, view } = at.query;
  const compiles = stacks.reduce((n, node) => n + node.compiles.length, 0);
  return (
    <RoomHead title="Stacks" sub={`${plural(compiles, "compile")} in ${plural(stacks.length, "frame")}`}>
      <div class="toggles" role="group" aria-label="View">
        <button type="button" class="chip empty" aria-pressed={view !== "flame"} onClick={() => replaceQuery({ view: null, n: null })}>Tree</button>
        <button type="button" class="chip empty" aria-pressed={view === "flame"} onClick={() => replaceQuery({ view: "flame" })}>Flame</button>
      </div>
      <label class="check"><input type="checkbox" checked={fw === "1"} onChange={(e) => replaceQuery({ fw: e.currentTarget.checked ? "1" : null })} /> frames of libraries</label>
      {children}
      <FilterBox value={q} label="Filter function, file, code, id" />
    </RoomHead>
  );
}

import type { ComponentChildren } from "preact";
import { replaceQuery, type Address } from "../../lib/address";
import { count, plural } from "../../lib/text";
import { unattributedRecords } from "../../store/unattributed";
import { FilterBox, PageHead } from "../../ui/PageHead";
import { useStore } from "../../ui/page";

/** The head of both views of the stacks, so that what one set stays when one switches. */
export function StacksHead({ at, children }: { at: Address; children?: ComponentChildren }) {
  const { stacks, unattributed, more_unattributed: more } = useStore().report;
  const { q, fw, view } = at.query;
  const compiles = stacks.reduce((n, node) => n + node.compiles.length, 0);
  return (
    <PageHead
      title="Stacks"
      sub={
        view === "unattributed"
          ? `${plural(unattributedRecords(unattributed, more), "record")} without a compile id`
          : stacks.length
            ? `${plural(compiles, "compile")} in ${plural(stacks.length, "frame")}`
            : "no compile has a stack in this log"
      }
    >
      <div class="toggles" role="group" aria-label="View">
        <button
          type="button"
          class="chip empty"
          aria-pressed={view !== "flame" && view !== "unattributed"}
          onClick={() => replaceQuery({ view: null, n: null })}
        >
          Tree
        </button>
        <button
          type="button"
          class="chip empty"
          aria-pressed={view === "flame"}
          onClick={() => replaceQuery({ view: "flame" })}
        >
          Flame
        </button>
        {(unattributed.length > 0 || view === "unattributed") && (
          <button
            type="button"
            class="chip empty"
            aria-pressed={view === "unattributed"}
            title="Records with a stack and without a compile id"
            onClick={() => replaceQuery({ view: "unattributed", n: null })}
          >
            No compile id {count(unattributedRecords(unattributed, more))}
          </button>
        )}
      </div>
      {view !== "unattributed" && (
        <label class="check">
          <input
            type="checkbox"
            checked={fw === "1"}
            onChange={(e) => replaceQuery({ fw: e.currentTarget.checked ? "1" : null })}
          />{" "}
          library frames
        </label>
      )}
      {children}
      <FilterBox value={q} label="Filter function, file, code, id" />
    </PageHead>
  );
}

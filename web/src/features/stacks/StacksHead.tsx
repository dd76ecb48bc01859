import type { ComponentChildren } from "preact";
import type { Address } from "../../lib/address";
import { count, plural } from "../../lib/text";
import { unattributedRecords } from "../../store/unattributed";
import { FilterBox, PageHead, QueryCheck, Toggle } from "../../ui/PageHead";
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
        <Toggle on={view !== "flame" && view !== "unattributed"} query={{ view: null, n: null }}>
          Tree
        </Toggle>
        <Toggle on={view === "flame"} query={{ view: "flame" }}>
          Flame
        </Toggle>
        {(unattributed.length > 0 || view === "unattributed") && (
          <Toggle
            on={view === "unattributed"}
            query={{ view: "unattributed", n: null }}
            title="Records with a stack and without a compile id"
          >
            No compile id {count(unattributedRecords(unattributed, more))}
          </Toggle>
        )}
      </div>
      {view !== "unattributed" && (
        <QueryCheck name="fw" on={fw === "1"}>
          library frames
        </QueryCheck>
      )}
      {children}
      <FilterBox value={q} label="Filter function, file, code, id" />
    </PageHead>
  );
}

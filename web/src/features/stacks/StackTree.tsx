import { useMemo, useRef, useState } from "preact/hooks";
import { count, words } from "../../lib/text";
import { useKeys } from "../../lib/hooks";
import { treeRows } from "../../store/stacktree";
import { isLibrary } from "../../store/findings";
import { Empty, type PageProps, useStore } from "../../ui/page";
import { useVirtual } from "../../ui/useVirtual";
import { StackRow } from "./StackRow";
import { StacksHead } from "./StacksHead";
import { QueryLink } from "../../ui/PageHead";

/** The tree as rows: one frame each, with its callees below it. */
export function StackTree({ at }: PageProps) {
  const store = useStore();
  const { stacks } = store.report;
  const { q, fw } = at.query;
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () =>
      treeRows(stacks, {
        shown: (node) => fw === "1" || !isLibrary(node),
        wanted: words(q),
        collapsed,
        unfolded,
      }),
    [stacks, q, fw, collapsed, unfolded],
  );
  const virtual = useVirtual(scroller, rows.length);
  const current = Math.min(active, rows.length - 1);
  const row = rows[current];
  const branches = rows.filter((one) => one.branches).map((one) => one.node);

  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setActive(next);
    virtual.scrollToIndex(next, { align: "auto" });
    scroller.current?.focus({ preventScroll: true });
  };
  const fold = (node: number, open: boolean) => setCollapsed(changed(collapsed, node, !open));
  const unfold = (node: number) => setUnfolded(changed(unfolded, node, !unfolded.has(node)));
  useKeys({
    ArrowDown: () => move(current + 1),
    ArrowUp: () => move(current - 1),
    j: () => move(current + 1),
    k: () => move(current - 1),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    ArrowRight: () =>
      row &&
      (row.branches && !row.open ? fold(row.node, true) : row.chain.length ? unfold(row.node) : move(current + 1)),
    ArrowLeft: () => {
      if (!row) return;
      if (row.branches && row.open) fold(row.node, false);
      else for (let i = current - 1; i >= 0; i--) if (rows[i]!.depth < row.depth) return move(i);
    },
    Enter: (event) => {
      const own = (event.target as Element).closest?.("a, button");
      if (own instanceof HTMLElement) own.click();
      else scroller.current?.querySelector<HTMLElement>(".tree-row.on a.chip")?.click();
    },
  });

  return (
    <>
      <StacksHead at={at}>
        {(collapsed.size > 0 || branches.length > 0) && (
          <button type="button" onClick={() => setCollapsed(new Set(collapsed.size ? [] : branches))}>
            {collapsed.size ? "Expand all" : "Collapse all"}
          </button>
        )}
      </StacksHead>
      {!rows.length && (
        <Empty title={stacks.length ? "No matching frames" : "No stacks of compiles"}>
          {stacks.length ? (
            <QueryLink query={{ q: null }}>Show all {count(stacks.length)}</QueryLink>
          ) : (
            <>
              The log has no dynamo_start records.
              {store.report.unattributed.length > 0 && (
                <>
                  {" "}
                  <QueryLink query={{ view: "unattributed" }}>Stacks without a compile id</QueryLink>
                </>
              )}
            </>
          )}
        </Empty>
      )}
      <div
        class="tree fill"
        role={rows.length ? "tree" : undefined}
        aria-label={rows.length ? "Stacks" : undefined}
        tabIndex={rows.length ? 0 : undefined}
        hidden={!rows.length}
        ref={scroller}
        data-scroll="stacks"
        aria-activedescendant={row ? `node-${row.node}` : undefined}
      >
        <div style={{ height: `${virtual.getTotalSize()}px`, position: "relative" }} role="presentation">
          {virtual.getVirtualItems().map((item) => {
            const shown = rows[item.index];
            return (
              shown && (
                <StackRow
                  key={shown.node}
                  row={shown}
                  nodes={stacks}
                  top={item.start}
                  on={item.index === current}
                  onFold={() => fold(shown.node, !shown.open)}
                  onUnfold={() => unfold(shown.node)}
                  onChoose={() => setActive(item.index)}
                />
              )
            );
          })}
        </div>
      </div>
    </>
  );
}

function changed(set: ReadonlySet<number>, item: number, on: boolean): ReadonlySet<number> {
  const next = new Set(set);
  if (on) next.add(item);
  else next.delete(item);
  return next;
}

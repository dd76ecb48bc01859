// A table of any length: sortable by its columns, walked with the keyboard, only the visible rows in the document.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { go } from "../lib/address";
import { NARROW, useKeys, useMedia } from "../lib/hooks";
import { count } from "../lib/text";
import { ROW, useVirtual } from "./useVirtual";

export interface Column<T> {
  key: string;
  title: string;
  /** a CSS track size */
  width: string;
  numeric?: boolean;
  /** left out on a phone; "very": on a laptop too */
  wide?: boolean | "very";
  cell: (row: T) => ComponentChildren;
  /** what rows are sorted by; without it the column cannot be sorted. null comes last. */
  value?: (row: T) => number | string | null;
}

/** A column of numbers, which `show` writes. */
export const numbers = <T,>(
  key: string,
  title: string,
  width: string,
  value: (row: T) => number | null,
  show: (n: number | null) => ComponentChildren = count,
  more: Partial<Column<T>> = {},
): Column<T> => ({ key, title, width, numeric: true, value, cell: (row) => show(value(row)), ...more });

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
  /** "-time" for the column `time`, largest first */
  sort: string;
  onSort: (sort: string) => void;
  /** where Enter or a click on a row leads */
  href?: (row: T) => string | null;
  rowClass?: (row: T) => string;
  /** of the head of a group: whether its rows are shown; undefined: no head */
  expanded?: (row: T) => boolean | undefined;
  /** folds or unfolds a group */
  onToggle?: (row: T) => void;
  /** of a tree: how deep a row is, from 1. Its rows have buttons of their own that open them, and Left leads to the row above. */
  level?: (row: T) => number;
  /** a key: when it changes, its row is shown */
  chosen?: string | number | undefined;
  /** not the whole page: it has the keyboard only while it has the focus */
  within?: boolean;
  empty: ComponentChildren;
}

export function Grid<T>({
  label,
  columns,
  rows,
  rowKey,
  sort,
  onSort,
  href,
  rowClass,
  expanded,
  onToggle,
  level,
  chosen,
  within = false,
  empty,
}: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(-1);
  const narrow = useMedia(NARROW);
  const laptop = useMedia("(max-width: 1400px)");
  const shown = columns.filter((column) => !(narrow && column.wide) && !(laptop && column.wide === "very"));
  const virtual = useVirtual(scroller, rows.length);
  const printed = useMedia("print"); // paper has no other way to the rows out of view
  const items = printed ? rows.map((_, index) => ({ index, start: 0 })) : virtual.getVirtualItems();
  const id = label.replace(/\W+/g, "-").toLowerCase();

  const activeKey = useRef<string | number | undefined>(undefined);
  const activate = (to: number) => {
    const row = rows[to];
    activeKey.current = row === undefined ? undefined : rowKey(row);
    setActive(to);
  };
  useLayoutEffect(() => {
    // In a tree, rows come and go above the one that the reader is at.
    const at = level ? rows.findIndex((row) => rowKey(row) === activeKey.current) : -1;
    if (at >= 0) setActive(at);
    else if (active >= rows.length) setActive(rows.length - 1);
  }, [rows, active]);
  const showed = useRef<string | number | undefined>(undefined);
  useLayoutEffect(() => {
    if (chosen === showed.current) return;
    const at = rows.findIndex((row) => rowKey(row) === chosen);
    if (at < 0 && chosen !== undefined) return; // until its row is there
    showed.current = chosen;
    if (at < 0) return;
    activate(at);
    // The list knows its size a frame later only, and what is beside it may just have made it smaller.
    const view = scroller.current!;
    if (at * ROW < view.scrollTop || (at + 2) * ROW > view.scrollTop + view.clientHeight)
      view.scrollTop = at * ROW - view.clientHeight / 2;
  }, [rows, chosen]);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    activate(next);
    virtual.scrollToIndex(next, { align: "auto" });
    scroller.current?.focus({ preventScroll: true });
  };
  const press = (row: T | undefined) => {
    if (row === undefined) return;
    const to = href?.(row);
    const opens = expanded?.(row) !== undefined;
    if (opens && !(level && to)) onToggle?.(row);
    else if (to) go(to);
  };
  const open = () => press(rows[active]);
  /** Left closes a group, Right opens it. In a tree, they also lead to the row above and to the first below. */
  const fold = (close: boolean) => {
    const row = rows[active];
    if (row === undefined) return;
    if (expanded?.(row) === close) onToggle?.(row);
    else if (level && close) {
      const above = rows.slice(0, active).findLastIndex((one) => level(one) < level(row));
      if (above >= 0) move(above);
    } else if (level && expanded?.(row)) move(active + 1);
  };
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 600) / ROW) - 2);
  const keys = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    j: () => move(active + 1),
    k: () => move(active - 1),
    PageDown: () => move(active + page),
    PageUp: () => move(active - page),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    ...(expanded && active >= 0 && { ArrowLeft: () => fold(true), ArrowRight: () => fold(false) }),
  };
  const [focused, setFocused] = useState(false);
  useKeys(
    within && !focused ? {} : active >= 0 && href ? { ...keys, Enter: (event) => activateOr(event, open) } : keys,
  );

  return (
    <div class="grid fill" style={{ "--columns": shown.map((c) => c.width).join(" ") }}>
      <div
        class="grid-scroll"
        ref={scroller}
        data-scroll={id}
        tabIndex={0}
        onFocusIn={() => setFocused(true)}
        onFocusOut={() => setFocused(false)}
        role={expanded ? "treegrid" : "grid"}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
      >
        <div class="grid-head" role="row" aria-rowindex={1}>
          {shown.map((column) => (
            <Head key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
        {rows.length === 0 && empty}
        <div style={{ height: printed ? "auto" : `${virtual.getTotalSize()}px`, position: "relative" }} role="rowgroup">
          {items.map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <div
                key={rowKey(row)}
                id={`${id}-${item.index}`}
                role="row"
                aria-rowindex={item.index + 2}
                aria-selected={item.index === active}
                aria-expanded={expanded?.(row)}
                aria-level={level?.(row)}
                class={["grid-row", item.index === active && "on", rowClass?.(row)].filter(Boolean).join(" ")}
                style={{ transform: `translateY(${item.start}px)` }}
                onClick={(event) => {
                  activate(item.index);
                  const own = (event.target as Element).closest("a, button") || String(getSelection());
                  if (!own || (!level && expanded?.(row) !== undefined)) press(row);
                }}
              >
                {shown.map((column) => (
                  <div key={column.key} role="gridcell" class={column.numeric ? "num" : ""}>
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Head<T>({ column, sort, onSort }: { column: Column<T>; sort: string; onSort: (sort: string) => void }) {
  const [key, down] = parseSort(sort);
  const on = key === column.key;
  const cls = column.numeric ? "num" : "";
  if (!column.value)
    return (
      <div role="columnheader" class={cls}>
        {column.title}
      </div>
    );
  return (
    <div role="columnheader" class={cls} aria-sort={on ? (down ? "descending" : "ascending") : "none"}>
      <button type="button" class={on ? "on" : ""} onClick={() => onSort(nextSort(column, sort))}>
        {column.title}
        <span aria-hidden="true">{on ? (down ? " ↓" : " ↑") : ""}</span>
      </button>
    </div>
  );
}

/** Enter on a link or a button is its own. */
function activateOr(event: KeyboardEvent, open: () => void): void {
  const target = event.target as Element;
  const own = target.closest?.("a, button, summary");
  if (own instanceof HTMLElement) own.click();
  else open();
}

export function parseSort(sort: string): [string, boolean] {
  return sort.startsWith("-") ? [sort.slice(1), true] : [sort, false];
}

/** The order that a click on the head of a column asks for. Numbers are first sorted from the largest, names from A. */
export function nextSort({ key, numeric }: { key: string; numeric?: boolean }, sort: string): string {
  const [now, down] = parseSort(sort);
  return (now === key ? down : !numeric) ? key : `-${key}`;
}

/** "2/1" before "10/0". Made once: it is costly. */
const COLLATOR = new Intl.Collator("en", { numeric: true });

/** A sorted copy; unknown values are last in both directions, equal rows keep their order. */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly Pick<Column<T>, "key" | "value">[],
  sort: string,
): readonly T[] {
  const [key, down] = parseSort(sort);
  const value = columns.find((column) => column.key === key)?.value;
  if (!value) return rows;
  const keyed = rows.map((row, i) => ({ row, i, v: value(row) }));
  keyed.sort((a, b) => {
    if (a.v === null || b.v === null) return a.v === b.v ? a.i - b.i : a.v === null ? 1 : -1;
    const order =
      typeof a.v === "number" && typeof b.v === "number" ? a.v - b.v : COLLATOR.compare(String(a.v), String(b.v));
    return (down ? -order : order) || a.i - b.i;
  });
  return keyed.map((item) => item.row);
}

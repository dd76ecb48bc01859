import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, plural } from "../lib/text";
import { useKeys, useLoaded } from "../lib/hooks";
import { differenceOf } from "../lib/difference";
import { rowsOf, type DiffRow, type LineDiff, type Options } from "../lib/diff-lines";
import type { Pair } from "../store/diff-pairs";
import { patchOf } from "../lib/patch";
import type { Store } from "../store/store";
import { Both, LINE_LIMIT, linesOfRow, One, Whole } from "./diff-rows";
import { CopyButton } from "./text";
import { Empty, Pending } from "./page";
import { useVirtual } from "./useVirtual";
import { QueryCheck, Toggle } from "./PageHead";

const HEIGHT = 20;
const LETTER = 7.3; // px, of the code font

export interface DiffProps {
  pair: Pair;
  left: Store;
  right: Store;
  names: [string, string];
  /** the compiles that the artifacts are of */
  compiles: [string | undefined, string | undefined];
  split: boolean;
  narrow: boolean;
  options: Options;
}

interface Props extends DiffProps {
  /** the line to open at, "b12" */
  line: string | undefined;
  /** how else the pair can be shown */
  children?: ComponentChildren;
}

/** The difference of two texts, a click on a line shows it in full; `noise`, `loose`, `order`, `view` and `line` are in the address. */
export function TextDiff({ pair, left, right, names, split, narrow, options, line, children }: Props) {
  const loaded = useLoaded(async () => {
    const [a, b] = await Promise.all([pair.a ? left.text(pair.a) : "", pair.b ? right.text(pair.b) : ""]);
    return differenceOf(a, b, options);
  }, [left, right, pair.a, pair.b, options.noise, options.sorted, options.loose]);
  const found = loaded.state === "ready" ? loaded.value : null;
  const only = !pair.a || !pair.b;
  return (
    <section class="artifact diff" aria-label={`Difference of ${pair.title}`}>
      <header>
        <h2 class="mono cutoff" title={pair.title}>
          {pair.title}
        </h2>
        {found &&
          !only &&
          (found.added + found.removed === 0 ? (
            <span class="chip ok">✓ {found.noisy ? "same except noise" : "same"}</span>
          ) : (
            <span class="num">
              <span class="minus">−{count(found.removed)}</span> <span class="plus">+{count(found.added)}</span>
            </span>
          ))}
        {only && <span class="chip missing">only on {pair.a ? names[0] : names[1]}</span>}
        {found && !options.noise && found.noisy > 0 && (
          <span class="muted small">{plural(found.noisy, "line")} differ only in noise</span>
        )}
        <div class="tools">
          {children}
          <QueryCheck
            name="noise"
            on={options.noise}
            title="Addresses, ids of ten and more digits, device numbers, /tmp paths"
          >
            Show noise
          </QueryCheck>
          <QueryCheck
            name="loose"
            on={options.loose === true}
            title="add_3 equals add_4, buf7 equals buf8, s77 equals s52"
          >
            Ignore numbers in names
          </QueryCheck>
          <QueryCheck
            name="order"
            on={options.sorted}
            value="0"
            title="Sort the lines of both texts first, for instance guards"
          >
            Ignore line order
          </QueryCheck>
          {!narrow && (
            <Toggle on={split} query={{ view: split ? "unified" : null }} class="" title="Side by side (v)">
              Split
            </Toggle>
          )}
          {found && found.added + found.removed > 0 && (
            <CopyButton
              text={() => patchOf(found, [`a/${pair.title}`, `b/${pair.title}`])}
              label="Copy patch"
              title="Copy the difference as a patch"
            />
          )}
        </div>
      </header>
      {found?.coarse && (
        <div class="notice">
          These texts differ too much to align within the time limit. Some regions are shown as fully changed.
        </div>
      )}
      <Pending of={loaded} what="the difference" />
      {found && found.a.length + found.b.length === 0 && <Empty title="Both are empty" />}
      {found && found.a.length + found.b.length > 0 && (
        <Rows key={`${split}`} found={found} names={names} split={split} options={options} line={line} />
      )}
    </section>
  );
}

interface RowsProps {
  found: LineDiff;
  names: [string, string];
  split: boolean;
  options: Options;
  line: string | undefined;
}

function Rows({ found, names, split, options, line }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => rowsOf(found, split, open), [found, split, open]);
  const starts = useMemo(
    () => rows.flatMap((row, i) => (differs(row) && !(i > 0 && differs(rows[i - 1]!)) ? [i] : [])),
    [rows],
  );
  const longest = useMemo(() => [...found.a, ...found.b].reduce((n, line) => Math.max(n, line.length), 0), [found]);
  const virtual = useVirtual(scroller, rows.length, HEIGHT);
  const [at, setAt] = useState(-1);
  /** the row whose lines are shown below in full: lines of graphs are longer than any screen */
  const [whole, setWhole] = useState(-1);
  const letters = useLetters(scroller, split);
  const cut = (row: DiffRow | undefined): boolean =>
    row !== undefined && linesOfRow(row).some((n, side) => ((side ? found.b : found.a)[n]?.length ?? 0) > letters);
  const step = (by: number) => {
    if (!starts.length) return;
    const next = Math.max(0, Math.min(starts.length - 1, at + by));
    setAt(next);
    setWhole(cut(rows[starts[next]!]) ? starts[next]! : -1);
    virtual.scrollToIndex(starts[next]!, { align: "center" });
  };
  /** the row of `line`, until the reader opens a fold: it is in the rows once its own fold is open */
  const target = useRef(-1);
  useLayoutEffect(() => {
    const place = options.sorted ? null : placeOf(found, split, line);
    setAt(place ? starts.findLastIndex((start) => start <= place.row) : starts.length ? 0 : -1);
    setWhole(place?.row ?? -1);
    setOpen(new Set(place?.open));
    target.current = place?.row ?? -1;
    if (side.current) side.current.scrollLeft = 0;
    if (starts.length) virtual.scrollToIndex(starts[0]!, { align: "center" });
    else if (scroller.current) scroller.current.scrollTop = 0;
  }, [found, line]);
  useLayoutEffect(() => {
    if (target.current >= 0) virtual.scrollToIndex(target.current, { align: "center" });
  }, [rows]);
  useKeys({
    n: () => step(1),
    p: () => step(-1),
    ...(whole >= 0 && { Escape: () => setWhole(-1) }),
    j: () => scroller.current?.scrollBy({ top: HEIGHT * 3 }),
    k: () => scroller.current?.scrollBy({ top: -HEIGHT * 3 }),
    ArrowDown: () => scroller.current?.scrollBy({ top: HEIGHT * 2 }),
    ArrowUp: () => scroller.current?.scrollBy({ top: -HEIGHT * 2 }),
    ArrowRight: () => side.current?.scrollBy({ left: 60 }),
    ArrowLeft: () => side.current?.scrollBy({ left: -60 }),
  });
  const width = Math.min(longest, LINE_LIMIT);
  return (
    <div class={`rows fill ${split ? "split" : "unified"}`}>
      <div class="diff-head">
        <span title={names[0]}>{names[0]}</span>
        {split ? <span title={names[1]}>{names[1]}</span> : <span title={names[1]}> → {names[1]}</span>}
        {starts.length > 0 && (
          <span class="steps">
            <button type="button" title="p" aria-label="Previous difference" onClick={() => step(-1)}>
              ↑
            </button>
            <span class="num" aria-live="polite">
              {at >= 0 ? `${count(at + 1)} of ` : ""}
              {plural(starts.length, "difference")}
            </span>
            <button type="button" title="n" aria-label="Next difference" onClick={() => step(1)}>
              ↓
            </button>
          </span>
        )}
      </div>
      <div
        class="diff-scroll fill"
        ref={scroller}
        tabIndex={0}
        data-scroll="diff"
        onWheel={(event) => event.deltaX && side.current && (side.current.scrollLeft += event.deltaX)}
      >
        <div style={{ height: `${virtual.getTotalSize()}px`, position: "relative" }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <div
                  key={item.index}
                  class={`diff-row ${row.kind} ${(at >= 0 && starts[at] === item.index) || whole === item.index ? "at" : ""}`}
                  style={{ transform: `translateY(${item.start}px)` }}
                  onClick={() =>
                    row.kind !== "fold" && !String(getSelection()) && setWhole(whole === item.index ? -1 : item.index)
                  }
                >
                  {row.kind === "fold" ? (
                    <button
                      type="button"
                      class="fold"
                      onClick={() => {
                        target.current = -1;
                        setWhole(-1);
                        setOpen(new Set([...open, row.hunk!]));
                      }}
                    >
                      ⋯ {plural(row.count!, "equal line")}
                    </button>
                  ) : split ? (
                    <Both row={row} found={found} options={options} letters={letters} />
                  ) : (
                    <One row={row} found={found} options={options} letters={letters} />
                  )}
                </div>
              )
            );
          })}
        </div>
      </div>
      {rows[whole] && (
        <Whole row={rows[whole]} found={found} names={names} options={options} onClose={() => setWhole(-1)} />
      )}
      <div
        class="diff-side"
        ref={side}
        tabIndex={-1}
        aria-hidden="true"
        onScroll={(event) =>
          event.currentTarget.parentElement!.style.setProperty("--shift", `${-event.currentTarget.scrollLeft}px`)
        }
      >
        <div style={{ width: `calc(${split ? 2 * width : width}ch * .62 + 140px)` }} />
      </div>
    </div>
  );
}

/** The row of a line such as "b12", and the fold that must be open for it. */
function placeOf(found: LineDiff, split: boolean, line: string | undefined): { row: number; open: number[] } | null {
  const asked = /^([ab])(\d+)$/.exec(line ?? "");
  if (!asked) return null;
  const side = asked[1] as "a" | "b";
  const n = Number(asked[2]) - 1;
  const hunk = found.hunks.findIndex((hunk) => hunk[side] <= n && n < hunk[`${side}End`]);
  if (hunk < 0) return null;
  const open = found.hunks[hunk]!.same ? [hunk] : [];
  return { row: rowsOf(found, split, new Set(open)).findIndex((row) => row[side] === n), open };
}

/** How many letters of a line the scroller shows at once. */
function useLetters(scroller: RefObject<HTMLDivElement | null>, split: boolean): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return Math.max(20, Math.floor((split ? width / 2 - 80 : width - 130) / LETTER));
}

const differs = (row: DiffRow): boolean => row.kind !== "same" && row.kind !== "fold";

// The results of a search, grouped by compile: the first matching lines of each artifact. j and k move through them.
import { type Compile, frameName } from "../../store/report";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { count, plural } from "../../lib/text";
import { NARROW, useKeys, useMedia } from "../../lib/hooks";
import { fileName } from "../../store/artifact";
import { toFound, type Hit, type SearchQuery } from "../../lib/search";
import type { Found } from "../../store/search-report";
import { CompileChip } from "../../ui/compile";
import { useVirtual } from "../../ui/useVirtual";

const ROW_HEIGHT = 26;
const NARROW_BEFORE = 12; // characters before the match on a phone

interface Head {
  compile: Compile;
  artifacts: number;
  lines: number;
  more: boolean;
}

type Row =
  | Head
  | { found: Found; at: string }
  | { found: Found; hit: Hit; at: string }
  | { found: Found; rest: number; at: string };

interface Props {
  found: readonly Found[];
  query: SearchQuery;
  /** the selected row: "0/1:12:34" is line 34 of artifact 12 of compile 0/1 */
  at: string | undefined;
  /** set to a function that moves the focus to the results */
  walk: RefObject<(() => void) | null>;
}

export function SearchResults({ found, query, at, walk }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(found), [found]);
  const narrow = useMedia(NARROW);
  const virtual = useVirtual(scroller, rows.length, ROW_HEIGHT);
  const chosen = at ? rows.findIndex((row) => "at" in row && row.at === at) : -1;
  const wanted = useRef(at); // whose link gets the focus once it is rendered

  const show = (index: number) => {
    const row = rows[index];
    if (!row || !("at" in row)) return;
    wanted.current = row.at;
    virtual.scrollToIndex(index, { align: "auto" });
    replaceQuery({ at: row.at });
  };
  const move = (way: 1 | -1) => {
    for (let i = chosen < 0 ? 0 : chosen + way; rows[i]; i += way)
      if ("hit" in rows[i]! || "rest" in rows[i]!) return show(i);
  };
  walk.current = () => {
    wanted.current = at;
    if (chosen < 0) move(1);
    else show(chosen);
    focus();
  };
  const focus = () => {
    if (wanted.current === undefined || wanted.current !== at) return;
    const link = scroller.current?.querySelector<HTMLElement>('a[aria-current="true"]');
    if (!link) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  };
  useKeys({ j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1) });
  useEffect(() => {
    // once, when the row of the address has been found
    if (chosen >= 0 && wanted.current === at) virtual.scrollToIndex(chosen, { align: "auto" });
  }, [chosen >= 0]);
  useLayoutEffect(focus);

  return (
    <div
      class="search-results fill"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label="Results"
      data-scroll="search"
    >
      <div style={{ height: `${virtual.getTotalSize()}px`, position: "relative" }}>
        {virtual.getVirtualItems().map(
          (item) =>
            rows[item.index] && (
              <div key={item.index} class="search-row" style={{ transform: `translateY(${item.start}px)` }}>
                <One row={rows[item.index]!} narrow={narrow} query={query} chosen={item.index === chosen} />
              </div>
            ),
        )}
      </div>
    </div>
  );
}

function rowsOf(found: readonly Found[]): Row[] {
  const rows: Row[] = [];
  let head: Head | undefined;
  for (const item of found) {
    const { compile, n, result } = item;
    if (head?.compile !== compile) rows.push((head = { compile, artifacts: 0, lines: 0, more: false }));
    head.artifacts++;
    head.lines += result.count;
    head.more ||= result.more;
    const at = `${compile.key}:${n}`;
    rows.push({ found: item, at }, ...result.hits.map((hit) => ({ found: item, hit, at: `${at}:${hit.line}` })));
    const rest = result.count - result.hits.length;
    if (rest > 0) rows.push({ found: item, rest, at: `${at}:more` });
  }
  return rows;
}

function One({ row, narrow, query, chosen }: { row: Row; narrow: boolean; query: SearchQuery; chosen: boolean }) {
  if ("compile" in row) {
    return (
      <div class="search-compile">
        <CompileChip id={row.compile.key} /> <b class="mono">{frameName(row.compile.frame)}</b>
        <span class="muted num">
          {plural(row.lines, "line")}
          {row.more ? " and more" : ""} in {plural(row.artifacts, "artifact")}
        </span>
        <button
          type="button"
          class="quiet"
          title="Search only this compile"
          onClick={() => replaceQuery({ id: row.compile.key, at: null })}
        >
          Only this
        </button>
      </div>
    );
  }
  const { compile, n, artifact, result } = row.found;
  const link = (line?: number) => ({
    href: address(["c", compile.key, n], { L: line ? `${line}` : null, ...toFound(query) }),
    "aria-current": chosen ? ("true" as const) : undefined,
    onClick: () => replaceQuery({ at: row.at }), // so that Back leads to this row
  });
  if ("hit" in row) {
    const { line, text, from, to } = row.hit;
    return (
      <a class="search-hit" {...link(line)} title={text}>
        <span class="num muted">{count(line)}</span>
        <code class="cutoff">
          {narrow && from > NARROW_BEFORE + 4 ? `…${text.slice(from - NARROW_BEFORE, from)}` : text.slice(0, from)}
          <mark>{text.slice(from, to)}</mark>
          {text.slice(to)}
        </code>
      </a>
    );
  }
  if ("rest" in row)
    return (
      <a class="search-rest" {...link(row.found.result.hits.at(-1)?.line)}>
        {result.more ? "many" : count(row.rest)} more lines
      </a>
    );
  return (
    <a class="search-artifact mono" {...link(result.hits[0]?.line)} title={artifact.name}>
      {fileName(artifact)}{" "}
      <span class="muted num">
        {plural(result.count, "line")}
        {result.more ? " and more" : ""}
      </span>
    </a>
  );
}

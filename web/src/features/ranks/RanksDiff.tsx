// Any artifact of two ranks side by side. Both ranks' reports are read from their own folders.
import { type Compile, type Details, frameName } from "../../store/report";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { NARROW, useKeys, useLoaded, useMedia, useTitle } from "../../lib/hooks";
import { choosePair, counterpart, pairArtifacts } from "../../store/diff-pairs";
import { divergingAspects, type Rank, rankName, type RanksPart, shownId } from "../../store/ranks";
import { storeOf } from "../../store/rank-stores";
import { logsOf } from "../../store/runs";
import type { Store } from "../../store/store";
import { DiffView } from "../../ui/DiffView";
import { Empty, Failed, Loading, type PageProps, useStore, Pending } from "../../ui/page";
import { PageHead, EmptyPage, Select } from "../../ui/PageHead";
import { DiffNotice } from "./DiffNotice";
import { RanksDiffList } from "./RanksDiffList";

export function RanksDiff({ at }: PageProps) {
  const own = useStore();
  const { report } = own;
  useTitle("Diff");
  const ranks = useMemo(
    () => (report.ranks ?? []).filter((rank) => rank.status !== "bad" && !rank.elsewhere).flatMap(logsOf),
    [report],
  );
  const dir = (text: string | undefined) => (text === "." ? "" : text);
  const usual = useMemo(() => usualPair(report, ranks), [report, ranks]);
  const pair = usual?.ranks;
  const a =
    ranks.find((rank) => rank.dir === dir(at.query.a)) ??
    (pair && at.query.b && pair[0].dir === dir(at.query.b) ? pair[1] : pair?.[0]);
  const b = ranks.find((rank) => rank.dir === dir(at.query.b)) ?? (pair && pair[1] === a ? pair[0] : pair?.[1]);
  if (!a || !b)
    return (
      <EmptyPage page="Diff" title="Nothing to compare">
        {report.ranks?.some((rank) => rank.elsewhere) ? (
          <>
            Artifacts are compared between full reports, and fewer than two ranks have one here. Merge again with{" "}
            <code>--full</code> and the numbers of ranks, such as <code>--full 0,1</code>.
          </>
        ) : (
          "Fewer than two ranks have a readable log."
        )}
      </EmptyPage>
    );
  // Without an address of its own, the page begins where the two differ.
  const query = at.query.a || at.query.b || at.query.id ? at.query : { ...at.query, ...usual?.compiles };
  return <Chosen key={`${a.dir} ${b.dir}`} at={{ ...at, query }} own={own} ranks={ranks} a={a} b={b} />;
}

function Chosen({ at, own, ranks, a, b }: PageProps & { own: Store; ranks: readonly Rank[]; a: Rank; b: Rank }) {
  const loaded = useLoaded(() => Promise.all([storeOf(own, a.dir), storeOf(own, b.dir)]), [own, a.dir, b.dir]);
  const set = (side: "a" | "b", dir: string) =>
    replaceQuery({ a: a.dir || ".", b: b.dir || ".", [side]: dir || ".", idb: null, line: null });
  const head = (left: ComponentChildren, right: ComponentChildren) => (
    <>
      <span class="side">
        <RankSelect label="Left" ranks={ranks} value={a.dir} onChange={(dir) => set("a", dir)} />
        {left}
      </span>
      <button
        type="button"
        title="Swap left and right"
        aria-label="Swap left and right"
        onClick={() =>
          replaceQuery({
            a: b.dir || ".",
            b: a.dir || ".",
            id: at.query.idb ?? at.query.id ?? null,
            idb: at.query.idb ? (at.query.id ?? null) : null,
            line: null,
          })
        }
      >
        ⇄
      </button>
      <span class="side">
        <RankSelect label="Right" ranks={ranks} value={b.dir} onChange={(dir) => set("b", dir)} />
        {right}
      </span>
    </>
  );
  if (loaded.state !== "ready")
    return (
      <>
        <PageHead title="Diff">{head(null, null)}</PageHead>
        {loaded.state === "failed" ? <Failed error={loaded.error} /> : <Loading what="both reports" />}
      </>
    );
  return <Compared at={at} head={head} a={a} b={b} left={loaded.value[0]} right={loaded.value[1]} />;
}

interface ComparedProps extends PageProps {
  head: (left: ComponentChildren, right: ComponentChildren) => ComponentChildren;
  a: Rank;
  b: Rank;
  left: Store;
  right: Store;
}

function Compared({ at, head, a, b, left, right }: ComparedProps) {
  const { id, idb, name } = at.query;
  const narrow = useMedia(NARROW);
  const options = { noise: at.query.noise === "1", sorted: at.query.order === "0", loose: at.query.loose === "1" };
  const split = at.query.view !== "unified" && !narrow;
  const one = chosenCompile(left, right, id);
  const other = idb
    ? (right.compile(idb) ?? null)
    : one.left
      ? counterpart(one.left, left.report.compiles, right.report.compiles)
      : one.right;
  const details = useLoaded(
    () => Promise.all([detailsOf(left, one.left), detailsOf(right, other)]),
    [left, right, one.left, other],
  );
  const pairs = useMemo(
    () => (details.state === "ready" ? pairArtifacts(details.value[0], details.value[1]) : []),
    [details],
  );
  const pair = choosePair(pairs, name);
  useKeys({ v: () => replaceQuery({ view: split ? "unified" : null }) });
  return (
    <>
      <PageHead title="Diff">
        {head(
          <CompileSelect
            label={`Compile of ${rankName(a)}`}
            compiles={left.report.compiles}
            value={one.left?.key ?? ""}
            onChange={(next) => replaceQuery({ id: next, idb: null, line: null })}
          />,
          <CompileSelect
            label={`Compile of ${rankName(b)}`}
            compiles={right.report.compiles}
            value={other?.key ?? ""}
            onChange={(next) => replaceQuery({ id: one.left?.key ?? null, idb: next, line: null })}
          />,
        )}
      </PageHead>
      {other && one.left && !idb && (
        <DiffNotice left={left} right={right} a={one.left} b={other} names={[rankName(a), rankName(b)]} />
      )}
      <Pending of={details} what="the artifacts" />
      {details.state === "ready" && !pair && (
        <Empty title="No artifacts to compare">Neither compile has a text artifact.</Empty>
      )}
      {pair && (
        <div class="diff-room fill">
          <RanksDiffList
            key={`${one.left?.key} ${other?.key}`}
            pairs={pairs}
            chosen={pair.key}
            named={!!name}
            left={left}
            right={right}
            options={options}
            href={(key) =>
              address(at.path, {
                ...at.query,
                a: a.dir || ".",
                b: b.dir || ".",
                id: one.left?.key ?? other?.key,
                name: key,
                line: null,
              })
            }
          />
          <DiffView
            pair={pair}
            left={left}
            right={right}
            names={[rankName(a), rankName(b)]}
            compiles={[one.left?.key, other?.key]}
            split={split}
            narrow={narrow}
            options={options}
          />
        </div>
      )}
    </>
  );
}

interface SideSelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function RankSelect({ ranks, ...rest }: SideSelectProps & { ranks: readonly Rank[] }) {
  return <Select {...rest} options={ranks.map((rank) => [rank.dir, rankName(rank)])} />;
}

function CompileSelect({ compiles, ...rest }: SideSelectProps & { compiles: readonly Compile[] }) {
  const options = compiles.map(
    ({ key, frame }) => [key, frame?.function ? `${key} ${frameName(frame)}` : key] as const,
  );
  return <Select {...rest} class="ids" title={rest.label} options={rest.value ? options : [["", "–"], ...options]} />;
}

async function detailsOf(store: Store, compile: Compile | null): Promise<Details | null> {
  const index = compile ? store.indexOf(compile.key) : undefined;
  return index === undefined ? null : store.details(index);
}

function chosenCompile(
  left: Store,
  right: Store,
  id: string | undefined,
): { left: Compile | null; right: Compile | null } {
  const found = id
    ? left.compile(id)
    : (left.report.compiles.find((compile) => compile.is_compile) ?? left.report.compiles[0]);
  if (found) return { left: found, right: null };
  return { left: null, right: (id ? right.compile(id) : right.report.compiles[0]) ?? null };
}

interface Pair {
  ranks: [Rank, Rank];
  /** the compiles in which they differ first */
  compiles?: Record<string, string>;
}

/** Two that differ in what matters most, else the first two. */
function usualPair(report: RanksPart, ranks: readonly Rank[]): Pair | null {
  const find = (rank: number | undefined) => ranks.find((item) => item.rank === rank && !item.older);
  for (const aspect of divergingAspects(report)) {
    const { groups, first } = report.divergence![aspect];
    const [a, b] = [find(groups[0]?.ranks[0]), find(groups[1]?.ranks[0])];
    const [id, idb] = [first?.sides[0]?.key, first?.sides[1]?.key];
    const known = aspect !== "configuration" && id && idb && shownId(id) && shownId(idb);
    if (a && b) return { ranks: [a, b], ...(known && { compiles: { id, idb } }) };
  }
  return ranks[0] && ranks[1] ? { ranks: [ranks[0], ranks[1]] } : null;
}

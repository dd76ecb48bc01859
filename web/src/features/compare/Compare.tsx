// Any two artifacts of a report, with partners at hand.
import { type Details, frameName } from "../../store/report";
import { useMemo } from "preact/hooks";
import { address, ownFolder, replaceQuery, toArtifact, toReport } from "../../lib/address";
import { NARROW, useKeys, useLoaded, useMedia, useTitle } from "../../lib/hooks";
import { fileName } from "../../store/artifact";
import { counterpartOf, parseRef, refText, type Ref } from "../../store/partners";
import { processName } from "../../store/compile-name";
import type { Store } from "../../store/store";
import { DiffView } from "../../ui/DiffView";
import { PageHead, Select } from "../../ui/PageHead";
import { Empty, Failed, Loading, type PageProps, useStore } from "../../ui/page";
import { namesakes, neighbours } from "../../ui/compile";

interface Partner {
  title: string;
  ref: Ref;
}

interface Loaded {
  a: Ref;
  b: Ref | null;
  left: Details;
  right: Details | null;
  partners: Partner[];
}

async function load(store: Store, a: Ref, asked: Ref | null): Promise<Loaded> {
  const of = async (id: string) => {
    const index = store.indexOf(id);
    return index === undefined ? null : store.details(index);
  };
  const compile = store.compile(a.id);
  if (compile) a = { ...a, id: compile.key };
  const left = await of(a.id);
  if (!left?.artifacts[a.n]) throw new Error(`There is no artifact ${a.n} of ${a.id} in this report`);
  const own = left.artifacts[a.n]!;
  const partners: Partner[] = [];
  const frame = neighbours(store.report, compile!);
  const at = frame.indexOf(a.id);
  for (const [id, title] of [
    [frame[at - 1], "previous compile"],
    [frame[at + 1], "next compile"],
  ] as const) {
    const other = id === undefined ? null : await of(id);
    const n = other ? counterpartOf(own, other) : -1;
    if (n >= 0) partners.push({ title: `${title} ${store.name(id!)}`, ref: { id: id!, n } });
  }
  // The same frame before and after a reset.
  for (const other of namesakes(store.report, compile!)
    .filter((other) => other !== compile && processName(other) === processName(compile!))
    .slice(0, 4)) {
    const n = counterpartOf(own, (await of(other.key))!);
    if (n >= 0) partners.push({ title: store.name(other.key), ref: { id: other.key, n } });
  }
  for (const n of own.other_attempts ?? [])
    partners.push({ title: `attempt ${left.artifacts[n]!.attempt ?? "?"}`, ref: { id: a.id, n } });
  const later = left.artifacts.flatMap((artifact, n) => (artifact.earlier === a.n ? [n] : []));
  for (const n of own.earlier === undefined ? later : [own.earlier, ...later])
    partners.push({ title: left.artifacts[n]!.slot ?? left.artifacts[n]!.stem, ref: { id: a.id, n } });
  const b = asked ?? partners[0]?.ref ?? null;
  const right = b && (await of(b.id));
  if (b && !right?.artifacts[b.n]) throw new Error(`There is no artifact ${b.n} of ${b.id} in this report`);
  return { a, b, left, right, partners };
}

export function Compare({ at }: PageProps) {
  const store = useStore();
  useTitle("Compare");
  const first = useMemo(() => store.report.compiles.find((compile) => compile.artifact_count > 0), [store]);
  const loaded = useLoaded(async () => {
    const a = parseRef(at.query.a) ?? (first ? await firstOf(store, first.key) : null);
    return a && load(store, a, parseRef(at.query.b));
  }, [store, at.query.a, at.query.b]);
  if (loaded.state !== "ready")
    return (
      <>
        <PageHead title="Compare" />
        {loaded.state === "failed" ? <Failed error={loaded.error} /> : <Loading what="the artifacts" />}
      </>
    );
  if (!loaded.value)
    return (
      <>
        <PageHead title="Compare" />
        <Empty title="Nothing to compare">The log has no text artifacts.</Empty>
      </>
    );
  return <Compared at={at} store={store} {...loaded.value} />;
}

async function firstOf(store: Store, id: string): Promise<Ref | null> {
  const { artifacts } = await store.details(store.indexOf(id)!);
  const graph = artifacts.findIndex((artifact) => artifact.text && artifact.lang === "graph");
  const n = graph >= 0 ? graph : artifacts.findIndex((artifact) => artifact.text);
  return n >= 0 ? { id, n } : null;
}

function Compared({ at, store, a, b, left, right, partners }: PageProps & { store: Store } & Loaded) {
  const narrow = useMedia(NARROW);
  const split = at.query.view !== "unified" && !narrow;
  const set = (change: { a?: Ref; b?: Ref | null }) =>
    replaceQuery({
      line: null,
      a: refText(change.a ?? a),
      b: change.b === null ? null : change.b ? refText(change.b) : b && refText(b),
    });
  const swap = () => b && set({ a: b, b: a });
  const stepPartner = (by: number) => {
    const now = partners.findIndex((item) => b && refText(item.ref) === refText(b));
    const next = partners[(now + by + partners.length) % Math.max(partners.length, 1)];
    if (next) set({ b: next.ref });
  };
  useKeys({
    v: () => replaceQuery({ view: split ? "unified" : null }),
    s: swap,
    "]": () => stepPartner(1),
    "[": () => stepPartner(-1),
  });
  const [one, other] = [left.artifacts[a.n]!, b ? right!.artifacts[b.n]! : null];
  const title = other && other.name !== one.name ? `${fileName(one)} → ${fileName(other)}` : fileName(one);
  const pair = useMemo(() => ({ key: title, title, a: one, b: other }), [title, one, other]);
  return (
    <>
      <PageHead title="Compare">
        <Side label="Left" store={store} at={a} own={left} onChange={(ref) => set({ a: ref, b: null })} />
        <button
          type="button"
          title="Swap left and right (s)"
          aria-label="Swap left and right"
          disabled={!b}
          onClick={swap}
        >
          ⇄
        </button>
        {b && right && <Side label="Right" store={store} at={b} own={right} onChange={(ref) => set({ b: ref })} />}
      </PageHead>
      <p class="partners toolbar" aria-label="Compare with">
        <span class="muted">
          Compare{" "}
          <a class="mono" href={toArtifact(a.id, a.n)}>
            {store.name(a.id)} {one.name}
          </a>{" "}
          with
        </span>
        {partners.map((item) => (
          <a
            key={refText(item.ref)}
            class={`button ${b && refText(item.ref) === refText(b) ? "on" : ""}`}
            aria-current={b && refText(item.ref) === refText(b) ? "true" : undefined}
            href={address(["compare"], { ...at.query, a: refText(a), b: refText(item.ref), line: null })}
          >
            {item.title}
          </a>
        ))}
        <RankLink store={store} id={a.id} name={one.name} />
        {!partners.length && <span class="muted">no counterpart: choose one on the right.</span>}
      </p>
      {b && other ? (
        refText(a) === refText(b) ? (
          <Empty title="Same artifact on both sides">Choose another one on the right.</Empty>
        ) : (
          <div class="diff-alone fill">
            <DiffView
              key={`${refText(a)} ${refText(b)}`}
              pair={pair}
              left={store}
              right={store}
              names={
                one.name === other.name && a.id !== b.id
                  ? [store.name(a.id), store.name(b.id)]
                  : [`${store.name(a.id)} ${one.name}`, `${store.name(b.id)} ${other.name}`]
              }
              compiles={[a.id, b.id]}
              split={split}
              narrow={narrow}
              options={{ noise: at.query.noise === "1", sorted: at.query.order === "0", loose: at.query.loose === "1" }}
            />
          </div>
        )
      ) : (
        <Empty title="No counterpart">
          This compile has no other artifact of this kind.{" "}
          <button type="button" onClick={() => set({ b: a })}>
            Choose one
          </button>
        </Empty>
      )}
    </>
  );
}

interface Props {
  label: string;
  store: Store;
  at: Ref;
  own: Details;
  onChange: (ref: Ref) => void;
}

/** Compiles and artifacts to choose from. */
function Side({ label, store, at, own, onChange }: Props) {
  const choose = async (id: string) => {
    const other = await store.details(store.indexOf(id)!);
    const n = counterpartOf(own.artifacts[at.n]!, other);
    const any = n >= 0 ? n : other.artifacts.findIndex((artifact) => artifact.text);
    if (any >= 0) onChange({ id, n: any });
  };
  return (
    <span class="side">
      <Select
        class="ids"
        label={`${label}: compile`}
        value={at.id}
        onChange={(id) => void choose(id)}
        options={store.report.compiles
          .filter((compile) => compile.artifact_count > 0)
          .map(({ key, frame }) => [key, store.name(key) + (frame?.function ? ` ${frameName(frame)}` : "")])}
      />
      <Select
        class="ids long"
        label={`${label}: artifact`}
        value={at.n}
        onChange={(n) => onChange({ id: at.id, n: Number(n) })}
        options={own.artifacts.flatMap((artifact, n) => (artifact.text ? [[n, fileName(artifact)] as const] : []))}
      />
    </span>
  );
}

/** Where the report is of several ranks: the same artifact of another one. */
function RankLink({ store, id, name }: { store: Store; id: string; name: string }) {
  const { run, ranks } = store.report;
  if (run.parent === "..") {
    const dir = ownFolder();
    return dir ? (
      <a class="button" href={toReport("../", address(["ranks", "diff"], { a: dir, id, name }))}>
        other rank
      </a>
    ) : null;
  }
  return ranks && ranks.length > 1 ? (
    <a class="button" href={address(["ranks", "diff"], { a: ".", id, name })}>
      other rank
    </a>
  ) : null;
}

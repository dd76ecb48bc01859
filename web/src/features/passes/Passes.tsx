// The graph before and after every pass of a compile, and what each changed.
import { type Compile, type Details, frameName, type Pass } from "../../store/report";
import { useMemo } from "preact/hooks";
import { address, replaceQuery, toArtifact } from "../../lib/address";
import { count, plural } from "../../lib/text";
import { NARROW, useKeys, useLoaded, useMedia, useTitle } from "../../lib/hooks";
import { refText } from "../../store/partners";
import { pieceNames } from "../../store/vllm";
import { CompileChip } from "../../ui/compile";
import { DiffView } from "../../ui/DiffView";
import { PageHead, QueryCheck, Select } from "../../ui/PageHead";
import { Empty, type PageProps, useStore, Pending } from "../../ui/page";

const STAGES: Record<string, string> = {
  dynamo: "Dynamo",
  compiled_autograd: "Compiled autograd",
  pre_grad: "Pre-grad passes",
  joint: "Joint graph passes",
  post_grad: "Post-grad passes",
  aot: "AOTAutograd",
  other: "Other passes",
};

export function Passes({ at }: PageProps) {
  const store = useStore();
  const withPasses = useMemo(() => store.report.compiles.filter((compile) => compile.pass_counts), [store]);
  const compile =
    at.query.c === undefined
      ? (withPasses.find((one) => one.pass_counts!.changed > 0) ?? withPasses[0])
      : store.compile(at.query.c);
  const index = compile && store.indexOf(compile.key);
  const loaded = useLoaded(async () => (index === undefined ? null : store.details(index)), [store, index]);
  useTitle(`Passes${compile ? ` · ${store.name(compile.key)}` : ""}`);
  const counts = compile?.pass_counts;
  const all = withPasses.reduce((sum, one) => sum + one.pass_counts!.passes, 0);
  return (
    <>
      <PageHead
        title="Passes"
        sub={
          counts &&
          `${all > counts.passes ? `${count(counts.passes)} of ` : ""}${plural(all, "pass", "passes")}, ${counts.changed} changed the graph`
        }
      >
        {compile && <CompileChip id={compile.key} />}
        {withPasses.length > 0 && (
          <Select
            class="ids long"
            label="Compile"
            value={compile?.key ?? ""}
            onChange={(c) => replaceQuery({ c, n: null, line: null })}
            options={[
              ...(compile?.pass_counts
                ? []
                : [[compile?.key ?? "", compile ? store.name(compile.key) : "choose a compile"] as const]),
              ...withPasses.map(({ key, frame, pass_counts: counts }) => {
                const changed = `${counts!.changed} of ${counts!.passes} changed`;
                return [key, `${store.name(key)} ${frameName(frame)} · ${changed}`] as const;
              }),
            ]}
          />
        )}
      </PageHead>
      <Pending of={loaded} what="the list of passes" />
      {loaded.state === "ready" &&
        (compile && loaded.value?.passes?.length ? (
          <Chosen key={compile.key} at={at} compile={compile} details={loaded.value} />
        ) : (
          <None compile={compile} asked={at.query.c} any={withPasses[0]} />
        ))}
    </>
  );
}

interface NoneProps {
  compile: Compile | undefined;
  asked: string | undefined;
  any: Compile | undefined;
}

function None({ compile, asked, any }: NoneProps) {
  const store = useStore();
  if (asked !== undefined && !compile) return <Empty title={`No such compile: ${asked}`} />;
  return (
    <Empty title={compile ? `No passes of ${store.name(compile.key)} in the log` : "No passes in the log"}>
      {any && <a href={address(["passes"], { c: any.key })}>Passes of {store.name(any.key)}</a>}
    </Empty>
  );
}

function Chosen({ at, compile, details }: PageProps & { compile: Compile; details: Details }) {
  const store = useStore();
  const narrow = useMedia(NARROW);
  const passes = details.passes;
  const all = at.query.unchanged !== "0";
  const asked = at.query.n === undefined ? -1 : Number(at.query.n);
  const first = passes.findIndex((pass) => pass.changed && !pass.step);
  const n = passes[asked] ? asked : Math.max(first, 0);
  const pass = passes[n]!;
  const shown = passes.flatMap((item, i) => (all || item.changed || i === n ? [i] : []));
  const href = (i: number) => address(["passes"], { ...at.query, c: compile.key, n: `${i}`, line: null });
  const step = (by: number) => {
    const next = shown[shown.indexOf(n) + by];
    if (next !== undefined) replaceQuery({ c: compile.key, n: `${next}`, line: null });
  };
  const split = at.query.view !== "unified" && !narrow;
  useKeys({ "[": () => step(-1), "]": () => step(1), v: () => replaceQuery({ view: split ? "unified" : null }) });
  const pair = useMemo(
    () => ({
      key: `${n}`,
      title: pass.name,
      a: details.artifacts[pass.before] ?? null,
      b: details.artifacts[pass.after] ?? null,
    }),
    [details, n, pass],
  );
  const pieces = useMemo(() => pieceNames(store.report.vllm), [store]);
  const pieceOf = (one: Pass): string | undefined =>
    pieces.get(`${compile.key} ${one.after}`) ?? details.artifacts[one.after]?.subgraph ?? undefined;
  const piece = pieceOf(pass);
  const list = (
    <div class="items">
      {shown.map((i, k) => (
        <div key={i}>
          <PassHeads of={passes[i]!} last={passes[shown[k - 1] ?? -1]} pieceOf={pieceOf} />
          <a
            class={i === n ? "on" : ""}
            aria-current={i === n ? "true" : undefined}
            href={href(i)}
            title={`${passes[i]!.name}: ${verdict(passes[i]!)}`}
          >
            <span class={passes[i]!.changed ? "" : "muted"}>{passes[i]!.name}</span>
            <small class={`diff-mark ${passes[i]!.changed ? "differs" : "same"}`}>
              {passes[i]!.step ? "→" : passes[i]!.changed ? "≠" : "="} <span class="word">{sizes(passes[i]!)}</span>
            </small>
          </a>
        </div>
      ))}
    </div>
  );
  const unchanged = passes.filter((item) => !item.changed).length;
  const hide = unchanged > 0 && (
    <QueryCheck name="unchanged" on={!all} value="0" class="check pad">
      Hide {count(unchanged)} unchanged
    </QueryCheck>
  );
  return (
    <div class="diff-room fill">
      <nav class="artifacts" aria-label="Passes" data-scroll="passes">
        {narrow ? (
          <details>
            <summary>
              <b>{pass.name}</b>{" "}
              <span class="muted">
                {n + 1} of {passes.length}
                {piece && `, ${piece}`}
              </span>
            </summary>
            {hide}
            {list}
          </details>
        ) : (
          <>
            {hide}
            {list}
          </>
        )}
      </nav>
      <div class="diff-side-room fill">
        <p class="pass-what toolbar">
          <span class={`chip ${pass.changed ? "restart" : "ok"}`}>{pass.changed ? "≠ changed" : "= unchanged"}</span>{" "}
          {piece && <span class="mono">{piece}</span>}{" "}
          <span>
            {pass.step ? "Step between representations. " : ""}
            {graphs(pass)}
          </span>
          <a href={toArtifact(compile.key, pass.before)}>Before</a>{" "}
          <a href={toArtifact(compile.key, pass.after)}>After</a>{" "}
          <a
            href={address(["compare"], {
              a: refText({ id: compile.key, n: pass.before }),
              b: refText({ id: compile.key, n: pass.after }),
            })}
          >
            Compare
          </a>
        </p>
        <DiffView
          key={n}
          pair={pair}
          left={store}
          right={store}
          names={["before", "after"]}
          compiles={[compile.key, compile.key]}
          split={split}
          narrow={narrow}
          options={{ noise: at.query.noise === "1", sorted: at.query.order === "0", loose: at.query.loose === "1" }}
        />
      </div>
    </div>
  );
}

interface PassHeadsProps {
  of: Pass;
  last: Pass | undefined;
  pieceOf: (one: Pass) => string | undefined;
}

/** The piece of the model and the stage, where they are not those of the pass before. */
function PassHeads({ of, last, pieceOf }: PassHeadsProps) {
  const piece = pieceOf(of);
  const begins = !last || pieceOf(last) !== piece;
  return (
    <>
      {begins && piece && <h2 class="mono piece-name">{piece}</h2>}
      {(begins || STAGES[last.stage] !== STAGES[of.stage] || last.backward !== of.backward) && (
        <h2>
          {STAGES[of.stage] ?? of.stage}
          {of.backward ? ", backward" : ""}
        </h2>
      )}
    </>
  );
}

const verdict = (pass: Pass): string =>
  pass.step ? "step between representations" : pass.changed ? "changed the graph" : "unchanged";

function sizes(pass: Pass): string {
  if (pass.nodes_before === null || pass.nodes_after === null) return pass.changed ? "changed" : "unchanged";
  const by = pass.nodes_after - pass.nodes_before;
  return by ? `${by > 0 ? "+" : "−"}${plural(Math.abs(by), "node")}` : pass.changed ? "changed" : "unchanged";
}

function graphs(pass: Pass): string {
  if (pass.nodes_before === null || pass.nodes_after === null) return "";
  return `${count(pass.nodes_before)} → ${plural(pass.nodes_after, "node")} · ${count(pass.ops_before)} → ${plural(pass.ops_after ?? 0, "op")}`;
}

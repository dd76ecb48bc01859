import { address } from "../base/address";
import { count, middle, plural, time } from "../base/format";
import { useLoaded } from "../base/hooks";
import { failureWords, flapping } from "../data/recompiles";
import type { Details, GuardFailure, Recompile, RecompileStep } from "../data/types";
import { CompileChip } from "../parts/Chip";
import { PlaceText } from "../parts/PlaceText";
import { Prose } from "../parts/Prose";
import { useStore } from "../shell/context";

const STEPS = 24;

/** One frame: what to do, which guards failed how often, and each step from a compile to the next. */
export function RecompileChain({ item, n, on }: { item: Recompile; n: number; on: boolean }) {
  const store = useStore();
  const steps = item.steps.slice(0, STEPS);
  const left = item.steps.length - steps.length + item.more_steps;
  const first = store.compile(item.chain[0] ?? "");
  return (
    <article id={`chain-${n}`} class={on ? "panel card on" : "panel card"}>
      <header>
        <h2 class="mono">{item.frame?.function ?? "unknown frame"}</h2>
        {item.limit_hit && <span class="chip error">✕ recompile limit</span>}
        <span class="note num">{plural(item.chain.length, "compile")}{item.time_us ? ` · ${time(item.time_us)} again` : ""}</span>
      </header>
      <div class="where"><PlaceText place={item.frame && { ...item.frame, function: null }} full limit={90} /></div>
      <Flaps item={item} />
      {item.advice.length > 0 && (
        <div class="advice">
          <h3>What to do</h3>
          <ul>{item.advice.map((advice) => <li key={advice.text}><Prose text={advice.text} /></li>)}</ul>
        </div>
      )}
      <ol class="chainsteps" aria-label={`Compiles of ${item.frame?.function ?? "the frame"}`}>
        {first && <li><div class="line"><CompileChip id={first.key} /><span class="muted">first compile</span><span class="num end">{time(first.time_us)}</span><span class="compare" /></div></li>}
        {steps.map((step) => <Step key={step.compile} step={step} item={item} />)}
        {left > 0 && <li class="muted">{count(left)} more: <a href={address(["compiles"], { q: item.frame?.function ?? "", group: "frame" })}>in Compiles</a></li>}
      </ol>
    </article>
  );
}

/** Guards that failed more than once: a value that changes for ever. */
function Flaps({ item }: { item: Recompile }) {
  const flaps = flapping(item);
  if (!flaps.length) return null;
  return (
    <p class="flaps">
      <b>Changes again and again:</b>{" "}
      {flaps.slice(0, 4).map((flap, k) => (
        <span key={flap.words}>{k > 0 && "; "}{flap.words} <span class="muted num">({count(flap.count)} of {plural(item.chain.length - 1, "recompile")})</span>{flap.values.length > 1 && <span class="mono" title={flap.values.join(" → ")}> {flap.values.slice(0, 10).map((value) => middle(value, 24)).join(" → ")}{flap.values.length > 10 && " → …"}</span>}</span>
      ))}
      {flaps.length > 4 && ` and ${flaps.length - 4} more`}
    </p>
  );
}

function Step({ step, item }: { step: RecompileStep; item: Recompile }) {
  const compile = useStore().compile(step.compile);
  const [latest, ...older] = step.reasons;
  const cause = latest && item.causes.find((c) => (c.example ?? "").startsWith(latest.guard) || c.first === latest.guard || (latest.source !== null && c.source === latest.source));
  const limit = !latest && compile?.failure;
  return (
    <li>
      <div class="line">
        <CompileChip id={step.compile} />
        {latest ? <Change failure={latest} /> : <span class="muted">{limit ? `${compile.failure?.type ?? "failed"}: ${middle(compile.failure?.reason ?? "", 80)}` : "the log gives no reason"}</span>}
        <span class="num end">{time(compile?.time_us)}</span>
        <Compare from={step.from} to={step.compile} />
      </div>
      {latest && <div class="line muted"><code class="cutline" title={latest.guard}>{latest.guard}</code>{cause?.code && <code class="cutline" title={cause.code}>{cause.code}</code>}{cause?.place && <PlaceText place={cause.place} />}</div>}
      {step.sizes.length > 0 && (
        <div class="line"><span class="muted">sizes</span>{step.sizes.map((size) => <span key={size.name} class="mono size" title={`${size.name}, against ${step.from}`}>{middle(size.name, 32)} <del>{size.had ?? "no input"}</del> → <ins>{size.has ?? "no input"}</ins></span>)}</div>
      )}
      {older.length > 0 && (
        <details>
          <summary>{plural(older.length + step.more_reasons, "older version")} did not fit either</summary>
          <ul>{older.map((failure, k) => <li key={k}>{failure.against && <span class="mono">{failure.against} </span>}<Change failure={failure} /> <code class="muted" title={failure.guard}>{middle(failure.guard, 80)}</code></li>)}{step.more_reasons > 0 && <li class="muted">{count(step.more_reasons)} more</li>}</ul>
        </details>
      )}
    </li>
  );
}

function Change({ failure }: { failure: GuardFailure }) {
  return (
    <span class="change">
      {failureWords(failure)}
      {failure.had !== null && <> <del class="mono" title={`what ${failure.against ?? "the earlier compile"} was compiled for`}>{middle(failure.had, 40)}</del> → {failure.has === null ? <span class="muted">not in the log</span> : <ins class="mono" title="what came">{middle(failure.has, 40)}</ins>}</>}
    </span>
  );
}

const PAIRS: readonly [string, (kind: string, name: string) => boolean, string][] = [
  ["graph", (kind) => kind === "dynamo_output_graph", "Dynamo's graphs"],
  ["guards", (kind, name) => kind === "dynamo_cpp_guards_str" || name === "dynamo_cpp_guards_str" || kind === "dynamo_guards", "The guards"],
  ["code", (kind) => kind === "inductor_output_code", "The output code"],
];

/** Links to the texts of both compiles beside each other; a compile that has no such text has no link. */
function Compare({ from, to }: { from: string; to: string }) {
  const store = useStore();
  const details = (id: string): Promise<Details | null> => {
    const index = store.indexOf(id);
    return index === undefined ? Promise.resolve(null) : store.details(index);
  };
  const loaded = useLoaded(() => Promise.all([details(from), details(to)]), [from, to]);
  if (loaded.state !== "ready") return <span class="compare" />;
  const [a, b] = loaded.value;
  return (
    <span class="compare">
      {PAIRS.map(([label, fits, what]) => {
        const place = (side: Details | null) => side?.artifacts.findLastIndex((artifact) => artifact.text !== null && fits(artifact.kind, artifact.name)) ?? -1;
        const [i, j] = [place(a), place(b)];
        return i >= 0 && j >= 0 && <a key={label} href={address(["compare"], { a: `${from}/${i}`, b: `${to}/${j}` })} title={`${what} of ${from} and ${to} beside each other`}>{label}<span class="muted"> ⇄</span></a>;
      })}
    </span>
  );
}

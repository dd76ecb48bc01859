import type { ComponentChildren } from "preact";
import { address } from "../lib/address";
import { count, middle, plural, time } from "../lib/text";
import { useLoaded } from "../lib/hooks";
import {
  type Details,
  frameName,
  type GuardChange,
  type GuardFailure,
  type Recompile,
  type RecompileAdvice,
  type RecompileStep,
} from "../store/report";
import {
  causeOf,
  evidenceText,
  expectation,
  isCondition,
  isRefused,
  moduleName,
  moduleRecompiles,
  modulesOf,
  subjectOf,
} from "../store/recompiles";
import { CompileChip } from "./compile";
import { PlaceText, Prose } from "./text";
import { useStore, Table } from "./page";

const STEPS = 24,
  OTHERS = 12,
  VALUES = 8,
  MODULES = 4;

/** One frame: a row for each version, with what changed since the nearest earlier one. */
export function RecompileChain({ item, n, on }: { item: Recompile; n: number; on: boolean }) {
  const store = useStore();
  const steps = item.steps.slice(0, STEPS);
  const left = item.steps.length - steps.length + item.more_steps;
  const first = item.chain[0];
  const spent = item.chain.reduce((sum, key) => sum + (store.compile(key)?.time_us ?? 0), 0);
  const refused = item.refused;
  // a compile that failed made no version; those that the limit refused are among them
  const modules = modulesOf(item);
  const failed = Math.max(item.chain.filter((key) => store.compile(key)?.status === "error").length - refused, 0);
  return (
    <article id={`chain-${n}`} class={on ? "panel card on" : "panel card"}>
      <header>
        <h2 class="mono">{frameName(item.frame) || "unknown frame"}</h2>
        {item.limit_hit && <span class="chip error">✕ recompile limit{item.limit !== null && ` ${item.limit}`}</span>}
        <span class="note num">
          {plural(item.chain.length - refused - failed, "version")}
          {failed > 0 && `, ${count(failed)} failed`}
          {refused > 0 && `, ${count(refused)} refused`}
          {spent ? ` · ${time(spent)} compile time` : ""}
        </span>
      </header>
      <div class="where flexrow">
        <PlaceText place={item.frame && { ...item.frame, function: null }} full limit={90} />
      </div>
      <Repeated item={item} />
      <Modules item={item} />
      {item.advice
        .filter((advice) => !advice.expected)
        .map((advice) => (
          <Advice key={advice.text} advice={advice} />
        ))}
      <div class="tablebox">
        <Table
          class="versions"
          aria-label={`Versions of ${frameName(item.frame) || "the frame"}`}
          head={[
            "Version",
            ...(modules > 1 ? ["Module"] : []),
            ["", "Changes", "Since the nearest version"],
            ["num", "Compile time"],
            "Compare",
          ]}
        >
          {first && (
            <tr>
              <td>
                <CompileChip id={first} />
              </td>
              {modules > 1 && <ModuleCell item={item} at={0} />}
              <td class="muted">
                {store.compile(first)?.recompile_reasons.length ? (
                  <>
                    recompiled
                    {item.causes[0]?.subject && (
                      <>
                        , since <code>{item.causes[0].subject}</code> changed
                      </>
                    )}
                    ; the version before is not in the log
                  </>
                ) : (
                  "first compile"
                )}
              </td>
              <td class="num">{time(store.compile(first)?.time_us)}</td>
              <td />
            </tr>
          )}
          {steps.map((step) => (
            <Version key={step.compile} step={step} item={item} modules={modules} />
          ))}
        </Table>
      </div>
      {left > 0 && (
        <p class="muted">
          {count(left)} more:{" "}
          <a href={address(["compiles"], { q: item.frame?.function ?? "", group: "frame" })}>in Compiles</a>
        </p>
      )}
    </article>
  );
}

/** As people read it: "0/0 #2" where the store knows of generations. */
const nameOf = (store: { name?: (key: string) => string }, key: string): string => store.name?.(key) ?? key;

/** "6 → 7, 8 → 9": a row goes on where a step begins with what the last one ended with. */
function valuesText(cause: Recompile["causes"][number], most: number): string {
  const rows: string[] = [];
  let left = most;
  for (const row of cause.values) {
    if (left > 0)
      rows.push(
        row
          .slice(0, left)
          .map((value) => (value === null ? "(not in the log)" : middle(value, 24)))
          .join(" → "),
      );
    left -= row.length;
  }
  const steps = cause.values.reduce((sum, row) => sum + row.length - 1, 0);
  return rows.join(", ") + (left < 0 || steps < cause.count ? " …" : "");
}

/** What caused more than one recompile. */
function Repeated({ item }: { item: Recompile }) {
  const repeated = item.causes.filter((cause) => cause.count - cause.refused > 1);
  const all = item.recompiles;
  if (!repeated.length) return null;
  return (
    <p class="flaps">
      {repeated.slice(0, 4).map((cause, k) => (
        <span key={cause.guard}>
          {k > 0 && "; "}
          <code>{middle(cause.subject ?? cause.guard, 80)}</code> caused{" "}
          <span class="num">
            {count(cause.count - cause.refused)} of {plural(all, "recompile")}
          </span>
          {cause.also > 0 && ` and changed in ${count(cause.also)} more`}
          {cause.values.length > 0 && (
            <>
              :{" "}
              <span class="mono" title={valuesText(cause, Infinity)}>
                {valuesText(cause, VALUES)}
              </span>
            </>
          )}
        </span>
      ))}
      {repeated.length > 4 && ` and ${repeated.length - 4} more`}
    </p>
  );
}

/** For how many modules the versions were compiled, and how often each was recompiled. */
function Modules({ item }: { item: Recompile }) {
  const modules = modulesOf(item);
  const store = useStore();
  const unknown = item.chain.some((key, at) => item.modules[at] === null && !isRefused(store.compile(key)?.failure));
  if (modules < 2) return null;
  const recompiled = moduleRecompiles(item);
  return (
    <p class="flaps">
      {unknown && "At least "}
      {plural(modules, "module")}
      {item.module_class && (
        <>
          {" "}
          of class <code>{item.module_class}</code>
        </>
      )}{" "}
      share these versions and their limit.{" "}
      {recompiled.length
        ? `Recompiled after its first compile: ${recompiled
            .slice(0, MODULES)
            .map(([module, times]) => `#${module + 1} ${times === 1 ? "once" : `${count(times)} times`}`)
            .join(", ")}${recompiled.length > MODULES ? ` and ${count(recompiled.length - MODULES)} more` : ""}.`
        : "None was recompiled: each version is the first for its module."}
    </p>
  );
}

function ModuleCell({ item, at }: { item: Recompile; at: number }) {
  const name = moduleName(item, at);
  return (
    <td class={name ? "mono" : "muted"} title={name ? undefined : "The log does not show which module it was"}>
      {name ?? "unknown"}
    </td>
  );
}

function Advice({ advice }: { advice: RecompileAdvice }) {
  const store = useStore();
  return (
    <div class="advice">
      <b>{advice.guard_type === "limit" ? "Limit" : "Fix"}: </b>
      <Prose text={advice.text} />
      <div class="muted evidence">
        Evidence: <Prose text={evidenceText(advice, (key) => nameOf(store, key))} />
      </div>
    </div>
  );
}

function Version({ step, item, modules }: { step: RecompileStep; item: Recompile; modules: number }) {
  const store = useStore();
  return (
    <tr>
      <td>
        <CompileChip id={step.compile} />
      </td>
      {modules > 1 && <ModuleCell item={item} at={item.chain.indexOf(step.compile)} />}
      <td class="wrap">
        <StepChanges step={step} item={item} />
      </td>
      <td class="num">{time(store.compile(step.compile)?.time_us)}</td>
      <td>
        <Compare from={step.from} to={step.compile} />
      </td>
    </tr>
  );
}

/** What changed since the nearest version, with the line that needs it, and why the other versions did not fit. */
export function StepChanges({ step, item }: { step: RecompileStep; item: Recompile }) {
  const store = useStore();
  const compile = store.compile(step.compile);
  const [first, ...others] = step.changes;
  const cause = causeOf(item, step);
  const expected = expectation(item, step);
  const earlier = item.chain.slice(0, Math.max(0, item.chain.indexOf(step.compile)));
  const none = earlier.length > 0 && earlier.every((key) => store.compile(key)?.failure);
  const older = step.reasons.filter((reason) => reason.against !== step.nearest?.split(":").at(-1)?.split("#")[0]);
  return (
    <>
      {first ? (
        <Change
          change={first}
          since={
            step.nearest && (
              <span class="muted">
                {" "}
                since{" "}
                <a class="since" href={address(["c", step.nearest])}>
                  {nameOf(store, step.nearest)}
                </a>
              </span>
            )
          }
        />
      ) : (
        <span class="muted">
          {isRefused(compile?.failure) || !compile?.failure
            ? none
              ? "No earlier version compiled."
              : "Not in the log."
            : `${compile.failure.type ?? "failed"}: ${middle(compile.failure.reason ?? "", 80)}`}
        </span>
      )}
      {first && step.nearest && <span class="muted">.</span>}
      {expected && (
        <span class="muted">
          {" "}
          <Prose text={expected} />
        </span>
      )}
      {isRefused(compile?.failure) && <span class="muted"> Not compiled: the recompile limit was reached.</span>}
      {(cause?.code || cause?.place) && (
        <div class="muted says">
          {cause.code && (
            <code class="cutline cutoff" title={cause.code}>
              {cause.code}
            </code>
          )}{" "}
          {cause.place && <PlaceText place={cause.place} />}
        </div>
      )}
      <Others changes={others} more={step.more_changes} nearest={step.nearest && nameOf(store, step.nearest)} />
      <Older reasons={older} more={step.more_reasons} />
    </>
  );
}

function Others({ changes, more, nearest }: { changes: readonly GuardChange[]; more: number; nearest: string | null }) {
  const all = changes.length + more;
  if (!all) return null;
  return (
    <details>
      <summary>
        {plural(all, "more guard")} of {nearest ?? "that version"} would have failed
      </summary>
      <ul>
        {changes.slice(0, OTHERS).map((change, k) => (
          <li key={k}>
            <Change change={change} />
          </li>
        ))}
        {all > OTHERS && <li class="muted">{count(all - Math.min(OTHERS, changes.length))} more</li>}
      </ul>
    </details>
  );
}

function Older({ reasons, more }: { reasons: readonly GuardFailure[]; more: number }) {
  if (!reasons.length) return null;
  return (
    <details>
      <summary>{plural(reasons.length + more, "other version")} rejected</summary>
      <ul>
        {reasons.map((reason, k) => (
          <li key={k}>
            {reason.against && <span class="mono">{reason.against} </span>}
            <code title={reason.guard}>{middle(reason.guard, 100)}</code>{" "}
            {reason.had !== null && reason.has !== null && <Values had={reason.had} has={reason.has} />}
          </li>
        ))}
        {more > 0 && <li class="muted">{count(more)} more</li>}
      </ul>
    </details>
  );
}

function Values({ had, has }: { had: string | null; has: string | null }) {
  const value = (text: string | null, name: string) =>
    text === null ? (
      <span class="muted">not in the log</span>
    ) : (
      <span class={`mono ${name}`} title={text.length > 60 ? text : undefined}>
        {middle(text, 60)}
      </span>
    );
  return (
    <>
      {value(had, "was")}
      <span class="arrow">→</span>
      {value(has, "now")}
    </>
  );
}

/** `since` follows the values, so that "now dynamic" is not read with it. */
function Change({ change, since = null }: { change: GuardChange; since?: ComponentChildren }) {
  const subject = subjectOf(change);
  const code = <code title={change.guard ?? undefined}>{middle(subject, 100)}</code>;
  if (isCondition(change))
    return (
      <span class="change">
        {code} fails
        {change.has !== null && change.has !== "False" && (
          <>
            : <span class="mono now">{middle(change.has, 100)}</span>
          </>
        )}
        {since}
      </span>
    );
  if (change.had === null && change.has === null)
    return (
      <span class="change">
        {code} changed{since}
      </span>
    );
  if (change.differs)
    return (
      <span class="change" title={`${change.had} → ${change.has}`}>
        {code}{" "}
        {change.differs.split(" ").map((key) => (
          <span key={key} class={`mono ${key.startsWith("+") ? "now" : "was"}`}>
            {key}{" "}
          </span>
        ))}
        {since}
      </span>
    );
  return (
    <span class="change">
      {code} <Values had={change.had} has={change.has} />
      {since}
      {change.symbol && (
        <>
          , now dynamic (<span class="mono">{change.symbol}</span>)
        </>
      )}
    </span>
  );
}

const PAIRS: readonly [string, (kind: string, name: string) => boolean, string][] = [
  ["graphs", (kind) => kind === "dynamo_output_graph", "Dynamo graphs"],
  [
    "guards",
    (kind, name) => kind === "dynamo_cpp_guards_str" || name === "dynamo_cpp_guards_str" || kind === "dynamo_guards",
    "Guards",
  ],
  ["code", (kind) => kind === "inductor_output_code", "Output code"],
];

/** Links to the texts of both versions side by side; a version that has no such text has no link. */
function Compare({ from, to }: { from: string; to: string }) {
  const store = useStore();
  const details = (key: string): Promise<Details | null> => {
    const index = store.indexOf(key);
    return index === undefined ? Promise.resolve(null) : store.details(index);
  };
  const loaded = useLoaded(() => Promise.all([details(from), details(to)]), [from, to]);
  if (loaded.state !== "ready") return <span class="compare" />;
  const [a, b] = loaded.value;
  return (
    <span class="compare">
      {PAIRS.map(([label, fits, what]) => {
        const place = (side: Details | null) =>
          side?.artifacts.findLastIndex((artifact) => artifact.text !== null && fits(artifact.kind, artifact.name)) ??
          -1;
        const [i, j] = [place(a), place(b)];
        return (
          i >= 0 &&
          j >= 0 && (
            <a
              key={label}
              href={address(["compare"], { a: `${from}/${i}`, b: `${to}/${j}` })}
              title={`${what} of ${from} and ${to}`}
            >
              {label}
            </a>
          )
        );
      })}
    </span>
  );
}

// Two runs of a program: what changed from the one to the other. A run is a log, or a job of ranks: then figures are sums over its logs, and
// functions are those of one rank.
import { useState } from "preact/hooks";
import { replaceQuery, type Address } from "../../lib/address";
import { baseName, bytes, count, middle, moment, plural, time } from "../../lib/format";
import { useLoaded, useTitle } from "../../lib/hooks";
import { rankName, runName } from "../../store/rank-names";
import type { Rank } from "../../store/ranks";
import { storeOf } from "../../store/rank-stores";
import { commonRanks, compareFigures, compareFunctions, comparedCompiles, compareSettings, delta, findingsOf, logOf, newFindings, type Figure, type FunctionChange, type Side } from "../../store/runs";
import type { Store } from "../../store/store";
import { CompileNames } from "../../store/compile-name";
import type { Compile, Finding, Report } from "../../store/types";
import { FindingItem } from "../../ui/FindingItem";
import { More } from "../../ui/More";
import { Panel } from "../../ui/Panel";
import { PageHead } from "../../ui/PageHead";
import { Empty, Failed, Loading } from "../../ui/States";
import { useStore } from "../../ui/context";
import { CacheMisses } from "../../ui/CacheMisses";
import { toDiff, toRank, toRankCompile } from "../../ui/RanksParts";

/** The two that are compared: those of the address, else the first and the last that began. */
function chosen(runs: readonly Rank[], at: Address): [Rank | undefined, Rank | undefined] {
  const a = runs.find((run) => run.dir === at.query.a) ?? runs.find((run) => run.dir !== at.query.b);
  return [a, runs.find((run) => run.dir === at.query.b && run !== a) ?? runs.findLast((run) => run !== a)];
}

export function Runs({ at }: { at: Address }) {
  const own = useStore();
  useTitle("Runs");
  const runs = (own.report.ranks ?? []).filter((run) => run.status !== "bad");
  const [a, b] = chosen(runs, at);
  if (!a || !b) return <><PageHead title="Runs" /><div class="room"><Panel><Empty title="Nothing to compare">Fewer than two of the logs can be read.</Empty></Panel></div></>;
  const ranks = commonRanks(a, b);
  const rank = ranks.find((one) => `${one}` === at.query.rank) ?? ranks[0];
  const select = (side: "a" | "b", label: string, value: Rank) => (
    <select class="ids" aria-label={label} title={value.files.join("\n")} value={value.dir} onChange={(event) => replaceQuery({ a: a.dir, b: b.dir, [side]: event.currentTarget.value, ...(event.currentTarget.value === (side === "a" ? b : a).dir && { [side === "a" ? "b" : "a"]: value.dir }) })}>
      {runs.map((run) => <option key={run.dir} value={run.dir}>{rankName(run)}</option>)}
    </select>
  );
  return (
    <>
      <PageHead title="Runs" sub={`${runs.some((run) => run.members) ? plural(runs.length, "run") : `${plural(runs.length, "log")} without a rank`}: what changed from the left to the right`}>
        {select("a", "Before", a)}
        <button type="button" title="Swap" aria-label="Swap both runs" onClick={() => replaceQuery({ a: b.dir, b: a.dir })}>⇄</button>
        {select("b", "After", b)}
        {ranks.length > 1 && (
          <select aria-label="Functions of" title="Functions and settings are those of this rank" value={rank} onChange={(event) => replaceQuery({ rank: event.currentTarget.value })}>
            {ranks.map((one) => <option key={one} value={one}>functions of rank {one}</option>)}
          </select>
        )}
      </PageHead>
      <Compared key={`${a.dir} ${b.dir} ${rank}`} own={own} a={a} b={b} rank={rank} />
    </>
  );
}

function Compared({ own, a, b, rank }: { own: Store; a: Rank; b: Rank; rank: number | undefined }) {
  const [one, other] = [logOf(a, rank), logOf(b, rank)];
  const loaded = useLoaded(async () => {
    const wholes = await Promise.all([storeOf(own, a.dir), storeOf(own, b.dir)]);
    const stores = one && other ? await Promise.all([storeOf(own, one.dir), storeOf(own, other.dir)]) : [];
    const configs = await Promise.all(stores.map((store) => (store.report.parts.configs ? store.configs() : [])));
    return { reports: wholes.map((store) => store.report) as [Report, Report], logs: stores.map((store) => store.report), settings: compareSettings(configs[0] ?? [], configs[1] ?? []) };
  }, [own, a.dir, b.dir, rank]);
  if (loaded.state === "failed") return <Failed error={loaded.error} />;
  if (loaded.state === "loading") return <Loading what="both reports" />;
  const { reports: [left, right], logs: [before, after], settings } = loaded.value;
  return (
    <div class="room runs-room" data-scroll="room">
      <Figures left={left} right={right} a={a} b={b} />
      <Found title="New findings" empty="✓ Nothing new to look at" list={newFindings(findingsOf(left), findingsOf(right))} of={b} />
      <Found title="Findings that are gone" empty={findingsOf(left).length ? "None: what the left run has, the right has too" : "None: the left run has no findings"} list={newFindings(findingsOf(right), findingsOf(left))} of={a} />
      <CacheMisses report={own.report} of={b} />
      {before && after && one && other ? <Functions changes={compareFunctions(before, after)} a={one} b={other} names={[new CompileNames(before.compiles), new CompileNames(after.compiles)]} of={rank} />
        : <Panel title="Functions"><Empty title="The jobs have no rank in common">Functions are compared between logs of the same rank.</Empty></Panel>}
      <Panel title="Settings that differ" note={[settings.length && plural(settings.length, "setting"), rank !== undefined && `of rank ${rank}`].filter(Boolean).join(" ") || undefined}>
        {!settings.length && (before?.parts.configs && after?.parts.configs
          ? <Empty title="✓ The logged configurations are the same">What torch.compile() gets for one function, as options= or mode=, is not in them; the keys of caches have it.</Empty>
          : <Empty title="A log does not tell its settings" />)}
        {settings.length > 0 && <table class="config"><tbody>{settings.map(({ kind, setting, values }) => <tr key={`${kind} ${setting}`}><td class="mono"><span class="muted">{kind}.</span>{setting}</td><td class="mono wrap">{middle(values[0] ?? "(no such setting)", 200)} → {middle(values[1] ?? "(no such setting)", 200)}</td></tr>)}</tbody></table>}
      </Panel>
    </div>
  );
}

const shown = (figure: Figure, value: number | string | null): string => (typeof value === "string" ? value : figure.unit === "us" ? time(value) : count(value));

/** Times differ a little from run to run; what is less than a twentieth is neither better nor worse. */
const notable = (by: number, of: number): boolean => Math.abs(by) > of / 20;

/** More or less, with a sign: "+3", "−1.20 s". Worse and better have a colour besides. */
function Delta({ by, unit, worse }: { by: number; unit: "count" | "us" | "text"; worse: boolean }) {
  if (!by) return <span class="muted">=</span>;
  return <span class={worse ? (by > 0 ? "s-error" : "s-ok") : ""}>{by > 0 ? "+" : "−"}{unit === "us" ? time(Math.abs(by)) : count(Math.abs(by))}</span>;
}

function Figures({ left, right, a, b }: { left: Report; right: Report; a: Rank; b: Rank }) {
  return (
    <Panel class="figures">
      <table>
        <thead><tr><th>Figure</th><th class="num"><a class="mono" href={toRank(a.dir)} title={`${a.files.join("\n")}\nstarted ${moment(left.run.started)}`}>{runName(a)}</a></th><th class="num"><a class="mono" href={toRank(b.dir)} title={`${b.files.join("\n")}\nstarted ${moment(right.run.started)}`}>{runName(b)}</a></th><th class="num">Change</th></tr></thead>
        <tbody>
          {compareFigures(left, right).filter(({ values }) => values[0] || values[1]).map((figure) => {
            const [one, other] = figure.values;
            const both = typeof one === "number" && typeof other === "number";
            return <tr key={figure.name}><td class="muted">{figure.name}</td><td class="num">{shown(figure, one)}</td><td class="num">{shown(figure, other)}</td><td class="num">{both ? <Delta by={other - one} unit={figure.unit} worse={(figure.worse ?? false) && (figure.unit !== "us" || notable(other - one, one))} /> : one !== other && "≠"}</td></tr>;
          })}
          <tr><td class="muted">log</td><td class="num">{bytes(a.bytes)}</td><td class="num">{bytes(b.bytes)}</td><td /></tr>
        </tbody>
      </table>
    </Panel>
  );
}

function Found({ title, empty, list, of }: { title: string; empty: string; list: readonly (Finding & { dirs?: string[] })[]; of: Rank }) {
  return (
    <Panel title={title} note={list.length ? plural(list.length, "finding") : undefined}>
      {!list.length && <Empty title={empty} />}
      <More items={list} step={4}>{(finding) => (
        <div class="rank-finding" key={`${finding.kind} ${finding.title}`}>
          <FindingItem finding={{ ...finding, compiles: [], link: null }} />
          <div class="who">{finding.dirs?.slice(0, 8).map((dir) => <a key={dir} href={toRank(`${of.dir}/${dir}`)}>{dir.replace("_", " ")}</a>)}{(finding.dirs?.length ?? 0) > 8 && <span>and {count(finding.dirs!.length - 8)} more</span>}{finding.compiles.slice(0, 6).map((id) => <a key={id} class="mono" href={toRankCompile(of.dir, id)}>{id}</a>)}{finding.link?.startsWith("#/") && <a href={toRank(of.dir, finding.link)}>in its report</a>}</div>
        </div>
      )}</More>
    </Panel>
  );
}

function Functions({ changes, a, b, names, of }: { of: number | undefined; changes: readonly FunctionChange[]; a: Rank; b: Rank; names: readonly [CompileNames, CompileNames] }) {
  const [limit, setLimit] = useState(60);
  return (
    <Panel title="Functions" note={`${plural(changes.length, "function")}${of === undefined ? "" : ` of rank ${of}`}`}>
      {!changes.length && <Empty title="Neither run compiled a function" />}
      <div class="tablebox">
        <table class="functions">
          {changes.length > 0 && <thead><tr><th>Function</th><th>Compiles</th><th class="num">Compile time</th><th class="num">Change</th><th class="wide">Differs in</th><th>Look</th></tr></thead>}
          <tbody>
            {changes.slice(0, limit).map((item) => (
              <tr key={item.key}>
                <td class="cut"><span class="mono" title={`${item.name}\n${item.file}:${item.line.map((line) => line ?? "?").join(" → ")}`}>{item.name} <span class="muted">{baseName(item.file)}:{lines(item)}</span></span></td>
                <td>{item.a && item.b ? (item.a.compiles.length === item.b.compiles.length ? count(item.a.compiles.length) : `${count(item.a.compiles.length)} → ${count(item.b.compiles.length)}`) : <span class={`chip ${item.a ? "empty" : "missing"}`}>{item.a ? "− gone" : "+ new"}</span>}</td>
                <td class="num">{item.a && time(item.a.time_us)}{item.a && item.b && " → "}{item.b && time(item.b.time_us)}</td>
                <td class="num"><Delta by={delta(item)} unit="us" worse={notable(delta(item), item.a?.time_us ?? 0)} /></td>
                <td class="muted wide">{differences(item.a, item.b).join(", ")}</td>
                <td>{item.a && item.b ? <Diff a={a} b={b} pair={comparedCompiles(item.a, item.b)} names={names} />
                  : <a class="mono" href={toRankCompile((item.a ? a : b).dir, (item.a ?? item.b)!.compiles[0]!.key)}>{names[item.a ? 0 : 1].of((item.a ?? item.b)!.compiles[0]!.key)}</a>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {changes.length > limit && <p class="more"><button type="button" onClick={() => setLimit(limit + 200)}>Show more of {count(changes.length - limit)}</button></p>}
    </Panel>
  );
}

/** Leads to the artifacts of both beside each other; says which compiles where they have different ids. */
function Diff({ a, b, pair: [one, other], names }: { a: Rank; b: Rank; pair: readonly [Compile, Compile]; names: readonly [CompileNames, CompileNames] }) {
  const [left, right] = [names[0].of(one.key), names[1].of(other.key)];
  return <a href={toDiff({ a: a.dir, b: b.dir, id: one.key, idb: other.key })} title={`The artifacts of ${left} and ${right} side by side`}>{left === right ? <>diff <span class="mono">{left}</span></> : <>diff <span class="mono">{left} → {right}</span></>} ⇄</a>;
}

function lines({ line: [one, other] }: FunctionChange): string {
  return one !== null && other !== null && one !== other ? `${one} → ${other}` : `${one ?? other ?? "?"}`;
}

/** What the sums say that time does not: "graph breaks 1 → 0". */
function differences(a: Side | null, b: Side | null): string[] {
  if (!a || !b) return [];
  const ops = (side: Side) => side.compiles.reduce((n, compile) => n + (compile.graph.ops ?? 0), 0);
  const guards = (side: Side) => side.compiles.reduce((n, compile) => n + (compile.guards ?? 0), 0);
  const caches = (side: Side) => [...new Set(side.compiles.flatMap((compile) => compile.cache.map((item) => item.result)))].sort().join(" + ") || "none";
  const rows: [string, string | number, string | number][] = [["failures", a.failed, b.failed], ["graph breaks", a.breaks, b.breaks], ["ops", ops(a), ops(b)], ["guards", guards(a), guards(b)], ["cache", caches(a), caches(b)]];
  return rows.filter(([, one, other]) => one !== other).map(([name, one, other]) => `${name} ${one} → ${other}`);
}

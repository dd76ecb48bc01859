// Two runs of a program: what changed from the one to the other. A run is a log, or a job of ranks: then figures are sums over its logs, and
// functions are those of one rank.
import { useState } from "preact/hooks";
import { type Address, replaceQuery } from "../../lib/address";
import { baseName, bytes, count, moment, plural, time } from "../../lib/text";
import { useLoaded, useTitle } from "../../lib/hooks";
import { type Rank, runName } from "../../store/ranks";
import { storeOf } from "../../store/rank-stores";
import { findingsOf } from "../../store/runs";
import type { Store } from "../../store/store";
import type { CompileNames } from "../../store/compile-name";
import {
  pairOf,
  reversed,
  type Change,
  type Comparison,
  type Figure,
  type FunctionChange,
  type Verdict,
} from "../../store/comparison";
import type { Finding, Report } from "../../store/report";
import { FindingItem } from "../../ui/FindingItem";
import { Empty, Failed, Loading, More, Panel, useStore, EmptyPanel, Table } from "../../ui/page";
import { PageHead, EmptyPage, Select } from "../../ui/PageHead";
import { CacheMisses } from "../../ui/CacheMisses";
import { toDiff, toRank, toRankCompile } from "../../ui/RanksParts";
import { Effects, Settings } from "./Settings";

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
  if (!a || !b)
    return (
      <EmptyPage page="Runs" title="Nothing to compare">
        Fewer than two logs are readable.
      </EmptyPage>
    );
  const pair = pairOf(own.report.comparison, a.dir, b.dir);
  const ranks = pair?.ranks ?? [];
  const rank = ranks.find((one) => `${one}` === at.query.rank) ?? ranks[0];
  const select = (side: "a" | "b", label: string, value: Rank) => (
    <Select
      class="ids"
      label={label}
      title={value.files.join("\n")}
      value={value.dir}
      onChange={(dir) =>
        replaceQuery({
          a: a.dir,
          b: b.dir,
          [side]: dir,
          ...(dir === (side === "a" ? b : a).dir && { [side === "a" ? "b" : "a"]: value.dir }),
        })
      }
      options={runs.map((run) => [run.dir, runName(run)])}
    />
  );
  return (
    <>
      <PageHead title="Runs" sub={`${plural(runs.length, "run")}, before and after`}>
        {select("a", "Before", a)}
        <button
          type="button"
          title="Swap"
          aria-label="Swap both runs"
          onClick={() => replaceQuery({ a: b.dir, b: a.dir })}
        >
          ⇄
        </button>
        {select("b", "After", b)}
        {ranks.length > 1 && (
          <Select
            label="Functions of"
            title="Functions and settings are those of this rank"
            value={rank}
            onChange={(next) => replaceQuery({ rank: next })}
            options={ranks.map((one) => [one, `functions of rank ${one}`])}
          />
        )}
      </PageHead>
      {pair ? (
        <Compared
          key={`${a.dir} ${b.dir} ${rank}`}
          own={own}
          a={a}
          b={b}
          place={pair.place}
          swapped={pair.swapped}
          rank={rank}
        />
      ) : (
        <div class="room">
          <EmptyPanel title="Not compared">
            With this many runs, each is compared with the first one and with the one before it.
          </EmptyPanel>
        </div>
      )}
    </>
  );
}

interface Loaded {
  comparison: Comparison;
  /** of both runs, and of both logs whose functions are compared */
  reports: [Report, Report];
  names: [CompileNames, CompileNames] | null;
}

async function load(own: Store, place: number, swapped: boolean, rank: number | undefined): Promise<Loaded> {
  const logged = await own.comparison(place);
  const comparison = swapped ? reversed(logged) : logged;
  const logs = comparison.logs.find((item) => item.rank === (rank ?? null));
  const [left, right, ...of] = await Promise.all(
    [comparison.a, comparison.b, ...(logs?.dirs ?? [])].map((dir) => storeOf(own, dir)),
  );
  return { comparison, reports: [left!.report, right!.report], names: logs ? [of[0]!.names, of[1]!.names] : null };
}

interface ComparedProps {
  own: Store;
  a: Rank;
  b: Rank;
  place: number;
  swapped: boolean;
  rank: number | undefined;
}

function Compared({ own, a, b, place, swapped, rank }: ComparedProps) {
  const loaded = useLoaded(() => load(own, place, swapped, rank), [own, place, swapped, rank]);
  if (loaded.state === "failed") return <Failed error={loaded.error} />;
  if (loaded.state === "loading") return <Loading what="both reports" />;
  const {
    comparison: { figures, findings, logs },
    reports: [left, right],
    names,
  } = loaded.value;
  const of = logs.find((item) => item.rank === (rank ?? null));
  const found = (report: Report, list: readonly { index: number }[]) =>
    list.map(({ index }) => findingsOf(report)[index]!);
  return (
    <div class="room runs-room" data-scroll="room">
      <Figures figures={figures} left={left} right={right} a={a} b={b} />
      <Found title="New issues" empty="✓ No new issues" list={found(right, findings.new)} of={b} />
      <Found
        title="Resolved issues"
        empty={
          findingsOf(left).length
            ? "None: the right run has all issues of the left one"
            : "None: the left run has no issues"
        }
        list={found(left, findings.gone)}
        of={a}
      />
      <CacheMisses report={own.report} of={b} />
      {of && names ? (
        <Functions changes={of.functions} more={of.more_functions} dirs={of.dirs} names={names} of={rank} />
      ) : (
        <Panel title="Functions">
          <Empty title="The jobs have no rank in common">Functions are compared between logs of the same rank.</Empty>
        </Panel>
      )}
      <Settings list={of?.settings ?? null} effects={of?.settings_in_effect ?? null} rank={rank} />
      {of && (
        <Effects list={of.settings_in_effect ?? []} more={of.more_settings_in_effect} dirs={of.dirs} rank={rank} />
      )}
    </div>
  );
}

const FORMATS: Record<Figure["unit"], (value: number | null) => string> = { us: time, bytes, count, text: count };

const shown = (figure: Figure, value: number | string | null): string =>
  typeof value === "string" ? value : FORMATS[figure.unit](value);

const COLORS: Partial<Record<Verdict, string>> = { worse: "s-error", better: "s-ok" };

/** More or less, with a sign: "+3", "−1.20 s". Worse and better have a color. */
function Delta({ by, unit, verdict }: { by: number; unit: Figure["unit"]; verdict: Verdict }) {
  if (!by) return <span class="muted">=</span>;
  return (
    <span class={COLORS[verdict] ?? ""}>
      {by > 0 ? "+" : "−"}
      {FORMATS[unit](Math.abs(by))}
    </span>
  );
}

/** Versions are shown where they differ, numbers where there is one. */
const isShown = ({ unit, verdict, values: [one, other] }: Figure): boolean =>
  (unit !== "text" || verdict !== "same") && Boolean(one || other);

/** Leads to the report of a run. */
function RunHead({ run, of }: { run: Rank; of: Report }) {
  return (
    <a class="mono" href={toRank(run.dir)} title={`${run.files.join("\n")}\nstarted ${moment(of.run.started)}`}>
      {runName(run)}
    </a>
  );
}

interface FiguresProps {
  figures: readonly Figure[];
  left: Report;
  right: Report;
  a: Rank;
  b: Rank;
}

function Figures({ figures, left, right, a, b }: FiguresProps) {
  return (
    <Panel class="figures">
      <Table
        head={[
          "Figure",
          ["num", <RunHead run={a} of={left} />],
          ["num", <RunHead run={b} of={right} />],
          ["num", "Change"],
        ]}
      >
        {figures.filter(isShown).map((figure) => {
          const { name, title, delta, unit, verdict } = figure;
          const [one, other] = figure.values;
          return (
            <tr key={name}>
              <td class="muted">{title}</td>
              <td class="num">{shown(figure, one)}</td>
              <td class="num">{shown(figure, other)}</td>
              <td class="num">
                {delta === null ? (
                  verdict === "differs" && "differs"
                ) : (
                  <Delta by={delta} unit={unit} verdict={verdict} />
                )}
              </td>
            </tr>
          );
        })}
        <tr>
          <td class="muted">log</td>
          <td class="num">{bytes(a.bytes)}</td>
          <td class="num">{bytes(b.bytes)}</td>
          <td />
        </tr>
      </Table>
    </Panel>
  );
}

interface FoundProps {
  title: string;
  empty: string;
  list: readonly (Finding & { dirs?: string[] })[];
  of: Rank;
}

function Found({ title, empty, list, of }: FoundProps) {
  return (
    <Panel title={title} note={list.length ? plural(list.length, "issue") : undefined}>
      {!list.length && <Empty title={empty} />}
      <More items={list} step={4}>
        {(finding) => (
          <div class="rank-finding" key={`${finding.kind} ${finding.title}`}>
            <FindingItem finding={{ ...finding, compiles: [], link: null }} />
            <div class="who">
              {finding.dirs?.slice(0, 8).map((dir) => (
                <a key={dir} href={toRank(`${of.dir}/${dir}`)}>
                  {dir.replace("_", " ")}
                </a>
              ))}
              {(finding.dirs?.length ?? 0) > 8 && <span>and {count(finding.dirs!.length - 8)} more</span>}
              {finding.compiles.slice(0, 6).map((id) => (
                <a key={id} class="mono" href={toRankCompile(of.dir, id)}>
                  {id}
                </a>
              ))}
              {finding.link?.startsWith("#/") && <a href={toRank(of.dir, finding.link)}>report</a>}
            </div>
          </div>
        )}
      </More>
    </Panel>
  );
}

/** What a change of compile time is. */
const VERDICTS: Readonly<Record<Change, Verdict>> = {
  new: "worse",
  gone: "better",
  slower: "worse",
  faster: "better",
  same: "same",
};

interface FunctionsProps {
  of: number | undefined;
  changes: readonly FunctionChange[];
  more: number;
  dirs: readonly [string, string];
  names: readonly [CompileNames, CompileNames];
}

function Functions({ changes, more, dirs: [a, b], names, of }: FunctionsProps) {
  const [limit, setLimit] = useState(60);
  return (
    <Panel
      title="Functions"
      note={`${plural(changes.length + more, "function")}${of === undefined ? "" : ` of rank ${of}`}`}
    >
      {!changes.length && <Empty title="No functions in either run" />}
      <div class="tablebox">
        <table class="functions">
          {changes.length > 0 && (
            <thead>
              <tr>
                <th>Function</th>
                <th>Compiles</th>
                <th class="num">Compile time</th>
                <th class="num">Change</th>
                <th class="wide">Differences</th>
                <th>Compare</th>
              </tr>
            </thead>
          )}
          <tbody>
            {changes.slice(0, limit).map((item, i) => {
              const { change, file, delta_us: delta, differs, compared } = item;
              const [one, other] = item.sides;
              const renamed = one && other && one.name !== other.name;
              const name = renamed ? `${one.name} → ${other.name}` : item.name;
              return (
                <tr key={i}>
                  <td class="cut">
                    <span
                      class="mono"
                      title={`${name}\n${file}:${item.sides.map((side) => side?.line ?? "?").join(" → ")}`}
                    >
                      {name}{" "}
                      <span class="muted">
                        {baseName(file)}:{lines(item)}
                      </span>
                    </span>
                  </td>
                  <td data-label={one && other ? "Compiles" : undefined}>
                    {one && other ? (
                      one.compile_count === other.compile_count ? (
                        count(one.compile_count)
                      ) : (
                        `${count(one.compile_count)} → ${count(other.compile_count)}`
                      )
                    ) : (
                      <span class={`chip ${one ? "empty" : "missing"}`}>{one ? "− gone" : "+ new"}</span>
                    )}
                  </td>
                  <td class="num">
                    {one && time(one.time_us)}
                    {one && other && " → "}
                    {other && time(other.time_us)}
                  </td>
                  <td class="num">
                    <Delta by={delta} unit="us" verdict={VERDICTS[change]} />
                  </td>
                  <td class="muted wide">
                    {differs.map((figure) => `${figure.title} ${figure.values[0]} → ${figure.values[1]}`).join(", ")}
                  </td>
                  <td>
                    {compared ? (
                      <Diff a={a} b={b} pair={compared} names={names} />
                    ) : (
                      <a class="mono" href={toRankCompile(one ? a : b, (one ?? other)!.compiles[0]!)}>
                        {names[one ? 0 : 1].of((one ?? other)!.compiles[0]!)}
                      </a>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {changes.length > limit && (
        <p class="more">
          <button type="button" onClick={() => setLimit(limit + 200)}>
            Show more of {count(changes.length - limit)}
          </button>
        </p>
      )}
      {changes.length <= limit && more > 0 && (
        <p class="more muted">{count(more)} more with smaller changes not listed</p>
      )}
    </Panel>
  );
}

interface DiffProps {
  a: string;
  b: string;
  pair: readonly [string, string];
  names: readonly [CompileNames, CompileNames];
}

/** A link to the artifacts of both side by side, with the compile ids where they differ. */
function Diff({ a, b, pair: [one, other], names }: DiffProps) {
  const [left, right] = [names[0].of(one), names[1].of(other)];
  return (
    <a href={toDiff({ a, b, id: one, idb: other })} title={`Artifacts of ${left} and ${right} side by side`}>
      {left === right ? (
        <>
          diff <span class="mono">{left}</span>
        </>
      ) : (
        <>
          diff{" "}
          <span class="mono">
            {left} → {right}
          </span>
        </>
      )}{" "}
      ⇄
    </a>
  );
}

function lines({ sides }: FunctionChange): string {
  const [one, other] = sides.map((side) => side?.line ?? null);
  return one !== null && other !== null && one !== other ? `${one} → ${other}` : `${one ?? other ?? "?"}`;
}

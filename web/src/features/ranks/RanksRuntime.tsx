import { useMemo } from "preact/hooks";
import { count, percent, plural, time } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { ranges, type RuntimeGraph } from "../../store/ranks";
import { More, type PageProps, Panel, useStore } from "../../ui/page";
import { PageHead, Toggle, EmptyPage } from "../../ui/PageHead";
import { RankCompile } from "../../ui/RanksParts";

const STEP = 60;
const PLACES = 200; // distinct places of dots on a line

/** Per graph, how long the ranks are expected to take: where one is slow, all others wait in the next collective. */
export function RanksRuntime({ at }: PageProps) {
  const runtime = useStore().report.runtime;
  useTitle("Runtime estimates");
  const byGraph = at.query.sort === "graph";
  const graphs = useMemo(() => {
    const list = runtime?.graphs ?? [];
    return byGraph ? list : [...list].sort((a, b) => b.spread_ns - a.spread_ns);
  }, [runtime, byGraph]);
  const longest = graphs.reduce((most, graph) => graph.per_rank.reduce((m, item) => Math.max(m, item.ns), most), 0);
  const uneven = graphs.filter((graph) => graph.spread_ns > 0).length;
  if (!graphs.length || !runtime) {
    return (
      <EmptyPage page="Runtime estimates" title="Not available">
        {runtime?.reason ?? "The logs hold no runtime estimates."} Inductor logs them for GPUs only, with{" "}
        <code>LOG_TLPARSE=1</code>.
      </EmptyPage>
    );
  }
  return (
    <>
      <PageHead title="Runtime estimates" sub={`${plural(graphs.length, "graph")}, by Inductor`}>
        <div class="toggles" role="group" aria-label="Order">
          <Toggle on={!byGraph} query={{ sort: null }}>
            by spread
          </Toggle>
          <Toggle on={byGraph} query={{ sort: "graph" }}>
            by graph
          </Toggle>
        </div>
      </PageHead>
      <div class="room" data-scroll="room">
        {runtime.reason && (
          <p class="lead">
            <span class="chip restart">≠ graphs</span> {runtime.reason}
          </p>
        )}
        <p class="lead">
          {uneven ? (
            <>
              <span class="chip restart">≠ uneven</span> {count(uneven)} of {plural(graphs.length, "graph")}{" "}
              {uneven === 1 ? "has" : "have"} a higher estimate on some ranks. By these estimates, one call of each
              function waits up to <b>{ns(runtime.wait_ns)}</b>.
            </>
          ) : (
            <>
              <span class="chip ok">✓ even</span> Each graph has the same estimate on all ranks.
            </>
          )}
        </p>
        <Panel>
          <div class="spread-head">
            <span>Graph</span>
            <span>{longest > 0 && <>0 to {ns(longest)}</>}</span>
            <span class="num">Spread</span>
          </div>
          <More items={graphs} step={STEP}>
            {(graph) => <Spread key={graph.index} graph={graph} longest={longest} />}
          </More>
        </Panel>
      </div>
    </>
  );
}

function Spread({ graph, longest }: { graph: RuntimeGraph; longest: number }) {
  const dots = useMemo(() => dotsOf(graph, longest), [graph, longest]);
  const values = graph.per_rank.map((item) => item.ns);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const at = (value: number) => `${longest ? (100 * value) / longest : 0}%`;
  const find = (rank: number) => graph.per_rank.find((item) => item.rank === rank);
  const [slow, fast] = [find(graph.slowest), find(graph.fastest)];
  return (
    <div class="spread">
      <div class="name cutoff">
        {slow ? <RankCompile rank={graph.slowest} id={slow.compile} /> : `graph ${graph.index}`}{" "}
        <span class="muted mono wide">{slow?.graph}</span>
      </div>
      <div
        class="line"
        role="img"
        aria-label={`from ${ns(low)} on rank ${graph.fastest} to ${ns(high)} on rank ${graph.slowest}`}
      >
        <i class="range" style={{ left: at(low), width: `${longest ? (100 * (high - low)) / longest : 0}%` }} />
        {dots.map((dot) => (
          <i
            key={dot.place}
            class={`dot ${dot.ns === high && high > low ? "slow" : dot.ns === low && high > low ? "fast" : ""}`}
            style={{
              left: at(dot.ns),
              ...(dot.ranks.length > 1
                ? { transform: `scale(${Math.min(1.6, 1 + Math.log10(dot.ranks.length) / 4)})` }
                : {}),
            }}
            title={`${ns(dot.ns)}: ${dot.ranks.length === 1 ? "rank" : "ranks"} ${ranges(dot.ranks)}`}
          />
        ))}
      </div>
      <div class="num">
        {graph.spread_ns > 0 ? (
          <>
            <b>{ns(graph.spread_ns)}</b> <span class="muted">{percent(graph.spread_ns, high)}</span>
          </>
        ) : (
          <span class="muted">✓ even</span>
        )}
      </div>
      {graph.spread_ns > 0 && (
        <div class="who">
          <span class="s-error">▲ slowest: rank {graph.slowest}</span>, {ns(slow?.ns ?? high)} ·{" "}
          <span class="s-ok">▼ fastest: rank {graph.fastest}</span>, {ns(fast?.ns ?? low)}
        </div>
      )}
    </div>
  );
}

function dotsOf(graph: RuntimeGraph, longest: number): { place: number; ns: number; ranks: number[] }[] {
  const dots = new Map<number, { place: number; ns: number; ranks: number[] }>();
  for (const item of graph.per_rank) {
    const place = longest ? Math.round((PLACES * item.ns) / longest) : 0;
    const dot = dots.get(place);
    if (dot) {
      dot.ranks.push(item.rank);
      // The ends of the range keep their own value, so that they are marked as what they are.
      if (item.rank === graph.slowest || item.rank === graph.fastest) dot.ns = item.ns;
    } else dots.set(place, { place, ns: item.ns, ranks: [item.rank] });
  }
  return [...dots.values()];
}

function ns(value: number): string {
  return value > 0 && value < 1000 ? `${value < 10 ? value.toFixed(1) : value.toFixed(0)}\u00a0ns` : time(value / 1000);
}

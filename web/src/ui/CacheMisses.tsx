import { capital, count, plural } from "../lib/text";
import { type Rank, rankName } from "../store/ranks";
import type { CacheMissCause, Finding, Report } from "../store/report";
import { FindingItem } from "./FindingItem";
import { More, Panel } from "./page";
import { toRankCompile } from "./RanksParts";

const CHIPS = 6;

/** Why the caches of ranks, or of one of several runs, missed what other logs have. */
export function CacheMisses({ report, of }: { report: Report; of?: Rank }) {
  const all = report.cache_misses;
  const list = (all?.list ?? []).filter((cause) => !of || cause.run === of.dir);
  const ranks = report.ranks ?? [];
  if (!list.length) return null;
  return (
    <Panel title="Cache misses" note={plural(list.length, "cause")} class="cache-misses">
      <More items={list} step={4}>
        {(cause) => (
          <div class="rank-finding" key={`${cause.cache} ${cause.title}`}>
            <FindingItem finding={asFinding(cause)} />
            <div class="who">
              {cause.misses.slice(0, CHIPS).map((miss) => {
                const rank = ranks.find((one) => one.dir === miss.dir);
                const number = (of?.members?.find((one) => one.dir === miss.dir) ?? rank)?.rank ?? null;
                return (
                  <a
                    key={`${miss.dir} ${miss.compile}`}
                    class="mono"
                    href={toRankCompile(miss.dir, miss.compile)}
                    title={rank && rankName(rank)}
                  >
                    {number === null ? "" : `rank ${number} `}[{miss.compile}]
                  </a>
                );
              })}
              {cause.count > 1 && cause.time_us ? <span class="muted">{count(cause.count)} misses</span> : null}
              {cause.count > CHIPS && <span class="muted">{count(cause.count - CHIPS)} more</span>}
            </div>
          </div>
        )}
      </More>
      {all!.more > 0 && (
        <p class="pad muted">
          {plural(all!.more, "more miss", "more misses")}
          {of ? " of all runs" : ""} in report.json
        </p>
      )}
    </Panel>
  );
}

const asFinding = (cause: CacheMissCause): Finding => ({
  kind: "cache_miss",
  severity: "info",
  impact: "compile_time",
  cost: "compile_time",
  title: capital(cause.title),
  why: cause.why,
  advice: null,
  place: null,
  time_us: cause.time_us,
  compiles: [],
  link: null,
});

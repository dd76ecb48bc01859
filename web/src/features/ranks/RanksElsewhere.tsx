// Where the logs are that a report which was made from facts has no report of.
import { count, plural } from "../../lib/text";
import { ranges, type Rank, rankName } from "../../store/ranks";
import { CopyButton } from "../../ui/text";
import { Panel } from "../../ui/page";

/** The log of the rank that was asked for, or else how many logs are not here. `asked`: the folder that its report would have. */
export function RanksElsewhere({ ranks, asked }: { ranks: readonly Rank[]; asked: string | undefined }) {
  const away = ranks.filter((rank) => rank.elsewhere);
  const one = away.find((rank) => rank.dir === asked);
  if (one) return <OneElsewhere rank={one} />;
  if (!away.length) return null;
  const here = ranks.filter((rank) => !rank.elsewhere && rank.status !== "bad");
  const numbers = here.flatMap((rank) => rank.rank ?? []);
  const wanted = away.filter((rank) => rank.elsewhere!.wanted);
  return (
    <>
      <p class="pad muted">
        Made from the facts of {plural(ranks.length, "log")}.{" "}
        {here.length === 0
          ? "No rank has a full report."
          : `${here.length === 1 ? "Rank" : "Ranks"} ${numbers.length ? ranges(numbers) : count(here.length)} ${here.length === 1 ? "has" : "have"} a full report.`}
      </p>
      {wanted.length > 0 && <Wanted ranks={wanted} />}
    </>
  );
}

const LISTED = 8;

/** The logs to fetch first. */
function Wanted({ ranks }: { ranks: readonly Rank[] }) {
  return (
    <Panel title="Logs to fetch" note={plural(ranks.length, "log")} class="elsewhere">
      <div class="pad">
        <p>The logs of these ranks, which represent the others or were asked for, could not be read:</p>
        <ul class="plainlist">
          {ranks.slice(0, LISTED).map((rank) => (
            <li key={rank.dir}>
              {rankName(rank)}: <Place rank={rank} />
            </li>
          ))}
        </ul>
        {ranks.length > LISTED && <p class="muted">and {count(ranks.length - LISTED)} more</p>}
        <p>
          Copy them to a folder, and merge again with <code>--logs DIR</code>.
        </p>
      </div>
    </Panel>
  );
}

/** "host: path", with a button that copies the path. */
function Place({ rank }: { rank: Rank }) {
  const { host, paths } = rank.elsewhere!;
  return (
    <>
      {host && <span class="mono">{host}: </span>}
      <span class="mono wrap">{paths[0]}</span> {paths[0] && <CopyButton text={paths[0]} />}
      {paths.length > 1 && <span class="muted"> and {plural(paths.length - 1, "further file")}</span>}
    </>
  );
}

function OneElsewhere({ rank }: { rank: Rank }) {
  const { host, paths } = rank.elsewhere!;
  return (
    <Panel title={`No report of ${rankName(rank)}`} class="elsewhere">
      <div class="pad">
        <p>
          This page was made from facts. Then, the log was
          {host ? (
            <>
              {" "}
              on <span class="mono">{host}</span>
            </>
          ) : (
            ""
          )}
          :
        </p>
        <ul class="plainlist">
          {paths.slice(0, 16).map((path) => (
            <li key={path}>
              <span class="mono wrap">{path}</span> <CopyButton text={path} />
            </li>
          ))}
        </ul>
        {rank.rank !== null && (
          <p>
            For its report, merge again with <code>--full {rank.rank}</code>, and with <code>--logs DIR</code> if the
            log is not at this path but in a folder DIR.
          </p>
        )}
      </div>
    </Panel>
  );
}

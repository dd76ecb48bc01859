// Where the logs are that a report which was made from facts has no report of.
import { count, plural } from "../../lib/format";
import { rankName, ranges } from "../../store/rank-names";
import type { Rank } from "../../store/ranks";
import { CopyButton } from "../../ui/CopyButton";
import { Panel } from "../../ui/Panel";

/** The log of the rank that was asked for, or else how many logs are not here. `asked`: the folder that its report would have. */
export function RanksElsewhere({ ranks, asked }: { ranks: readonly Rank[]; asked: string | undefined }) {
  const away = ranks.filter((rank) => rank.elsewhere);
  const one = away.find((rank) => rank.dir === asked);
  if (one) return <OneElsewhere rank={one} />;
  if (!away.length) return null;
  const here = ranks.filter((rank) => !rank.elsewhere && rank.status !== "bad");
  const numbers = here.flatMap((rank) => rank.rank ?? []);
  return (
    <p class="pad muted">
      Made from the facts of {plural(ranks.length, "log")}.{" "}
      {here.length === 0
        ? "No rank has a full report."
        : `${here.length === 1 ? "Rank" : "Ranks"} ${numbers.length ? ranges(numbers) : count(here.length)} ${here.length === 1 ? "has" : "have"} a full report.`}
    </p>
  );
}

function OneElsewhere({ rank }: { rank: Rank }) {
  const { host, paths } = rank.elsewhere!;
  const command = `tlparse merge *.facts --full ${rank.rank ?? "none"} --logs DIR`;
  return (
    <Panel title={`The log of ${rankName(rank)} is not here`} class="elsewhere">
      <div class="pad">
        <p>
          This report was made from facts. The log is
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
            Copy it to a folder, and make its report: <code>{command}</code>
          </p>
        )}
      </div>
    </Panel>
  );
}

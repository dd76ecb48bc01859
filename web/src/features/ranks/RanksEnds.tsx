import { time } from "../../lib/text";
import type { RankEnd } from "../../store/ranks";
import type { Report } from "../../store/report";
import { Panel, Table } from "../../ui/page";
import { PlaceText } from "../../ui/text";
import { RankChip, RankCompile } from "../../ui/RanksParts";

/** Where the logs end: which rank is inside what, and how long before the last event of all. */
export function RanksEnds({ report }: { report: Report }) {
  const ends = report.rank_ends ?? [];
  if (!ends.some((end) => !end.finished)) return null;
  return (
    <Panel title="Unfinished logs" class="ranks-ends">
      <Table
        class="plain-table"
        head={["Ranks", "Last open span", "Compile", "Function", ["num", "Compile open for"], ["num", "Last event"]]}
      >
        {ends.map((end, i) => (
          <tr key={i}>
            <td>
              <RankChip ranks={end.ranks} place={i} limit={6} />
            </td>
            <td>
              {end.finished ? <span class="muted">none: compiles finished</span> : <span class="mono">{end.name}</span>}
            </td>
            <td>{end.compile ? <RankCompile rank={end.ranks[0]!} id={end.compile} /> : "–"}</td>
            <td>{end.place ? <PlaceText place={end.place} /> : "–"}</td>
            <td class="num">{openFor(end)}</td>
            <td class="num">
              {end.before_end_us > 0 ? (
                <>
                  {end.ranks.length > 1 && "up to "}
                  {time(end.before_end_us)} earlier
                </>
              ) : (
                "latest"
              )}
            </td>
          </tr>
        ))}
      </Table>
      <p class="pad muted">
        A compile is open from its first event to the last event of its log. Last events are compared by the clocks of
        the hosts, which may differ.
      </p>
    </Panel>
  );
}

function openFor({ open_least_us: least, open_most_us: most }: RankEnd): string {
  if (least === null || least === undefined || most === null || most === undefined) return "–";
  return time(least) === time(most) ? time(most) : `${time(least)} to ${time(most)}`;
}

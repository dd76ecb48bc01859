// What pages about a whole run have at the side: its versions, the files of the report.
import { inside, withSearch } from "../lib/address";
import type { Report } from "../store/report";
import { type Fact, Panel } from "./page";

/** What the run was made with. `unknown` is shown for a missing version that every run has. */
export function versionFacts(run: Report["run"], unknown = "–"): Fact[] {
  return [
    ["torch", run.torch ? <span class="mono">{run.torch}</span> : unknown],
    [
      "python",
      run.python ? (
        <span class="mono" title={run.python}>
          {run.python.split(" ")[0]}
        </span>
      ) : (
        unknown
      ),
    ],
    ["cuda", <span class="mono">{run.cuda || "–"}</span>],
    ["triton", <span class="mono">{run.triton || "–"}</span>],
    ...(run.device ? [["device", <span class="mono">{run.device}</span>] as Fact] : []),
  ];
}

/** The files of the report by these names; nothing where none of them can be opened. */
export function FileLinks({ names }: { names: readonly string[] }) {
  const listed = names.filter((name) => inside(name));
  if (!listed.length) return null;
  return (
    <Panel title="Files">
      <ul class="plainlist">
        {listed.map((name) => (
          <li key={name}>
            <a class="mono" href={withSearch(inside(name)!)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

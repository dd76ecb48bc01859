import type { Report } from "../store/report";
import type { Fact } from "./page";

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

import type { Report } from "../store/types";
import type { Fact } from "./Facts";

/** What the run was made with. */
export function versionFacts(run: Report["run"]): Fact[] {
  return [
    ["torch", <span class="mono">{run.torch ?? "–"}</span>],
    [
      "python",
      <span class="mono" title={run.python ?? ""}>
        {run.python?.split(" ")[0] ?? "–"}
      </span>,
    ],
    ["cuda", <span class="mono">{run.cuda || "–"}</span>],
    ["triton", <span class="mono">{run.triton || "–"}</span>],
  ];
}

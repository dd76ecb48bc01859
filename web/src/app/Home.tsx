import { isLanding } from "../store/ranks";
import { isRuns } from "../store/runs";
import { Overview } from "../features/overview/Overview";
import { Ranks } from "../features/ranks/Ranks";
import { Runs } from "../features/runs/Runs";
import { type PageProps, useStore } from "../ui/page";

/** What `#/` shows: of one log its overview, of several their ranks, or how one run became another. */
export function Home({ at }: PageProps) {
  return isLanding(useStore().report) ? <AllRanks at={at} /> : <Overview />;
}

/** All logs of a report of several: ranks of one job, or runs. */
export function AllRanks({ at }: PageProps) {
  return isRuns(useStore().report) ? <Runs at={at} /> : <Ranks at={at} />;
}

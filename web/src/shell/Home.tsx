import { isLanding } from "../data/ranks";
import { Overview } from "../rooms/Overview";
import { Ranks } from "../rooms/Ranks";
import { useStore } from "./context";
import type { RoomProps } from "./rooms";

/** What `#/` shows: of one log its overview, of several their ranks, or how one run became another. */
export function Home({ at }: RoomProps) {
  return isLanding(useStore().report) ? <Ranks at={at} /> : <Overview />;
}

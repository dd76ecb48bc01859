import { useTitle } from "../base/hooks";
import type { RoomProps } from "../shell/rooms";
import { StackFlame } from "./StackFlame";
import { StacksHead } from "./StacksHead";
import { StackTree } from "./StackTree";

/** Where in the program compiles start: the stacks of dynamo_start, merged. */
export function Stacks({ at }: RoomProps) {
  useTitle("Stacks");
  if (at.query.view !== "flame") return <StackTree at={at} />;
  return (
    <>
      <StacksHead at={at} />
      <StackFlame q={at.query.q} framework={at.query.fw === "1"} at={at.query.n} />
    </>
  );
}

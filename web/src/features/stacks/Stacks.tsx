import { useTitle } from "../../lib/hooks";
import type { PageProps } from "../../ui/page";
import { StackFlame } from "./StackFlame";
import { StacksHead } from "./StacksHead";
import { StackTree } from "./StackTree";
import { UnattributedStacks } from "./UnattributedStacks";

/** Where in the program compiles start: the stacks of dynamo_start, merged; and the stacks of records that belong to no compile id. */
export function Stacks({ at }: PageProps) {
  useTitle("Stacks");
  if (at.query.view === "unattributed")
    return (
      <>
        <StacksHead at={at} />
        <UnattributedStacks q={at.query.q} />
      </>
    );
  if (at.query.view !== "flame") return <StackTree at={at} />;
  return (
    <>
      <StacksHead at={at} />
      <StackFlame q={at.query.q} framework={at.query.fw === "1"} at={at.query.n} />
    </>
  );
}

import { address, type Address, ownFolder, toReport } from "../lib/address";
import { useStore } from "../ui/page";

/** On the page of one rank: the way to all ranks, and from a compile to the same one of another rank. */
export function Up({ at }: { at: Address }) {
  const { run } = useStore().report;
  if (run.parent !== "..") return null;
  const dir = ownFolder();
  const id = at.path[0] === "c" ? at.path[1] : undefined;
  const to = (hash: string) => toReport("../", hash);
  return (
    <ul class="up unmarked">
      <li>
        <a href={to(address(["ranks", "all"]))}>{run.rank === null ? "↑ All logs" : "↑ All ranks"}</a>
      </li>
      {id && dir && (
        <li>
          <a
            href={to(address(["ranks", "diff"], { a: dir, id }))}
            title="The same compile of another log beside this one"
          >
            {run.rank === null ? "⇄ Diff with a log" : "⇄ Diff with a rank"}
          </a>
        </li>
      )}
    </ul>
  );
}

import { address } from "../../lib/address";
import { time } from "../../lib/format";
import { placed } from "../../lib/packed";
import type { Report } from "../../store/types";
import { Prose } from "../../ui/Prose";

/** One line: what to change first, and where the compile time is explained. */
export function FirstChange({ report }: { report: Report }) {
  const known = report.compile_time;
  if (!known) return null;
  const { first } = known;
  return (
    <p class="first">
      {first && (
        <>
          <b>First:</b>{" "}
          <a href={placed(first.link ?? "#/time")}>
            <Prose text={first.title} />
          </a>
          {first.saves_us ? `, saves at most ${time(first.saves_us)}` : ""}.{" "}
          {first.action && !first.issue && <Prose text={first.action} />}{" "}
        </>
      )}
      <a href={address(["time"])}>Compile time explained</a>
    </p>
  );
}

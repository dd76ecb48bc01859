import { address } from "../../lib/address";
import { time } from "../../lib/text";
import { placed } from "../../lib/packed";
import type { Report } from "../../store/report";
import { Prose } from "../../ui/text";

const PARTS = 3;

/** One line: what to change first, or else where most of the time goes, and where the compile time is explained. */
export function FirstChange({ report }: { report: Report }) {
  const known = report.compile_time;
  if (!known) return null;
  const { first, parts } = known;
  return (
    <p class="first">
      {!first && parts.length > 0 && (
        <>
          <b>Most of the time:</b>{" "}
          <Prose
            text={parts
              .slice(0, PARTS)
              .map((part) => `${part.title} ${time(part.time_us)}`)
              .join(", ")}
          />
          .{" "}
        </>
      )}
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

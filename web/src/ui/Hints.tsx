import { outside } from "../lib/urls";
import type { Finding } from "../store/types";
import { Prose } from "./Prose";

interface Props {
  /** Of the finding that explains it. */
  finding: Pick<Finding, "advice" | "evidence" | "expected"> | undefined;
  hints: readonly string[];
  id: string | null;
  url: string | null;
}

const plain = (text: string): string => text.replace(/[`.\s]/g, "");

/** What to do: the finding's fix, PyTorch's other hints, and its page about them. */
export function Hints({ finding, hints, id, url }: Props) {
  const page = outside(url);
  const others = hints.filter((hint) => plain(hint) !== plain(finding?.advice ?? ""));
  return (
    <>
      {finding?.advice && <Fix finding={finding} />}
      {others.length > 0 && finding?.advice && <p class="muted">PyTorch's hints, as they are in the log:</p>}
      {others.length > 0 && (
        <ul class="hints">
          {others.map((hint, k) => (
            <li key={k}>
              <Prose text={hint} />
            </li>
          ))}
        </ul>
      )}
      {page && (
        <p>
          <a href={page} rel="noreferrer noopener" target="_blank">
            {id ?? "Graph break"} in PyTorch's documentation
          </a>
        </p>
      )}
    </>
  );
}

export function Fix({ finding }: { finding: Props["finding"] }) {
  if (!finding?.advice) return null;
  return (
    <p class="advice">
      <b>{finding.expected ? "Note:" : "Fix:"}</b> <Prose text={finding.advice} copy />
      {finding.evidence && (
        <span class="muted evidence">
          Evidence: <Prose text={finding.evidence} />
        </span>
      )}
    </p>
  );
}

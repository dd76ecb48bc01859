// One line of a failure: what was raised, where PyTorch's first line does not say it.
import { firstLine } from "../lib/format";

/** The first line of a reason, with the exception that it only announces. */
export function failureLine(reason: string, limit: number): string {
  const lines = reason
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const first = lines[0] ?? "";
  if (first.endsWith(":") && lines[1]) return firstLine(`${first} ${lines[1]}`, limit);
  const raised = lines
    .map(
      (line) =>
        /^Developer debug context: raised exception (.+)$/.exec(line)?.[1] ??
        /^Explanation: .* with fake tensors: .*: got (.+)$/.exec(line)?.[1],
    )
    .find(Boolean);
  return firstLine(raised ? `${first}: ${raised}` : first, limit);
}

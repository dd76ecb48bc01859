import { count, plural, time } from "../../lib/text";
import type { KernelChoice } from "../../store/generated/report";
import { CompileChip } from "../../ui/compile";

/** "triton_mm_3, 4.96 µs, fastest of 22 candidates (20 from Triton templates) for addmm 256x256, …", and its configuration. */
export function KernelChoiceText({ choice }: { choice: KernelChoice }) {
  return (
    <>
      <span class="mono">{choice.winner}</span>
      {choice.time_ns !== null && `, ${time(choice.time_ns / 1000)}`}, fastest of{" "}
      {plural(choice.candidates, "candidate")} ({count(choice.triton)} from Triton templates) for{" "}
      <span class="mono">{choice.operation}</span> {choice.shape}
      {choice.config && <div class="mono">{choice.config}</div>}
    </>
  );
}

/** The choices of all compiles. */
export function KernelChoices({ choices }: { choices: readonly KernelChoice[] }) {
  return (
    <details class="choices">
      <summary>{plural(choices.length, "kernel")} chosen by benchmarks</summary>
      <ul>
        {choices.map((choice, i) => (
          <li key={i}>
            <CompileChip id={choice.compile} /> <KernelChoiceText choice={choice} />
          </li>
        ))}
      </ul>
    </details>
  );
}

import { plural } from "../../lib/text";
import type { StackFrame } from "../../store/report";
import { StackList } from "../../ui/text";

export function Stack({ title, frames, open = false }: { title: string; frames: StackFrame[]; open?: boolean }) {
  if (!frames.length) return null;
  return (
    <details open={open && frames.length <= 6}>
      <summary>
        {title}, {plural(frames.length, "frame")}
      </summary>
      <StackList frames={frames} />
    </details>
  );
}

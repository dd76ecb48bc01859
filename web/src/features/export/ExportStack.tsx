import { plural } from "../../lib/format";
import type { StackFrame } from "../../store/types";
import { StackList } from "../../ui/StackList";

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

import { useState } from "preact/hooks";
import { plural } from "../lib/format";
import type { StackFrame } from "../store/types";
import { isLibrary } from "../store/findings";
import { PlaceText } from "./PlaceText";

/** The frames of a stack, the innermost last as Python prints them. Frames of libraries are left out at first. */
export function StackList({ frames }: { frames: readonly StackFrame[] }) {
  const [all, setAll] = useState(false);
  const own = frames.filter((frame) => !isLibrary(frame));
  const hidden = frames.length - own.length;
  const shown = all || !own.length ? frames.slice(-200) : own.slice(-60);
  if (!frames.length) return null;
  return (
    <div class="stacklist">
      <ol>
        {shown.map((frame, i) => (
          <li key={i} class={isLibrary(frame) ? "framework" : ""}>
            <PlaceText place={{ ...frame, line: frame.line ?? 0 }} />
            {frame.code && <code>{frame.code}</code>}
          </li>
        ))}
      </ol>
      {hidden > 0 && own.length > 0 && (
        <button type="button" class="plain link" onClick={() => setAll(!all)}>
          {all ? "own frames only" : `${plural(hidden, "library frame")}`}
        </button>
      )}
    </div>
  );
}

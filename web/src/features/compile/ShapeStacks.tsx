// Where a symbol, a specialization or a guard of shapes comes from.
import { isLibrary } from "../../store/findings";
import { stackFrames, type ShapeGuard, type Shapes, type ShapeWhere } from "../../store/shapes";
import type { StackFrame } from "../../store/report";
import { PlaceText, StackList } from "../../ui/text";

/** The innermost line of the user. The last frames of a whole stack are those of the logger, so a stack of libraries alone says no place. */
export const placeOf = (user: readonly StackFrame[], all: readonly StackFrame[]): StackFrame | undefined =>
  user.at(-1) ?? all.findLast((frame) => !isLibrary(frame));

/** The user's line at once; both stacks on demand. */
export function FoldedStacks({ shapes, where }: { shapes: Shapes; where: ShapeWhere }) {
  const user = stackFrames(shapes.stacks, where.user_stack);
  const all = stackFrames(shapes.stacks, where.stack);
  const last = placeOf(user, all);
  if (!last && !all.length) return <span class="muted">no stack in the log</span>;
  return (
    <details class="stacks">
      <summary>
        {last ? <PlaceText place={last} limit={50} /> : "stack without user code"}{" "}
        {last?.code && <code class="muted">{last.code}</code>}
      </summary>
      {user.length > 0 && (
        <>
          <h3>User stack</h3>
          <StackList frames={user} />
        </>
      )}
      {all.length > 0 && (
        <>
          <h3>Whole stack</h3>
          <StackList frames={all} />
        </>
      )}
    </details>
  );
}

export function ShapeGuardRow({ guard, shapes }: { guard: ShapeGuard; shapes: Shapes }) {
  return (
    <div class="row flexrow">
      <code class="code">{guard.expr}</code>
      <FoldedStacks shapes={shapes} where={guard} />
    </div>
  );
}

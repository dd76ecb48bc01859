import type { Store } from "../../store/store";
import type { Compile } from "../../store/report";

interface Props {
  left: Store;
  right: Store;
  a: Compile;
  b: Compile;
  names: readonly [string, string];
}

/** What one must know of two compiles that are compared: that they are of different functions, or of one function under different ids. */
export function DiffNotice({ left, right, a, b, names }: Props) {
  const [one, other] = [a.frame?.function ?? null, b.frame?.function ?? null];
  const id = (store: Store, compile: Compile) => <b class="mono">{store.name(compile.key)}</b>;
  if (one !== null && other !== null && (one !== other || baseOf(a) !== baseOf(b)))
    return (
      <div class="notice">
        Different functions: {names[0]} compiled <span class="mono">{one}</span> as {id(left, a)}, {names[1]} compiled{" "}
        <span class="mono">{other}</span> as {id(right, b)}.
      </div>
    );
  if (a.id === b.id && a.generation === b.generation) return null;
  return (
    <div class="notice">
      Different ids: {names[0]} compiled <span class="mono">{one ?? "this function"}</span> as {id(left, a)}, {names[1]}{" "}
      as {id(right, b)}.
    </div>
  );
}

const baseOf = (compile: Compile): string => (compile.frame?.file ?? "").split("/").at(-1)!;

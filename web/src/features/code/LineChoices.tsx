// Which of the compiles that have the line, and which of its graphs, the panes show.
import { replaceQuery } from "../../lib/address";
import { count, plural } from "../../lib/text";
import { useStore } from "../../ui/page";
import type { FoundLine } from "./useLine";

export function LineChoices({ found: { opened, key: shown, nth, compiles } }: { found: FoundLine }) {
  const { keys, more } = compiles;
  const store = useStore();
  if (shown === undefined) return null;
  const all = keys.includes(shown) ? keys : [shown, ...keys];
  return (
    <>
      {all.length > 1 ? (
        <select
          aria-label="Compile"
          value={shown}
          title={more === null ? "Compiles with this line" : `${plural(keys.length + more, "compile")} with this line`}
          onChange={(event) => replaceQuery({ compile: event.currentTarget.value, graph: null, pick: null })}
        >
          {all.map((key) => (
            <option key={key} value={key}>
              {store.name(key)}
            </option>
          ))}
          {more !== 0 && <option disabled>{more === null ? "perhaps more" : `${count(more)} more`}</option>}
        </select>
      ) : (
        <span class="chip mono">{store.name(shown)}</span>
      )}
      {opened && opened.graphs.length > 1 && (
        <select
          aria-label="Graph"
          value={`${nth}`}
          onChange={(event) => replaceQuery({ graph: event.currentTarget.value, pick: null })}
        >
          {opened.graphs.map(({ name }, i) => (
            <option key={i} value={`${i}`}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

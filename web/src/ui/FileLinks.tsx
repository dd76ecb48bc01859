import { inside, withSearch } from "../lib/urls";
import { Panel } from "./page";

/** The files of the report by these names; nothing where none of them can be opened. */
export function FileLinks({ names }: { names: readonly string[] }) {
  const listed = names.filter((name) => inside(name));
  if (!listed.length) return null;
  return (
    <Panel title="Files">
      <ul class="filelinks">
        {listed.map((name) => (
          <li key={name}>
            <a class="mono" href={withSearch(inside(name)!)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

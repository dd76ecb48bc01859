// What lines of source cost, as a list; and one line with what became of it, side by side.
import type { PageProps } from "../../ui/page";
import { CodeList } from "./CodeList";
import { LinePage } from "./LinePage";

export function CodePage({ at }: PageProps) {
  return at.path[1] === "line" ? <LinePage at={at} /> : <CodeList at={at} />;
}

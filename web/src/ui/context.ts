import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { codeTitle, codeUrl } from "../store/source-link";
import type { Store } from "../store/store";

const Context = createContext<Store | null>(null);
export const StoreProvider = Context.Provider;

/** The attributes of a link to the code of a place; null if there is no link. */
export function useCodeLink(place: { file: string | null; line: number | null } | null | undefined): object | null {
  const link = useContext(Context)?.report.source_link;
  const href = place ? codeUrl(link, place.file, place.line) : null;
  return href === null ? null : { href, title: `${place!.file}:${place!.line ?? "?"}${codeTitle(link)}`, ...OUTSIDE };
}
const OUTSIDE = { target: "_blank", rel: "noopener noreferrer" };

export function useStore(): Store {
  const store = useContext(Context);
  if (!store) throw new Error("no report");
  return store;
}

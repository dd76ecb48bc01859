import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Store } from "../store/store";

const Context = createContext<Store | null>(null);
export const StoreProvider = Context.Provider;

export function useStore(): Store {
  const store = useContext(Context);
  if (!store) throw new Error("no report");
  return store;
}

// The reports below this one, of ranks or of runs, as they are asked for.
import { Lru } from "../lib/lru";
import { loadReport, Store } from "./store";

/** Those that were looked at last; a summary may be megabytes. */
const stores = new Lru<Promise<Store>>(6);

/** The report in the folder `dir`; "" is the one where we are. */
export function storeOf(own: Store, dir: string): Promise<Store> {
  if (!dir) return Promise.resolve(own);
  const held = stores.get(dir);
  if (held) return held;
  const made = loadReport(`${dir}/`).then((report) => new Store(report, `${dir}/`));
  stores.set(dir, made, 1);
  made.catch(() => stores.delete(dir));
  return made;
}

// Parts of the report's data: scripts that call tl.put(). fetch() is refused on file://, script tags are not.
import { root, withSearch } from "../base/urls";
import { gunzip } from "./gunzip";

/** What was put and not yet taken. A script may carry several parts; only those that are asked for are unpacked. */
const arrived = new Map<string, string>();
const loading = new Map<string, Promise<void>>();

export class PartMissing extends Error {
  constructor(readonly file: string) {
    super(`${file} could not be loaded: was the whole folder copied?`);
  }
}

export function put(key: string, base64: string): void {
  arrived.set(key, base64);
}

/** The bytes of a part; `file` is asked for unless the part is there already. */
export async function part(key: string, file: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!arrived.has(key)) await loadScript(`${root()}data/${encodeURIComponent(file)}`, `data/${file}`);
  const base64 = arrived.get(key);
  if (base64 === undefined) throw new PartMissing(`data/${file}`);
  arrived.delete(key);
  try {
    return await gunzip(base64);
  } catch {
    throw new Error(`data/${file} is damaged: it cannot be unpacked`);
  }
}

/** Loads a script once at a time; a failed one may be tried again. */
export function loadScript(url: string, name: string): Promise<void> {
  const before = loading.get(url);
  if (before) return before;
  const promise = new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = withSearch(url);
    script.onload = () => resolve();
    script.onerror = () => reject(new PartMissing(name));
    document.head.append(script);
    const done = () => {
      script.remove();
      loading.delete(url);
    };
    script.addEventListener("load", done);
    script.addEventListener("error", done);
  });
  loading.set(url, promise);
  return promise;
}

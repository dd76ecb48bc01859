// Parts of the report's data: scripts that call tl.put(). fetch() is refused on file://, script tags are not.
import { packed, packedText, shownReport } from "./packed";
import { renewal } from "./renewal";
import { encodePath, root, withSearch } from "./address";
import { unzstd } from "./zstd";

/** What was put and not yet taken, by folder of the report and key. A script may carry several parts; only those that are asked for are unpacked. */
const arrived = new Map<string, string>();
const loading = new Map<string, Promise<void>>();

export class PartMissing extends Error {
  constructor(readonly file: string) {
    super(`${file} could not be loaded: was the whole folder copied?`);
  }
}

/** The parts of several reports have the same keys: the script that is running says whose part it is. */
export function put(key: string, base64: string): void {
  const script = document.currentScript;
  const src = script instanceof HTMLScriptElement ? script.src : "";
  arrived.set(placeOf(src || absolute(dataUrl("", "x")), key), base64);
}

/** The bytes of a part; `file` is asked for unless the part is there already. `base` is the way to another report: "rank_3/". */
export async function part(key: string, file: string, base = ""): Promise<Uint8Array<ArrayBuffer>> {
  const here = packed();
  if (here) return here.bytes(`${shownReport()}${base}data/${key}`);
  const url = live(dataUrl(base, file));
  const place = placeOf(absolute(url), key);
  if (!arrived.has(place)) await loadScript(url, `${base}data/${file}`);
  const base64 = arrived.get(place);
  if (base64 === undefined) throw new PartMissing(`${base}data/${file}`);
  arrived.delete(place);
  try {
    return unzstd(base64);
  } catch {
    throw new Error(`${base}data/${file} is damaged: it cannot be unpacked`);
  }
}

function dataUrl(base: string, file: string): string {
  return `${root()}${encodePath(base)}data/${encodeURIComponent(file)}`;
}

/** A report that was renewed has the same files: the address says which one is meant. */
function live(url: string): string {
  return renewal() ? `${url}?live=${renewal()}` : url;
}

/** As the browser reports it in script.src. A page without an address of its own (blob:) has no other reports either. */
function absolute(url: string): string {
  return URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).href : url;
}

/** The folder of a script's address, the report's number if it was renewed, and the key. */
function placeOf(src: string, key: string): string {
  const path = src.replace(/[?#].*$/, "");
  return `${path.slice(0, path.lastIndexOf("/"))} ${/[?&](live=\d+)/.exec(src)?.[1] ?? ""} ${key}`;
}

/** Loads a script once at a time; a failed one may be tried again. */
export function loadScript(url: string, name: string): Promise<void> {
  if (packed()) return runPacked(name);
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

/** Runs a script of the file that holds the report: the page's policy has its hash. */
async function runPacked(name: string): Promise<void> {
  const script = document.createElement("script");
  script.textContent = await packedText(name);
  document.head.append(script);
  script.remove();
}

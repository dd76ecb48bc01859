// The report within one file (`tlparse share`): src/one/loader.ts unpacks it, and all other code asks here. In the folder of a report there is none.

/** Paths are those of a report's folder: "assets/app.css", "rank_1/provenance_tracking_-_0_0_0.html". A part of the data has its key as its name:
 *  "data/compiles/0", "rank_1/data/report". */
export interface Packed {
  /** what a style element needs that the page's Content-Security-Policy does not name: the editor's */
  nonce: string;
  /** the folders of the reports in the file: "" and, below it, "rank_1/" */
  reports: readonly string[];
  /** folders of reports that were left out, because the file would have become too large */
  left: readonly string[];
  /** what was removed: "paths, code"; "" if nothing was */
  redacted: string;
  /** what a redacted report still has, as a list of phrases */
  stays: string;
  has(path: string): boolean;
  bytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

declare global {
  interface Window {
    tlPacked?: Packed;
  }
}

/** A standalone page is in a frame of the file's own page. */
export const isFramed = (): boolean =>
  typeof window !== "undefined" && window !== window.parent && document.URL.startsWith("about:srcdoc");

function find(): Packed | null {
  if (typeof window === "undefined") return null; // a worker
  return window.tlPacked ?? (isFramed() ? window.parent.tlPacked : undefined) ?? null;
}

const found: Packed | null = find();
export const packed = (): Packed | null => found;
export const isRedacted = (): boolean => !!found?.redacted;
/** Whether the texts of artifacts are shapes, which nothing may be read from. */
export const hasShapes = (): boolean => !!found?.redacted.split(", ").includes("code");

export const packedText = async (path: string): Promise<string> => new TextDecoder().decode(await found!.bytes(path));

const hasSeveral = (): boolean => found !== null && found.reports.length + found.left.length > 1;

/** The folder of the report that is shown, "" or "rank_1/". Addresses name it if the file has several: `#/@rank_1/c/0%2F0`, `#/@/ranks`. It is the same
 *  until the page is loaded again, as for reports in folders: nothing kept in memory is of another report. */
const shown = (found && reportOf((isFramed() ? window.parent : window).location.hash)) ?? "";
export const shownReport = (): string => shown;

/** The folder that an address names; null if it names none. */
function reportOf(hash: string): string | null {
  const name = /^#\/@([^/?]*)/.exec(hash)?.[1];
  if (name === undefined || !hasSeveral()) return null;
  try {
    const folder = decodeURIComponent(name);
    return folder && `${folder}/`;
  } catch {
    return null;
  }
}

/** The address within its report: `#/@rank_1/c/0` is `#/c/0` there. */
export const within = (hash: string): string => hash.replace(/^#\/@[^/?]*\/?/, "#/");

/** The same place in the report of a folder; of the one that is shown if no other is named. */
export function placed(hash: string, folder = shown): string {
  if (!hasSeveral()) return hash;
  return `#/@${encodeURIComponent(folder.replace(/\/$/, ""))}/${within(hash).slice(2)}`;
}

/** The folder at the end of a way from the one that is shown: "rank_1/", "../", "../run_2/". */
export function folderAt(way: string): string {
  const parts = shown.split("/").filter(Boolean);
  for (const part of way.split("/").filter(Boolean)) {
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts.map((part) => `${part}/`).join("");
}

/** Keeps the report in the address, also after a link that names none, and loads the page again for another one. */
export function followReport(): void {
  if (!hasSeveral()) return;
  const follow = () => {
    const asked = reportOf(location.hash);
    if (asked === null) history.replaceState(history.state, "", placed(location.hash.replace(/^#?\/?/, "#/")));
    else if (asked !== shown) location.reload();
  };
  follow();
  addEventListener("hashchange", follow);
}

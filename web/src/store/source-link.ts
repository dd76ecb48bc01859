// Links from places to code on a web server: the template of report.source_link, filled in. The texts of a log cannot choose
// the host or the scheme, nor leave the folder of the code.
import type { SourceLink } from "./generated/report";

export type { SourceLink };

/** The address of a line of a file; null if it is not known where the file is. */
export function codeUrl(
  link: SourceLink | undefined,
  file: string | null | undefined,
  line?: number | null,
): string | null {
  if (!link || !file || !/^https?:\/\/[^/{}]+\//.test(link.template)) return null;
  const root = link.roots.find((folder) => file.startsWith(`${folder}/`));
  if (root === undefined) return null;
  const path = file.slice(root.length + 1);
  const hash = link.hashes && Object.hasOwn(link.hashes, path) ? link.hashes[path]! : "";
  if (path.split("/").some((part) => /^\.{0,2}$/.test(part)) || (link.hashes && !hash)) return null;
  const encoded = path
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  // Without a line, its fragment is left out.
  const template = line ? link.template : link.template.replace(/#[^#]*\{line\}[^#]*$/, "");
  return template.replace(/\{(path|line|hash)\}/g, (_, hole: string) =>
    hole === "path" ? encoded : hole === "hash" ? hash : `${line || 1}`,
  );
}

/** What a link says besides the place. */
export const codeTitle = (link: SourceLink | undefined): string => (link?.commit ? `\ncode of ${link.commit}` : "");

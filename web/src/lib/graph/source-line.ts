import type { Source } from "./model";

/** What a comment without its `#` says of where nodes come from; null for other comments. */
export function sourceOf(body: string, from: number): Source | null {
  const at = body.indexOf("File: ");
  if (at >= 0) {
    const found = /^File: ([^\n]*?):(\d+)(?: in ([^,]*))?(?:, code: ([^\n]*))?/.exec(body.slice(at));
    if (found)
      return {
        from,
        to: from,
        file: found[1]!,
        line: Number(found[2]),
        func: found[3] ?? "",
        code: found[4] ?? "",
        text: body,
        values: [],
      };
  }
  if (!body.startsWith("Topologically Sorted Source Nodes:")) return null;
  return { from, to: from, file: "", line: 0, func: "", code: "", text: body, values: [] };
}

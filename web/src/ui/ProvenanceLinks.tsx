import { withSearch } from "../lib/urls";
import { fileUrl } from "../store/artifact";
import type { Compile } from "../store/report";

/** Links to the compile's standalone provenance pages. */
export function ProvenanceLinks({ compile }: { compile: Compile }) {
  const pages = (compile.provenance ?? []).filter((page) => fileUrl(page));
  return (
    <>
      {pages.map((page) => (
        <a
          key={page}
          class="button"
          href={withSearch(fileUrl(page) ?? "")}
          title="Source lines, graph nodes and generated code side by side"
        >
          Provenance
          {pages.length > 1 && (
            <span class="mono small">&nbsp;{page.replace(/^provenance_tracking_|\.html$/g, "")}</span>
          )}
        </a>
      ))}
    </>
  );
}

import { withSearch } from "../lib/urls";
import { fileUrl } from "../store/artifact";
import type { Compile } from "../store/types";

/** The way to the compile's provenance pages, which are pages of their own. */
export function ProvenanceLinks({ compile }: { compile: Compile }) {
  const pages = compile.provenance ?? [];
  return (
    <>
      {pages.map((page) => (
        <a
          key={page}
          class="button"
          href={withSearch(fileUrl(page) ?? "")}
          title="which lines of the graphs and of the generated code belong together"
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

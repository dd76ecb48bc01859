import { useMemo } from "preact/hooks";
import { plural } from "../../lib/format";
import { useTitle } from "../../lib/hooks";
import { Panel } from "../../ui/Panel";
import { FilterBox, PageHead } from "../../ui/PageHead";
import { Empty } from "../../ui/States";
import { searchHelp, type HelpEntry } from "../../ui/help-registry";
import type { PageProps } from "../../ui/page";

const TITLES: Record<HelpEntry["kind"], string> = {
  term: "Terms",
  page: "Pages",
  artifact: "Artifacts: what the texts of a compile are",
};

/** All that the page says of itself: `#/help?q=guard`. */
export function HelpPage({ at }: PageProps) {
  useTitle("Help");
  const { q } = at.query;
  const found = useMemo(() => searchHelp(q ?? ""), [q]);
  return (
    <>
      <PageHead title="Help" sub={<span aria-live="polite">{plural(found.length, "entry", "entries")}</span>}>
        <FilterBox value={q} label="Find a term, a page, an artifact" />
      </PageHead>
      <div class="room" data-scroll="room">
        {!found.length && (
          <Panel>
            <Empty title="No entry has these words">
              Terms, pages and artifacts are searched by their names and texts.
            </Empty>
          </Panel>
        )}
        {(["term", "page", "artifact"] as const).map((kind) => {
          const items = found.filter((entry) => entry.kind === kind);
          return (
            items.length > 0 && (
              <Panel key={kind} title={TITLES[kind]} note={`${items.length}`}>
                <dl class="glossary">
                  {items.map((entry) => [
                    <dt class={kind === "artifact" ? "mono" : ""}>
                      {kind === "term" ? entry.title : <a href={entry.href}>{entry.title}</a>}
                    </dt>,
                    <dd>{entry.text}</dd>,
                  ])}
                </dl>
              </Panel>
            )
          );
        })}
      </div>
    </>
  );
}

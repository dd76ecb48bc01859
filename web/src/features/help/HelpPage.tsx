import { plural } from "../../lib/text";
import { placed } from "../../lib/packed";
import { useLoaded, useTitle } from "../../lib/hooks";
import { bundle } from "../../lib/tl";
import { type PageProps, Panel, EmptyPanel, Pending } from "../../ui/page";
import { FilterBox, PageHead, QueryLink } from "../../ui/PageHead";
import { Prose } from "../../ui/text";
import type { HelpEntry } from "../../ui/help-registry";

const TITLES: Record<HelpEntry["kind"], string> = {
  term: "Terms",
  page: "Pages",
  artifact: "Artifacts",
};

/** All texts of the help: `#/help?q=guard`. */
export function HelpPage({ at }: PageProps) {
  useTitle("Help");
  const { q } = at.query;
  const loaded = useLoaded(() => bundle("help"), []);
  const found = loaded.state === "ready" ? loaded.value.searchHelp(q ?? "") : [];
  return (
    <>
      <PageHead
        title="Help"
        sub={<span aria-live="polite">{loaded.state === "ready" && plural(found.length, "entry", "entries")}</span>}
      >
        <FilterBox value={q} label="Filter terms, pages, artifacts" />
      </PageHead>
      <div class="room" data-scroll="room">
        <Pending of={loaded} what="the help" />
        {loaded.state === "ready" && !found.length && (
          <EmptyPanel title="No entry matches the filter">
            <QueryLink query={{ q: null }}>Show all</QueryLink>
          </EmptyPanel>
        )}
        {(["term", "page", "artifact"] as const).map((kind) => {
          const items = found.filter((entry) => entry.kind === kind);
          return (
            items.length > 0 && (
              <Panel key={kind} title={TITLES[kind]} note={`${items.length}`}>
                <dl class="glossary">
                  {items.map((entry) => [
                    <dt class={kind === "artifact" ? "mono" : ""}>
                      {kind === "term" ? entry.title : <a href={placed(entry.href)}>{entry.title}</a>}
                    </dt>,
                    <dd>
                      <Prose text={entry.text} />
                    </dd>,
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

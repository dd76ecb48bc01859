import { useEffect, useMemo } from "preact/hooks";
import { count, matches, plural, words } from "../../lib/text";
import { useTitle } from "../../lib/hooks";
import { recompileCount, refusedCount } from "../../store/report";
import { More, type PageProps, useStore, EmptyPanel } from "../../ui/page";
import { FilterBox, PageHead } from "../../ui/PageHead";
import { RecompileChain } from "../../ui/RecompileChain";

const STEP = 40;

export function Recompiles({ at }: PageProps) {
  const { report } = useStore();
  useTitle("Recompiles");
  const { q, n: chosen } = at.query;
  const items = useMemo(
    () =>
      report.recompiles.map((item, n) => ({
        item,
        n,
        text: [
          item.frame?.label,
          item.frame?.function,
          item.frame?.file,
          ...item.chain,
          ...item.causes.map(
            (c) =>
              `${c.guard} ${c.source ?? ""} ${c.subject ?? ""} ${c.place ? `${c.place.file}:${c.place.line}` : ""}`,
          ),
        ]
          .join(" ")
          .toLowerCase(),
      })),
    [report],
  );
  useEffect(() => {
    if (chosen) document.getElementById(`chain-${chosen}`)?.scrollIntoView({ block: "start" });
  }, [chosen]);
  const refused = refusedCount(report);
  const shown = items.filter((entry) => matches(entry.text, words(q)));
  return (
    <>
      <PageHead
        title="Recompiles"
        sub={`${plural(recompileCount(report), "recompile")}${items.length ? ` of ${plural(items.length, "frame")}` : ""}${refused ? `, ${count(refused)} refused` : ""}`}
      >
        <FilterBox value={q} label="Filter frame, guard, id" />
      </PageHead>
      <div class="room" data-scroll="room">
        {!shown.length && (
          <EmptyPanel
            title={
              items.length
                ? "No matching frames"
                : report.compiles.some((compile) => compile.is_compile && compile.frame)
                  ? "✓ No recompiles"
                  : "No recompiles in this log"
            }
          >
            {!items.length && "No frame was compiled twice without a reset between."}
          </EmptyPanel>
        )}
        <More items={shown} step={STEP} at={shown.findIndex((entry) => String(entry.n) === chosen)}>
          {({ item, n }) => <RecompileChain key={n} item={item} n={n} on={chosen === String(n)} />}
        </More>
      </div>
    </>
  );
}

// What each call pays for guards: the compiles with their checks, and what filters would leave of those of one.
import { useMemo } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { useTitle } from "../../lib/hooks";
import { count, matches, plural, time, words } from "../../lib/text";
import { type GuardChecks } from "../../store/guard-checks";
import { compileTimes, profileOf } from "../../store/profile";
import { frameName } from "../../store/report";
import { CompileChip } from "../../ui/compile";
import { type Column, Grid, numbers } from "../../ui/Grid";
import { Empty, type PageProps, useStore } from "../../ui/page";
import { EmptyPage, FilterBox, PageHead, QueryLink } from "../../ui/PageHead";
import { CheckTables } from "./CheckTables";

/** Those that have room beside the details. */
const BESIDE = ["compile", "checks"];

function useColumns(): Column<GuardChecks>[] {
  const store = useStore();
  return useMemo(() => {
    const profile = profileOf(store.report);
    const times = profile && compileTimes(profile);
    const left = (name: string) => (row: GuardChecks) =>
      row.filters.find((filter) => filter.name === name)?.checks ?? null;
    return [
      {
        key: "compile",
        title: "Compile",
        width: "minmax(170px, 2fr)",
        value: ({ compile }) => store.indexOf(compile) ?? null,
        cell: ({ compile }) => {
          const frame = store.compile(compile)?.frame;
          return (
            <>
              <CompileChip id={compile} plain /> {frame && <span class="mono cutoff">{frameName(frame)}</span>}
            </>
          );
        },
      },
      numbers("checks", "Checks", "minmax(76px, 0.5fr)", ({ checks }) => checks),
      numbers("modules", "In modules", "minmax(96px, 0.5fr)", (row) => row.in_modules, count, { wide: true }),
      numbers("nn", "Without modules", "minmax(130px, 0.6fr)", left("skip_guard_on_all_nn_modules_unsafe"), known, {
        wide: true,
      }),
      numbers("globals", "Without globals", "minmax(126px, 0.6fr)", left("skip_guard_on_globals_unsafe"), known, {
        wide: "very",
      }),
      numbers("tensors", "Tensors only", "minmax(110px, 0.6fr)", left("keep_tensor_guards_unsafe"), known, {
        wide: true,
      }),
      ...(times
        ? [
            numbers<GuardChecks>(
              "run",
              "Time per call",
              "minmax(110px, 0.5fr)",
              (row) => times.get(row.compile)?.guard_us ?? null,
              time,
            ),
            numbers<GuardChecks>(
              "tried",
              "Tried before",
              "minmax(110px, 0.5fr)",
              (row) => times.get(row.compile)?.tried ?? null,
              (tried) => tried?.toFixed(1) ?? "",
              { wide: true },
            ),
          ]
        : []),
    ];
  }, [store]);
}

const known = (n: number | null) => (n === null ? <span title="not derived from the log">–</span> : count(n));

export function GuardsPage({ at: { query } }: PageProps) {
  const store = useStore();
  useTitle("Guards");
  const { guard_checks: all = [], more_guard_checks: more = 0 } = store.report;
  const columns = useColumns();
  const wanted = words(query.q);
  const rows = all.filter((row) => {
    const frame = store.compile(row.compile)?.frame;
    return matches(`${row.compile} ${frame ? frameName(frame) : ""}`.toLowerCase(), wanted);
  });
  if (!all.length)
    return (
      <EmptyPage page="Guards" title="No guards">
        The log has no guard tree
      </EmptyPage>
    );
  const chosen = all.find(({ compile }) => compile === query.compile);
  const to = (compile: string | null) => address(["guards"], { ...query, compile });
  return (
    <>
      <PageHead
        title="Guards"
        sub={
          <span aria-live="polite">
            {wanted.length ? `${count(rows.length)} of ` : ""}
            {plural(all.length, "compile")} with a guard tree
          </span>
        }
      >
        <FilterBox value={query.q} label="Filter function, compile" />
      </PageHead>
      <p class="toolbar muted guards-note">
        Checks before a call runs compiled code. PyTorch tries the version that matched last first, a new version before
        all others; the first check that fails ends a version.
        {more > 0 && ` ${plural(more, "more compile")} with fewer checks.`}
      </p>
      <div class={`beside fill ${chosen ? "split" : ""}`}>
        <Grid
          label="Checks by compile"
          columns={chosen ? columns.filter(({ key }) => BESIDE.includes(key)) : columns}
          rows={rows}
          rowKey={({ compile }) => compile}
          chosen={chosen?.compile}
          href={({ compile }) => to(compile)}
          sort={query.sort ?? ""}
          onSort={(next) => replaceQuery({ sort: next })}
          empty={
            <Empty title="No compile matches the filter">
              <QueryLink query={{ q: null }}>Show all {count(all.length)}</QueryLink>
            </Empty>
          }
        />
        {chosen && (
          <section class="sidepanel" aria-label={`Guards of ${chosen.compile}`} data-scroll="guard-checks">
            <header>
              <h2>
                <CompileChip id={chosen.compile} />
              </h2>
              <a class="button" href={to(null)} aria-label="Close">
                ✕
              </a>
            </header>
            <p class="links">
              <a class="button" href={address(["c", chosen.compile], { tab: "guards" })}>
                Guard list
              </a>
            </p>
            <CheckTables checks={chosen} />
          </section>
        )}
      </div>
    </>
  );
}

// The nn.Modules of a compile as a tree, and what each of them costs.
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { address, replaceQuery } from "../../lib/address";
import { useTitle } from "../../lib/hooks";
import { count, plural, time, words } from "../../lib/text";
import {
  ancestors,
  findModule,
  findModules,
  type Module,
  type ModuleNode,
  moduleQuery,
  moduleRows,
  modulesByCompile,
  openAtFirst,
  sumOfRoots,
  treeOf,
  usualCompile,
} from "../../store/modules";
import { frameName } from "../../store/report";
import { CompileChip } from "../../ui/compile";
import { Grid, sortRows } from "../../ui/Grid";
import { Empty, type PageProps, useStore } from "../../ui/page";
import { EmptyPage, FilterBox, PageHead, QueryLink, Select } from "../../ui/PageHead";
import { ModuleDetails } from "./ModuleDetails";
import { columnsOf } from "./modules-table";

type Query = Readonly<Record<string, string>>;

export function ModulesPage({ at: { query } }: PageProps) {
  const store = useStore();
  useTitle("Modules");
  const compiles = useMemo(() => modulesByCompile(store.report.modules ?? []), [store]);
  const asked = store.compile(query.compile ?? "")?.key;
  const compile = asked !== undefined && compiles.has(asked) ? asked : usualCompile(compiles, query);
  const modules = compiles.get(compile ?? "");
  if (compile === undefined || !modules)
    return (
      <EmptyPage page="Modules" title="No modules">
        No guard or tensor of the log names an nn.Module
      </EmptyPage>
    );
  return <OfCompile key={compile} compile={compile} modules={modules} compiles={compiles} query={query} />;
}

interface Props {
  compile: string;
  modules: readonly Module[];
  compiles: ReadonlyMap<string, readonly Module[]>;
  query: Query;
}

/** The rows and columns of the tree. */
function useTree(modules: readonly Module[], query: Query) {
  const { q = "", sort = "" } = query;
  const tree = useMemo(() => treeOf(modules), [modules]);
  const found = useMemo(() => findModules(tree, words(q)), [tree, q]);
  const chosen = findModule(modules, query);
  const selected = chosen && tree.nodes[modules.indexOf(chosen)];
  const first = useMemo(() => openAtFirst(tree), [tree]);
  const { isOpen, setOpen } = useOpen(q, selected, first);
  const columns = useMemo(() => columnsOf(modules, (row) => setOpen(row.node, !row.open)), [modules, setOpen]);
  const rows = useMemo(() => {
    const open = (node: ModuleNode) => isOpen(node) ?? found?.above.has(node) ?? false;
    const asRow = (node: ModuleNode) => ({ node, level: 0, open: undefined });
    const sorted = (nodes: readonly ModuleNode[]) =>
      sort ? sortRows(nodes.map(asRow), columns, sort).map((row) => row.node) : nodes;
    return moduleRows(tree, { found, open, sorted });
  }, [tree, found, isOpen, columns, sort]);
  return { found, selected, setOpen, columns, rows };
}

/** Those that have room beside the details. */
const BESIDE = ["name", "parameters", "ops", "run"];

function OfCompile({ compile, modules, compiles, query }: Props) {
  const { found, selected, setOpen, columns, rows } = useTree(modules, query);
  const here = { ...query, compile };
  const to = (module: Module | null) =>
    address(["modules"], {
      ...here,
      ...(module ? moduleQuery(module, modules[0]!.root) : { module: null, root: null }),
    });
  return (
    <>
      <Head compile={compile} modules={modules} compiles={compiles} query={query} found={found?.hits.size} />
      <Notes compile={compile} modules={modules} />
      <div class={`modules beside fill ${selected ? "split" : ""}`}>
        <Grid
          label="Modules"
          columns={selected ? columns.filter(({ key }) => BESIDE.includes(key)) : columns}
          rows={rows}
          rowKey={({ node }) => node.key}
          rowClass={({ node }) => (found && !found.hits.has(node) ? "above" : "")}
          level={({ level }) => level}
          expanded={({ open }) => open}
          onToggle={({ node, open }) => setOpen(node, !open)}
          chosen={selected?.key}
          href={({ node }) => node.module && to(node.module)}
          sort={query.sort ?? ""}
          onSort={(next) => replaceQuery({ sort: next })}
          empty={
            <Empty title="No module matches the filter">
              <QueryLink query={{ q: null }}>Show all {count(modules.length)}</QueryLink>
            </Empty>
          }
        />
        {selected && <ModuleDetails key={selected.key} node={selected} query={here} to={to} />}
      </div>
    </>
  );
}

type Changes = Readonly<Record<string, ReadonlyMap<string, boolean>>>;

/** With what is above a module open, for this filter. */
function reveal(now: Changes, q: string, module: ModuleNode | undefined): Changes {
  const above = ancestors(module);
  if (above.every(({ key }) => now[q]?.get(key))) return now;
  return { ...now, [q]: new Map([...(now[q] ?? []), ...above.map(({ key }) => [key, true] as const)]) };
}

/** What the reader opened and closed, for each filter apart. A module that is selected is in sight. */
function useOpen(q: string, selected: ModuleNode | undefined, first: ReadonlySet<ModuleNode>) {
  const [changes, setChanges] = useState(() => reveal({}, q, selected));
  useLayoutEffect(() => setChanges((now) => reveal(now, q, selected)), [q, selected]);
  const own = changes[q];
  return useMemo(
    () => ({
      isOpen: (node: ModuleNode) => own?.get(node.key) ?? (q || !first.has(node) ? undefined : true),
      setOpen: (node: ModuleNode, open: boolean) =>
        setChanges((now) => ({ ...now, [q]: new Map([...(now[q] ?? []), [node.key, open]]) })),
    }),
    [own, q, first],
  );
}

function Head({ compile, modules, compiles, query, found }: Props & { found: number | undefined }) {
  const store = useStore();
  const of = (key: string) => {
    const frame = store.compile(key)?.frame;
    return `${store.name(key)}${frame ? ` ${frameName(frame)}` : ""}`;
  };
  const timeOf = store.compile(compile)?.time_us ?? null;
  return (
    <PageHead
      title="Modules"
      sub={
        <>
          <span aria-live="polite">
            {found === undefined ? "" : `${count(found)} of `}
            {plural(modules.length, "module")}
          </span>{" "}
          of <CompileChip id={compile} />
          {timeOf !== null && ` · compile time ${time(timeOf)}`}
        </>
      }
    >
      {compiles.size > 1 && (
        <Select
          label="Compile"
          value={compile}
          options={[...compiles].map(([key, own]) => [key, `${of(key)} · ${plural(sumOfRoots(own, "ops"), "op")}`])}
          onChange={(to) => replaceQuery({ compile: to, module: null, root: null })}
        />
      )}
      <FilterBox value={query.q} label="Filter name, class" />
    </PageHead>
  );
}

/** What the log lacks. */
function Notes({ compile, modules }: Pick<Props, "compile" | "modules">) {
  const store = useStore();
  const { more_modules: more } = store.report;
  const [ops, exact] = [sumOfRoots(modules, "ops"), sumOfRoots(modules, "exact_ops")];
  // That of the graph does not count those of nested graphs.
  const nested = modules.some((one) => [...one.exact_nodes, ...one.nodes_within].some((name) => name.includes("/")));
  const all = nested ? 0 : (store.compile(compile)?.graph.ops ?? 0);
  const notes = [
    modules.every((module) => module.class === null) && "The log has no guards that name classes.",
    modules.some((module) => module.parameters === null) && "The log lacks the sizes of some parameters or buffers.",
    ops < all && `Of ${plural(all, "operation")} of the graph, ${count(ops)} are known to belong to a module.`,
    exact < ops &&
      `${count(exact)} of ${plural(ops, "operation")} have a known module; the others belong to a known module or to one below it.`,
    more && `${plural(more, "more module")} ${more === 1 ? "is" : "are"} not in the report.`,
  ].filter(Boolean);
  return notes.length ? <p class="toolbar muted modules-note">{notes.join(" ")}</p> : null;
}

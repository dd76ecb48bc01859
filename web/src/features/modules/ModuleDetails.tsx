// One module: what it has, and which operations are its own.
import type { ComponentChildren } from "preact";
import { address } from "../../lib/address";
import { useLoaded } from "../../lib/hooks";
import { bytes, count, middle, time } from "../../lib/text";
import { ancestors, firstOp, moduleChain, type Module, type ModuleNode } from "../../store/modules";
import { Facts, useAll, useStore } from "../../ui/page";
import { CopyButton } from "../../ui/text";
import { NO_COMPILE_TIME } from "./modules-table";

interface Props {
  node: ModuleNode;
  /** of the page's address, with the compile */
  query: Readonly<Record<string, string>>;
  /** the address of a module; of null: of none */
  to: (module: Module | null) => string;
}

const sized = (n: number | null, size: number | null): ComponentChildren =>
  n === null ? "unknown: the log lacks a size" : n ? `${count(n)}, ${bytes(size)}` : null;

export function ModuleDetails({ node, query, to }: Props) {
  const module = node.module!;
  const above = ancestors(node).find((one) => one.module)?.module;
  const depth = moduleChain(node).length - 1;
  const graph = useGraph(module.compile);
  return (
    <section class="sidepanel" aria-label={`Module ${module.name || module.root}`} data-scroll="module">
      <header>
        <h2 class="mono">{middle(module.name || module.root, 160)}</h2>
        <a class="button" href={to(null)} aria-label="Close">
          ✕
        </a>
      </header>
      <p class="links">
        {graph && (
          <a class="button" href={graph()}>
            Dynamo graph
          </a>
        )}
        {graph && module.ops > 0 && depth > 0 && (
          <a class="button" href={graph({ d: "1", box: `${depth}`, ...((v) => v && { v })(firstOp(node)) })}>
            Drawing by module
          </a>
        )}
        {module.class && (
          <a class="button" href={address(["modules"], { ...query, q: module.class })}>
            Modules of its class
          </a>
        )}
        <CopyButton text={module.name || module.root} label="Copy name" />
      </p>
      <Facts
        facts={[
          ["class", module.class === null ? "unknown: no guard names it" : <span class="mono">{module.class}</span>],
          [
            "in",
            above && (
              <a class="mono" href={to(above)}>
                {above.name || above.root}
              </a>
            ),
          ],
          ["parameters", sized(module.parameters, module.parameter_bytes)],
          ["buffers", sized(module.buffers, module.buffer_bytes)],
          ["operations", opsText(module)],
          ["kernels", count(module.kernels || null)],
          ["guards", count(module.guards || null)],
          [
            "compile time",
            module.compile_us === null ? (
              <span class="muted">unknown: {NO_COMPILE_TIME}</span>
            ) : (
              time(module.compile_us)
            ),
          ],
          ["run time", time(module.run_us || null)],
          ["saved for the backward", module.saved_bytes ? bytes(module.saved_bytes) : null],
        ]}
      />
      <Nodes title="Own operations" names={module.exact_nodes} graph={graph} />
      <Nodes title="Operations in it or below it" names={module.nodes_within} graph={graph} />
      {!module.exact_nodes.length && !module.nodes_within.length && (
        <p class="muted note">
          {module.ops ? "All operations belong to modules below it." : "No operation of the graph belongs to it."}
        </p>
      )}
    </section>
  );
}

const opsText = ({ ops, exact_ops: exact }: Module): string =>
  ops ? `${count(ops)}${exact < ops ? `, ${count(exact)} of them with a known module` : ""}` : "";

type GraphLink = (query?: Record<string, string>) => string;

/** The address of the Dynamo graph of a compile, or of a node in it. null: not in the log, or not known yet. */
function useGraph(compile: string): GraphLink | null {
  const store = useStore();
  const loaded = useLoaded(async () => {
    const index = store.indexOf(compile);
    if (index === undefined) return -1;
    return (await store.details(index)).artifacts.findLastIndex(({ kind }) => kind === "dynamo_output_graph");
  }, [store, compile]);
  const n = loaded.state === "ready" ? loaded.value : -1;
  return n < 0 ? null : (query) => address(["c", compile, n], query);
}

/** Names that are shown at first. */
const SHOWN = 60;

/** Nodes of a graph. In an address, the name of one in a nested graph would be that of another. */
function Nodes({ title, names, graph }: { title: string; names: readonly string[]; graph: GraphLink | null }) {
  const [shown, more] = useAll(names, SHOWN);
  if (!names.length) return null;
  return (
    <>
      <h3>
        {title} <span class="note">{count(names.length)}</span>
      </h3>
      <p class="names">
        {shown.map((name) =>
          graph && !name.includes("/") ? (
            <a key={name} class="mono" href={graph({ v: name })}>
              {name}
            </a>
          ) : (
            <code key={name}>{name}</code>
          ),
        )}
      </p>
      {more}
    </>
  );
}

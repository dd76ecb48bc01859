import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { address, go, useAddress } from "../lib/address";
import { elided, type Options } from "../lib/diff-lines";
import type { DiffNode, GraphDiff as Found, GraphEdit } from "../lib/graph/graph-diff";
import { type Loaded, useKeys } from "../lib/hooks";
import { count, middle, plural } from "../lib/text";
import type { ModuleOf } from "../store/graph-modules";
import { areSame, editPlaces, graphDiffText } from "./graph-diff-text";
import { Empty, More, Pending } from "./page";
import { QueryLink } from "./PageHead";
import { PlaceText } from "./text";
import { Marked } from "./diff-rows";

const STEP = 200; // edits that are shown at once
const PAIRS = 12;
const LETTERS = 260; // of a node: longer ones lose what is equal
const PLAIN: Options = { noise: true, sorted: false };

interface Props {
  title: string;
  names: [string, string];
  loaded: Loaded<Found | null>;
  modules: readonly [ModuleOf, ModuleOf];
  /** how else the pair can be shown */
  children: ComponentChildren;
}

/** What differs between two graphs: a sentence, sizes and types, and each operation in order, which leads to its line in the text. */
export function GraphDiff({ title, names, loaded, modules, children }: Props) {
  const found = loaded.state === "ready" ? loaded.value : null;
  return (
    <section class="artifact diff graph-diff" aria-label={`Difference of ${title}`}>
      <header>
        <h2 class="mono cutoff" title={title}>
          {title}
        </h2>
        {found && areSame(found) && <span class="chip ok">✓ same graph</span>}
        <div class="tools">{children}</div>
      </header>
      <Pending of={loaded} what="the difference" />
      {loaded.state === "failed" && (
        <p class="state">
          <QueryLink query={{ as: "text" }}>Compare the texts</QueryLink>
        </p>
      )}
      {found && <Body key={title} found={found} names={names} modules={modules} />}
    </section>
  );
}

function Body({ found, names, modules }: { found: Found } & Pick<Props, "names" | "modules">) {
  const list = useRef<HTMLOListElement>(null);
  const [all, setAll] = useState(false);
  const folded = useMemo(() => found.edits.filter((edit) => edit.times), [found]);
  const places = useMemo(() => editPlaces(found.edits, modules), [found, modules]);
  const edits = all ? found.edits : folded;
  const step = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("li > .ops a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  };
  useKeys({ n: () => step(1), p: () => step(-1) });
  return (
    <div class="graph-diff-body fill" data-scroll="graph-diff" tabIndex={0}>
      <p class="says">{graphDiffText(found)}</p>
      <p class="muted ops-of">
        {names[0]}: {plural(found.ops[0], "operation")} → {names[1]}: {plural(found.ops[1], "operation")}
        {found.moreNodes > 0 && `; ${count(found.moreNodes)} nodes are too many to be compared`}
      </p>
      <Pairs what="Sizes" list={found.sizes} more={found.moreSizes} />
      <Pairs what="Types" list={found.types} more={found.moreTypes} />
      {folded.length < found.edits.length && (
        <p class="muted">
          ×: changes that differ in numbers in names only, such as those of equal layers.{" "}
          <button type="button" class="plain link" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show equal changes once" : `Show all ${count(found.edits.length)}`}
          </button>
        </p>
      )}
      {edits.length > 0 && (
        <ol class="graph-edits" ref={list} aria-label="Changes, in order">
          <More items={edits} step={STEP}>
            {(edit) => (
              <EditRow
                key={`${edit.a[0]?.line}-${edit.b[0]?.line}`}
                edit={edit}
                times={all ? 1 : edit.times}
                places={all ? undefined : places.get(edit)}
              />
            )}
          </More>
        </ol>
      )}
      {found.moreEdits > 0 && (
        <Empty title={`${plural(found.moreEdits, "more change")}`}>
          These graphs have little in common. <QueryLink query={{ as: "text" }}>Compare the texts</QueryLink>
        </Empty>
      )}
    </div>
  );
}

/** More than one pair: the first is in the sentence above. */
function Pairs({ what, list, more }: { what: string; list: Found["sizes"]; more: number }) {
  if (list.length < 2) return null;
  const left = list.length - PAIRS + more;
  return (
    <p class="pairs">
      <b>{what}</b>{" "}
      {list.slice(0, PAIRS).map(({ from, to, nodes }) => (
        <span key={`${from} ${to}`} class="chip plain">
          <span class="mono">
            {middle(from, 24)} → {middle(to, 24)}
          </span>{" "}
          {plural(nodes, "node")}
        </span>
      ))}
      {left > 0 && <span class="muted"> and {count(left)} more</span>}
    </p>
  );
}

interface EditProps {
  edit: GraphEdit;
  times: number;
  /** where it and those that are equal to it are */
  places: string | undefined;
}

function EditRow({ edit, times, places }: EditProps) {
  const { path, query } = useAddress();
  const { a, b, change } = edit;
  const last = b.at(-1) ?? a.at(-1)!;
  const marked = useMemo(
    () => (change === "changed" ? elided(a[0]!.value, b[0]!.value, PLAIN, LETTERS) : null),
    [a, b, change],
  );
  const href = (side: "a" | "b", node: DiffNode) =>
    address(path, { ...query, as: "text", order: null, line: `${side}${node.line + 1}` });
  const own = b[0] ? href("b", b[0]) : href("a", a[0]!);
  const nodes = (side: "a" | "b", list: readonly DiffNode[], sign: string) =>
    list.map((node, i) => (
      <Line key={`${side}${i}`} node={node} sign={sign} href={href(side, node)}>
        {marked ? <Marked pieces={marked[side]} /> : middle(node.value, LETTERS)}
      </Line>
    ));
  return (
    <li
      onClick={(event) => {
        if (!(event.target as Element).closest("a, button") && !String(getSelection())) go(own);
      }}
    >
      <span class={`chip ${change}`}>{change}</span>
      <div class="ops">
        {change !== "moved" && nodes("a", a, "−")}
        {nodes("b", b, change === "moved" ? "↕" : "+")}
      </div>
      <div class="from">
        {times > 1 && (
          <p class="places">
            <b title={`${count(times)} changes that differ in numbers in names only`}>×{count(times)}</b>{" "}
            <span class="mono">{places}</span>
          </p>
        )}
        <PlaceText place={last.place} />
        {last.code && (
          <code class="cutline cutoff muted" title={last.code}>
            {last.code}
          </code>
        )}
      </div>
    </li>
  );
}

interface LineProps {
  node: DiffNode;
  sign: string;
  href: string;
  children: ComponentChildren;
}

/** One operation; its name leads to its line in the text. */
function Line({ node, sign, href, children }: LineProps) {
  return (
    <div class={`op mono ${sign === "−" ? "minus" : sign === "+" ? "plus" : ""}`}>
      <span class="s" aria-label={sign === "−" ? "before" : sign === "+" ? "after" : "moved"}>
        {sign}
      </span>
      <span class="t">
        {node.graph !== null && <span class="muted">{node.graph}: </span>}
        <a href={href} title={`Show line ${count(node.line + 1)} of the text`}>
          {node.name || (node.value.startsWith("return") ? "output" : "line " + count(node.line + 1))}
        </a>
        {" = "}
        <span title={node.value}>{children}</span>
        {node.type && <span class="muted"> {middle(node.type, 60)}</span>}
      </span>
    </div>
  );
}

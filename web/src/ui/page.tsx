// What every page is made of: the report that it gets, panels, lists of facts, long lists, and what it says where there is nothing to show.
import { Component, type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Address } from "../lib/address";
import type { Loaded } from "../lib/hooks";
import { count } from "../lib/text";
import { codeTitle, codeUrl } from "../store/source-link";
import type { Store } from "../store/store";
import { torchRef, torchUrl } from "../store/torch-link";

const Context = createContext<Store | null>(null);
export const StoreProvider = Context.Provider;

/** The attributes of a link to the code of a place, where the user's setting or PyTorch's version says where it is; null if there is no link. */
export function useCodeLink(place: { file: string | null; line: number | null } | null | undefined): object | null {
  const report = useContext(Context)?.report;
  if (!report || !place) return null;
  const title = `${place.file}:${place.line ?? "?"}`;
  const own = codeUrl(report.source_link, place.file, place.line);
  if (own !== null) return { href: own, title: `${title}${codeTitle(report.source_link)}`, ...OUTSIDE };
  const href = torchUrl(report.run, place.file, place.line);
  return href === null ? null : { href, title: `${title}\nPyTorch's code at ${torchRef(report.run)}`, ...OUTSIDE };
}
const OUTSIDE = { target: "_blank", rel: "noopener noreferrer" };

export function useStore(): Store {
  const store = useContext(Context);
  if (!store) throw new Error("no report");
  return store;
}

/** What each page of a report gets; the table of the pages is app/pages.ts. */
export interface PageProps {
  at: Address;
}

interface PanelProps {
  title?: ComponentChildren;
  /** at the right of the title */
  note?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
  id?: string;
}

export function Panel({ title, note, children, class: name, id }: PanelProps) {
  return (
    <section class={`panel ${name ?? ""}`} id={id}>
      {title != null && (
        <h2>
          <span>{title}</span>
          {note != null && <span class="note">{note}</span>}
        </h2>
      )}
      {children}
    </section>
  );
}

/** The title of a panel about what is wrong. */
export function BadTitle({ children }: { children: ComponentChildren }) {
  return (
    <>
      <span class="s-error" aria-hidden="true">
        ✕
      </span>{" "}
      {children}
    </>
  );
}

/** A panel that says why it has nothing to show. */
export function EmptyPanel({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <Panel>
      <Empty title={title}>{children}</Empty>
    </Panel>
  );
}

/** The head of a column: its title, alone or with the class of its cells and what the title says when one points at it. */
export type Head = string | readonly [cls: string, title: ComponentChildren, says?: string];

interface TableProps {
  head: readonly Head[];
  children: ComponentChildren;
  class?: string;
  "aria-label"?: string;
}

/** A table of rows that are small and few; ui/Grid.tsx has those of any length. */
export function Table({ head, children, ...rest }: TableProps) {
  return (
    <table {...rest}>
      <thead>
        <tr>
          {head.map((column, i) => {
            const [cls, title, says] = typeof column === "string" ? [undefined, column] : column;
            return (
              <th key={i} class={cls || undefined} title={says}>
                {title}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The last row of a table that does not have all: how many there are more. */
export function RestRow({ columns, children }: { columns: number; children: ComponentChildren }) {
  return (
    <tr>
      <td colSpan={columns} class="muted">
        {children}
      </td>
    </tr>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values; facts without a value are left out, unless `dash` asks for a dash. */
export function Facts({ facts, dash = false }: { facts: readonly Fact[]; dash?: boolean }) {
  const shown = dash
    ? facts
    : facts.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== "–");
  return (
    <dl>{shown.map(([name, value]) => [<dt key={`${name}-t`}>{name}</dt>, <dd key={name}>{value ?? "–"}</dd>])}</dl>
  );
}

interface MoreProps<T> {
  items: readonly T[];
  step: number;
  children: (item: T) => ComponentChildren;
  /** an item that must be among the shown */
  at?: number;
}

/** A list of large items, some at a time: hundreds of cards would make the page slow to open. */
export function More<T>({ items, step, children, at = -1 }: MoreProps<T>) {
  const [limit, setLimit] = useState(step);
  const shown = Math.max(limit, at + 1);
  const left = items.length - shown;
  return (
    <>
      {items.slice(0, shown).map(children)}
      {left > 0 && (
        <p class="more">
          <button type="button" onClick={() => setLimit(shown + step)}>
            Show {count(Math.min(step, left))} more of {count(left)}
          </button>
        </p>
      )}
    </>
  );
}

/** The first items of a list, until the reader asks for all; and the button for that, if there are more. */
export function useAll<T>(items: readonly T[], limit: number): [shown: readonly T[], button: ComponentChildren] {
  const [all, setAll] = useState(false);
  const button = items.length > limit && (
    <p class="more">
      <button type="button" class="plain link" aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? "Show fewer" : `Show all ${count(items.length)}`}
      </button>
    </p>
  );
  return [all ? items : items.slice(0, limit), button];
}

interface ChipLineProps {
  chip: string;
  says: string;
  children: ComponentChildren;
}

/** A chip that says in a word what the sentences after it are about. */
export function ChipLine({ chip, says, children }: ChipLineProps) {
  return (
    <p>
      <span class={`chip ${chip}`}>{says}</span> <span>{children}</span>
    </p>
  );
}

/** Why there is nothing to see, in one line: what is missing, then why or what to do, if that is not obvious. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <p class="state">
      <b>{title}</b>
      {children && <span>{children}</span>}
    </p>
  );
}

export function Failed({ error }: { error: Error }) {
  return (
    <div class="state failed" role="alert">
      <b>✕ {error.message}</b>
    </div>
  );
}

/** Shown after a moment only: most parts arrive sooner, and text that flashes by disturbs. */
export function Loading({ what }: { what: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="state" aria-busy="true">
      {late ? `Loading ${what}…` : ""}
    </div>
  );
}

/** What is said until something is loaded, and if that failed; nothing once it is there. */
export function Pending({ of, what }: { of: Loaded<unknown>; what: string }) {
  if (of.state === "failed") return <Failed error={of.error} />;
  return of.state === "loading" ? <Loading what={what} /> : null;
}

/** A fault in one page must not take the whole report with it. */
export class Boundary extends Component<{ children: ComponentChildren }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static override getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    return this.state.error ? <Failed error={this.state.error} /> : this.props.children;
  }
}

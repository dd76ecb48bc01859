import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { replaceQuery, useAddress } from "../lib/address";
import { useKeys } from "../lib/hooks";
import { isLanding } from "../store/ranks";
import { EmptyPanel, useStore } from "./page";
import { PageHelp } from "./PageHelp";

interface Props {
  title: ComponentChildren;
  sub?: ComponentChildren;
  children?: ComponentChildren;
}

/** The head of a page: its title, what it shows, and controls at the right. Help is folded behind "?". */
export function PageHead({ title, sub, children }: Props) {
  const { path } = useAddress();
  const { report } = useStore();
  const [help, setHelp] = useState(false);
  const ask = useRef<HTMLButtonElement>(null);
  const close = () => {
    setHelp(false);
    ask.current?.focus();
  };
  return (
    <>
      <header class="head flexrow">
        <h1>{title}</h1>
        <button
          ref={ask}
          type="button"
          class="ask"
          aria-expanded={help}
          aria-controls={help ? "roomhelp" : undefined}
          aria-label="About this page"
          title="About this page"
          onClick={() => setHelp(!help)}
        >
          ?
        </button>
        {sub != null && <span class="sub cutoff muted">{sub}</span>}
        {children && <div class="tools flexrow">{children}</div>}
      </header>
      {help && <PageHelp path={!path.length && isLanding(report) ? ["ranks", "all"] : path} onClose={close} />}
    </>
  );
}

/** A page that has nothing to show, and why. */
export function EmptyPage({ page, title, children }: { page: string; title: string; children?: ComponentChildren }) {
  return (
    <>
      <PageHead title={page} />
      <div class="room">
        <EmptyPanel title={title}>{children}</EmptyPanel>
      </div>
    </>
  );
}

interface FilterProps {
  value: string | undefined;
  label: string;
  class?: string;
  /** what Enter does */
  onEnter?: (event: KeyboardEvent) => void;
  /** after the box, instead of its key */
  children?: ComponentChildren;
}

/** A box that filters what the page shows. Its text is in the address (`?q=`); `/` focuses it, Escape clears it, then leaves it. */
export function FilterBox({ value, label, class: cls = "find", onEnter, children }: FilterProps) {
  const input = useRef<HTMLInputElement>(null);
  useKeys({
    "/": () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  return (
    <div class={cls}>
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value ?? ""}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => replaceQuery({ q: event.currentTarget.value })}
        onKeyDown={(event) => {
          const enters = event.key === "Enter" && onEnter;
          if (!enters && event.key !== "Escape") return;
          event.preventDefault();
          if (enters) onEnter(event);
          else if (event.currentTarget.value) replaceQuery({ q: null });
          else event.currentTarget.blur();
        }}
      />
      {children === undefined ? <kbd aria-hidden="true">/</kbd> : children}
    </div>
  );
}

/** What a control changes in the address: null removes a value. */
type Query = Record<string, string | null>;

interface CheckProps {
  name: string;
  on: boolean;
  value?: string;
  children: ComponentChildren;
  class?: string;
  title?: string | undefined;
  disabled?: boolean;
}

/** A box to tick; while it is ticked, the address has `?name=value`. */
export function QueryCheck({ name, on, value = "1", children, class: cls = "check", title, disabled }: CheckProps) {
  return (
    <label class={cls} title={title}>
      <input
        type="checkbox"
        checked={on}
        disabled={disabled}
        onChange={(event) => replaceQuery({ [name]: event.currentTarget.checked ? value : null })}
      />{" "}
      {children}
    </label>
  );
}

interface ToggleProps {
  on: boolean;
  query: Query;
  children: ComponentChildren;
  class?: string;
  title?: string;
}

/** A button that stays pressed while the address says so. */
export function Toggle({ on, query, children, class: cls = "chip empty", title }: ToggleProps) {
  return (
    <button type="button" class={cls} aria-pressed={on} title={title} onClick={() => replaceQuery(query)}>
      {children}
    </button>
  );
}

/** A link that changes what the page shows, for instance "Show all" where a filter finds nothing. */
export function QueryLink({ query, children }: { query: Query; children: ComponentChildren }) {
  return (
    <button type="button" class="plain link" onClick={() => replaceQuery(query)}>
      {children}
    </button>
  );
}

interface SelectProps {
  label: string;
  value: string | number | undefined;
  options: readonly (readonly [value: string | number, text: string])[];
  onChange: (value: string) => void;
  class?: string;
  title?: string;
}

/** A choice among values. */
export function Select({ label, value, options, onChange, class: cls, title }: SelectProps) {
  return (
    <select
      class={cls}
      aria-label={label}
      title={title}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

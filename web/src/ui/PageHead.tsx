import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { replaceQuery, useAddress } from "../lib/address";
import { useKeys } from "../lib/keys";
import { isLanding } from "../store/ranks";
import { useStore } from "./page";
import { PageHelp } from "./PageHelp";

/** The head of a page: its title, what it shows, and controls at the right. Help is folded behind "?". */
export function PageHead({
  title,
  sub,
  children,
}: {
  title: ComponentChildren;
  sub?: ComponentChildren;
  children?: ComponentChildren;
}) {
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
      <header class="head">
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
        {sub != null && <span class="sub muted">{sub}</span>}
        {children && <div class="tools">{children}</div>}
      </header>
      {help && <PageHelp path={!path.length && isLanding(report) ? ["ranks", "all"] : path} onClose={close} />}
    </>
  );
}

/** A box that filters what the page shows. Its text is in the address (`?q=`); `/` focuses it, Escape clears it, then leaves it. */
export function FilterBox({ value, label, name = "q" }: { value: string | undefined; label: string; name?: string }) {
  const input = useRef<HTMLInputElement>(null);
  useKeys({
    "/": () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  return (
    <div class="find">
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value ?? ""}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => replaceQuery({ [name]: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          if (event.currentTarget.value) replaceQuery({ [name]: null });
          else event.currentTarget.blur();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}

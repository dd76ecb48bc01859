import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { replaceQuery, useAddress } from "../lib/address";
import { useKeys } from "../lib/keys";
import { isLanding } from "../store/ranks";
import { useStore } from "./context";
import { pageText } from "./help-registry";
import { PageHelp, usePageHelp } from "./PageHelp";

/** The head of a page: title, what is shown, at the right what one can set, and beneath what the page is for, until it was read. */
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
  const help = pageText(!path.length && isLanding(report) ? ["ranks", "all"] : path);
  const [open, setOpen] = usePageHelp(help);
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {help && (
          <button
            type="button"
            class="ask"
            aria-expanded={open}
            aria-controls={open ? "roomhelp" : undefined}
            aria-label="What is this?"
            title="What this page shows, and what its words mean"
            onClick={() => setOpen(!open)}
          >
            ?
          </button>
        )}
        {sub != null && <span class="sub muted">{sub}</span>}
        {children && <div class="tools">{children}</div>}
      </header>
      {help && open && <PageHelp text={help} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A box that filters what the page shows; its text stands in the address (`?q=`), `/` leads to it, Escape empties and leaves it. */
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

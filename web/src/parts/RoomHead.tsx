import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { replaceQuery } from "../base/address";
import { useKeys } from "../base/keys";

/** The head of a room: title, what is shown, and at the right what one can set. */
export function RoomHead({ title, sub, children }: { title: ComponentChildren; sub?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <header class="head">
      <h1>{title}</h1>
      {sub != null && <span class="sub muted">{sub}</span>}
      {children && <div class="tools">{children}</div>}
    </header>
  );
}

/** A box that filters what the room shows; its text stands in the address (`?q=`), `/` leads to it, Escape empties and leaves it. */
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

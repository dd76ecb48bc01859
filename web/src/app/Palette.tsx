import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, go } from "../lib/address";
import { count } from "../lib/text";
import { keyName, useKeys, useLoaded } from "../lib/hooks";
import { isLanding } from "../store/ranks";
import { baseEntries, find, kernelEntries, settingEntries, type Entry } from "../store/palette";
import { useStore } from "../ui/page";
import { pagesOf, toPage } from "./pages";

export const WHAT = "Compile, source line, op, setting, page";

/** Goes to what is typed: a modal dialog with a combobox. Escape and Ctrl+K close it and give the focus back. */
export function Palette({ onClose }: { onClose: () => void }) {
  const store = useStore();
  const { report } = store;
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  useKeys({}); // the page's own keys rest meanwhile
  useLayoutEffect(() => dialog.current?.showModal(), []);

  const base = useMemo(() => {
    const pages = pagesOf(report).filter((page) => page.group !== "hidden");
    return baseEntries(
      store,
      pages.map((page) => ({ ...page, href: toPage(page) })),
    );
  }, [store, report]);
  const more = useLoaded(
    () =>
      Promise.all([
        report.parts.kernels ? store.kernels() : Promise.resolve([]),
        report.parts.configs ? store.configs() : Promise.resolve([]),
      ]).then(([kernels, configs]) => [...kernelEntries(kernels), ...settingEntries(configs)]),
    [store],
  );
  const all = useMemo(() => (more.state === "ready" ? [...base, ...more.value] : base), [base, more]);
  const found = useMemo(() => find(all, query), [all, query]);
  const text = query.trim();
  const shown: Entry[] =
    text && !isLanding(report)
      ? [
          ...found.entries,
          {
            kind: "search",
            title: `Search all artifacts for “${text}”`,
            about: "",
            href: () => address(["search"], { q: text }),
            text: "",
            names: 0,
          },
        ]
      : found.entries;
  const current = Math.min(active, shown.length - 1);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current, found]);

  const close = () => dialog.current?.close(); // its close event unmounts it; the browser returns the focus
  const open = (item: Entry | undefined) => {
    if (!item) return;
    const href = item.href();
    close();
    go(href);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setActive((current + 1) % Math.max(1, shown.length)),
    ArrowUp: () => setActive((current + shown.length - 1) % Math.max(1, shown.length)),
    PageDown: () => setActive(Math.min(shown.length - 1, current + 8)),
    PageUp: () => setActive(Math.max(0, current - 8)),
    Enter: () => open(shown[current]),
    Escape: close,
    "mod+k": close,
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        type="search"
        role="combobox"
        list={undefined}
        aria-label={WHAT}
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={shown.length ? `palette-${current}` : undefined}
        placeholder={WHAT}
        value={query}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          const action = event.isComposing ? undefined : keys[keyName(event)];
          if (!action) return;
          event.preventDefault();
          action();
        }}
      />
      <ul ref={list} class="unmarked" id="palette-list" role="listbox" aria-label="Results">
        {shown.map((item, i) => (
          <li
            key={i}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === current}
            onPointerMove={() => i !== current && setActive(i)}
            onClick={() => open(item)}
          >
            <small>{item.kind}</small>
            <span class={/page|issue|rank|search/.test(item.kind) ? "name" : "name mono"}>{item.title}</span>
            <span class="about">{item.about}</span>
          </li>
        ))}
      </ul>
      <p class="status muted" role="status">
        {!text || found.count === found.entries.length
          ? ""
          : `${count(found.entries.length)} of ${count(found.count)} matches`}
        {text && !found.count ? "No name matches" : ""}
        {more.state === "loading" && " Loading ops and settings…"}
        {more.state === "failed" && ` Ops and settings are missing: ${more.error.message}`}
      </p>
    </dialog>
  );
}

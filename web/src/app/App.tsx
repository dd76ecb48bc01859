import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { address, go, useAddress } from "../lib/address";
import { type KeyMap, useKeys } from "../lib/hooks";
import { toggleTheme } from "../lib/theme";
import type { Store } from "../store/store";
import { Boundary, Empty, StoreProvider } from "../ui/page";
import { Help } from "./Help";
import { Nav } from "./Nav";
import { Palette } from "./Palette";
import { pageAt, pagesOf, toPage } from "./pages";
import { useScrollMemory } from "./scroll";

export function App({ store }: { store: Store }) {
  const at = useAddress();
  const [help, setHelp] = useState(false);
  const [palette, setPalette] = useState(false);
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const key = at.path[0] ?? "";
  const page = pageAt(at.path);
  const pages = pagesOf(store.report);
  const place = at.path.join("/");

  const keys: KeyMap = {
    "mod+k": () => setPalette(true),
    "?": () => setHelp((on) => !on),
    t: () => void toggleTheme(),
  };
  if (pages.some((r) => r.key === "search")) keys["/"] = () => go(address(["search"])); // pages with a search of their own answer first
  for (const r of pages) if (r.letter) keys[`g ${r.letter}`] = () => go(toPage(r));
  useKeys(keys, { under: true });
  useScrollMemory(main);
  // Before the next key or click: a help that was just opened must not close again.
  useLayoutEffect(() => {
    setMenu(false);
    setHelp(false);
  }, [place]);

  return (
    <StoreProvider value={store}>
      <div class={menu ? "app menu-open" : "app"}>
        <a
          class="skip"
          href="#main"
          onClick={(e) => {
            e.preventDefault();
            main.current?.focus();
          }}
        >
          Skip to content
        </a>
        <Nav
          current={page?.key ?? key}
          menu={menu}
          onMenu={() => setMenu(!menu)}
          onHelp={() => setHelp(true)}
          onGo={() => setPalette(true)}
        />
        <main ref={main} id="main" tabIndex={-1}>
          <Boundary key={place}>
            {page ? (
              <page.component at={at} />
            ) : (
              <Empty title="No such page">
                <code>{location.hash}</code> <a href={address([])}>Overview</a>
              </Empty>
            )}
          </Boundary>
        </main>
        {palette && <Palette onClose={() => setPalette(false)} />}
        {help && <Help onClose={() => setHelp(false)} />}
      </div>
    </StoreProvider>
  );
}

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { go, useAddress } from "../base/address";
import { useKeys, type KeyMap } from "../base/keys";
import { toggleTheme } from "../base/theme";
import type { Store } from "../data/store";
import { Boundary } from "../parts/Boundary";
import { Empty } from "../parts/States";
import { StoreProvider } from "./context";
import { Help } from "./Help";
import { Nav } from "./Nav";
import { roomAt, roomsOf, toRoom } from "./rooms";
import { useScrollMemory } from "./scroll";

export function App({ store }: { store: Store }) {
  const at = useAddress();
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const key = at.path[0] ?? "";
  const room = roomAt(at.path);
  const rooms = roomsOf(store.report);
  const place = at.path.join("/");

  const keys: KeyMap = { "?": () => setHelp((on) => !on), t: () => void toggleTheme() };
  if (rooms.some((r) => r.key === "search")) keys["/"] = () => go("#/search"); // rooms with a search of their own answer before
  for (const r of rooms) if (r.letter) keys[`g ${r.letter}`] = () => go(toRoom(r));
  useKeys(keys, { under: true });
  useScrollMemory(main);
  // Before the next key or click can come: a help that was just opened must not close again.
  useLayoutEffect(() => {
    setMenu(false);
    setHelp(false);
  }, [place]);

  return (
    <StoreProvider value={store}>
      <div class={menu ? "app menu-open" : "app"}>
        <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); main.current?.focus(); }}>Skip to the content</a>
        <Nav current={room?.key ?? key} menu={menu} onMenu={() => setMenu(!menu)} onHelp={() => setHelp(true)} />
        <main ref={main} id="main" tabIndex={-1}>
          <Boundary key={place}>
            {room ? <room.component at={at} /> : <Empty title="No such place in this report">The address <code>{location.hash}</code> leads nowhere. <a href="#/">Overview</a></Empty>}
          </Boundary>
        </main>
        {help && <Help onClose={() => setHelp(false)} />}
      </div>
    </StoreProvider>
  );
}

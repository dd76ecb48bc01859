import { useAddress } from "../base/address";
import { toggleTheme } from "../base/theme";
import { isLanding } from "../data/ranks";
import { useStore } from "./context";
import { roomsOf, toRoom, type Room } from "./rooms";
import { Up } from "./Up";

interface Props {
  current: string;
  menu: boolean;
  onMenu: () => void;
  onHelp: () => void;
}

export function Nav({ current, menu, onMenu, onHelp }: Props) {
  const { report } = useStore();
  const { run, tool } = report;
  const at = useAddress();
  const rooms = roomsOf(report);
  const on = current === "c" ? "compiles" : current === "ranks/all" && isLanding(report) ? "" : current;
  return (
    <nav class="rooms" aria-label="Rooms of the report">
      <div class="brand">
        <a href="#/">{tool.name}</a>
        <span class="muted mono">{run.rank === null ? "" : `rank ${run.rank}`}</span>
        <button type="button" class="menu" aria-expanded={menu} aria-controls="rooms" onClick={onMenu}>Menu</button>
      </div>
      <div class="lists" id="rooms">
        <Up at={at} />
        {(["vllm", "what", "ranks", "data"] as const).filter((group) => rooms.some((room) => room.group === group)).map((group) => (
          <ul key={group}>{rooms.filter((room) => room.group === group).map((room) => <Item key={room.key} room={room} on={room.key === on} />)}</ul>
        ))}
        <div class="foot">
          <button type="button" class="plain" onClick={() => toggleTheme()} title="Light or dark (t)">◐ theme</button>
          <button type="button" class="plain" onClick={onHelp}><kbd>?</kbd> keys</button>
        </div>
      </div>
    </nav>
  );
}

function Item({ room, on }: { room: Room; on: boolean }) {
  const note = room.note?.(useStore().report);
  return (
    <li class={on ? "on" : ""}>
      <a href={toRoom(room)} aria-current={on ? "page" : undefined}>
        {room.title}
        {note && <span class={note.bad ? "bad" : ""}>{note.text}</span>}
      </a>
    </li>
  );
}

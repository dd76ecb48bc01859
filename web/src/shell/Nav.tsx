import { address } from "../base/address";
import { toggleTheme } from "../base/theme";
import { useStore } from "./context";
import { ROOMS, type Room } from "./rooms";

interface Props {
  current: string;
  menu: boolean;
  onMenu: () => void;
  onHelp: () => void;
}

export function Nav({ current, menu, onMenu, onHelp }: Props) {
  const { run, tool } = useStore().report;
  const on = current === "c" ? "compiles" : current;
  return (
    <nav class="rooms" aria-label="Rooms of the report">
      <div class="brand">
        <a href="#/">{tool.name}</a>
        <span class="muted mono">{run.rank === null ? "" : `rank ${run.rank}`}</span>
        <button type="button" class="menu" aria-expanded={menu} aria-controls="rooms" onClick={onMenu}>Menu</button>
      </div>
      <div class="lists" id="rooms">
        {(["what", "data"] as const).map((group) => (
          <ul key={group}>{ROOMS.filter((room) => room.group === group).map((room) => <Item key={room.key} room={room} on={room.key === on} />)}</ul>
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
      <a href={address(room.key ? [room.key] : [])} aria-current={on ? "page" : undefined}>
        {room.title}
        {note && <span class={note.bad ? "bad" : ""}>{note.text}</span>}
      </a>
    </li>
  );
}

import { address, useAddress } from "../lib/address";
import { hasShapes, isRedacted, packed } from "../lib/packed";
import { toggleTheme } from "../lib/theme";
import { isLanding } from "../store/ranks";
import { useStore } from "../ui/page";
import { WHAT } from "./Palette";
import { pagesOf, toPage, type Page } from "./pages";
import { Up } from "./Up";

interface Props {
  current: string;
  menu: boolean;
  onMenu: () => void;
  onHelp: () => void;
  onGo: () => void;
}

const CTRL_K = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";

export function Nav({ current, menu, onMenu, onHelp, onGo }: Props) {
  const { report } = useStore();
  const { run, tool } = report;
  const at = useAddress();
  const pages = pagesOf(report);
  const on = current === "c" ? "compiles" : current === "ranks/all" && isLanding(report) ? "" : current;
  return (
    <nav class="rooms" aria-label="Pages of the report">
      <div class="brand">
        <a href={address([])}>{tool.name}</a>
        <span class="muted mono">{run.rank === null ? "" : `rank ${run.rank}`}</span>
        <button type="button" class="goto phone" aria-haspopup="dialog" onClick={onGo}>
          Go to…
        </button>
        <button type="button" class="menu" aria-expanded={menu} aria-controls="rooms" onClick={onMenu}>
          Menu
        </button>
      </div>
      <div class="lists" id="rooms">
        <button
          type="button"
          class="goto wide"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          title={WHAT}
          onClick={onGo}
        >
          Go to…{" "}
          <kbd class="wide" aria-hidden="true">
            {CTRL_K}
          </kbd>
        </button>
        <Up at={at} />
        {(["vllm", "what", "ranks", "data"] as const)
          .filter((group) => pages.some((page) => page.group === group))
          .map((group) => (
            <ul key={group} class="unmarked">
              {pages
                .filter((page) => page.group === group)
                .map((page) => (
                  <Item key={page.key} page={page} on={page.key === on} />
                ))}
            </ul>
          ))}
        {isRedacted() && (
          <p
            class="redacted"
            title={`${hasShapes() ? "Texts of artifacts show their shape: x for letters, 0 for digits. Texts with the same shape may differ. " : ""}What is left: ${packed()?.stays}.`}
          >
            <b>Redacted</b> {packed()?.redacted}
          </p>
        )}
        <div class="foot">
          <button type="button" class="plain" onClick={() => toggleTheme()} title="Light or dark (t)">
            ◐ Theme
          </button>
          <button type="button" class="plain" onClick={onHelp}>
            <kbd>?</kbd> Keys
          </button>
        </div>
      </div>
    </nav>
  );
}

function Item({ page, on }: { page: Page; on: boolean }) {
  const { report } = useStore();
  const note = page.note?.(report);
  return (
    <li class={on ? "on" : ""}>
      <a href={toPage(page)} aria-current={on ? "page" : undefined}>
        {page.title}
        {note && <span class={note.bad ? "bad" : ""}>{note.text}</span>}
      </a>
    </li>
  );
}

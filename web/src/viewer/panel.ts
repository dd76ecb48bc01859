// The viewer's own search panel: what is looked for, how often it occurs, next and previous.
import { closeSearchPanel, findNext, findPrevious, getSearchQuery, SearchQuery, setSearchQuery } from "@codemirror/search";
import type { EditorView, Panel, ViewUpdate } from "@codemirror/view";

const COUNT_LIMIT = 2000;
const COUNT_MS = 80;

export function searchPanel(view: EditorView): Panel {
  const input = element("input", { type: "search", "aria-label": "Search in the text", placeholder: "Search in the text", "main-field": "true", spellcheck: "false" });
  const caseBox = toggle("Aa", "Match case");
  const regexpBox = toggle(".*", "Regular expression");
  const said = element("span", { class: "found", "aria-live": "polite" });
  const previous = button("↑", "Previous (Shift+Enter)", () => findPrevious(view));
  const next = button("↓", "Next (Enter)", () => findNext(view));
  const close = button("✕", "Close (Esc)", () => closeSearchPanel(view));
  const dom = element("div", { class: "cm-find", role: "search" });
  dom.append(input, caseBox, regexpBox, previous, next, said, close);

  const commit = () => {
    const query = new SearchQuery({ search: input.value, caseSensitive: pressed(caseBox), regexp: pressed(regexpBox), literal: !pressed(regexpBox) });
    if (query.eq(getSearchQuery(view.state))) return;
    view.dispatch({ effects: setSearchQuery.of(query) });
    if (query.valid && query.search) {
      // From the start of the present match, so that typing on stays where it is.
      view.dispatch({ selection: { anchor: view.state.selection.main.from } });
      findNext(view);
    }
  };
  input.addEventListener("input", commit);
  for (const box of [caseBox, regexpBox]) {
    box.addEventListener("click", () => {
      box.setAttribute("aria-pressed", String(!pressed(box)));
      commit();
    });
  }
  dom.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeSearchPanel(view);
    else if (event.key === "Enter" && event.target === input) (event.shiftKey ? findPrevious : findNext)(view);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") view.focus();
  });

  return {
    dom,
    top: true,
    mount: () => {
      input.value = getSearchQuery(view.state).search;
      input.focus();
      input.select();
      said.textContent = summary(view);
    },
    update(update: ViewUpdate) {
      const changed = update.transactions.some((tr) => tr.effects.some((effect) => effect.is(setSearchQuery)));
      if (changed && document.activeElement !== input) input.value = getSearchQuery(view.state).search;
      if (changed || update.selectionSet) said.textContent = summary(view);
    },
  };
}

/** "3 of 17". Counting ends after some time: in 5 MB a single letter occurs a million times. */
function summary(view: EditorView): string {
  const query = getSearchQuery(view.state);
  if (!query.search) return "";
  if (!query.valid) return "no regular expression";
  const { from, to } = view.state.selection.main;
  const until = performance.now() + COUNT_MS;
  let count = 0;
  let current = 0;
  const cursor = query.getCursor(view.state) as Iterator<{ from: number; to: number }>;
  for (let item = cursor.next(); !item.done; item = cursor.next()) {
    count++;
    if (item.value.from === from && item.value.to === to) current = count;
    if (count >= COUNT_LIMIT || (count % 64 === 0 && performance.now() > until)) return current ? `${current} of more than ${count}` : `more than ${count}`;
  }
  return count === 0 ? "not found" : current ? `${current} of ${count}` : `${count}`;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Record<string, string>): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function button(text: string, title: string, action: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title, "aria-label": title });
  made.textContent = text;
  made.addEventListener("click", action);
  return made;
}

function toggle(text: string, title: string): HTMLButtonElement {
  const made = element("button", { type: "button", title, "aria-label": title, "aria-pressed": "false" });
  made.textContent = text;
  return made;
}

function pressed(box: HTMLElement): boolean {
  return box.getAttribute("aria-pressed") === "true";
}

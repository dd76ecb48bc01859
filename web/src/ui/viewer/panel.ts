// The viewer's own search panel: what is looked for, how often it occurs, next and previous.
import { closeSearchPanel, getSearchQuery, openSearchPanel, SearchQuery, setSearchQuery } from "@codemirror/search";
import { EditorView, type Panel, type ViewUpdate } from "@codemirror/view";
import { countMatches, findMatch } from "./find";

/** `text` is that of the editor, as one string: searching it is much faster than walking through the document. */
export function searchPanel(view: EditorView, text: string): Panel {
  const input = element("input", {
    type: "search",
    "aria-label": "Search in the text",
    placeholder: "Search in the text",
    "main-field": "true",
    spellcheck: "false",
  });
  const caseBox = toggle("Aa", "Match case");
  const regexpBox = toggle(".*", "Regular expression");
  const wordBox = toggle("W", "Whole words");
  const said = element("span", { class: "found", "aria-live": "polite" });
  const previous = button("↑", "Previous (Shift+Enter)", () => step(view, text, -1));
  const next = button("↓", "Next (Enter)", () => step(view, text, 1));
  const close = button("✕", "Close (Esc)", () => closeSearchPanel(view));
  const dom = element("div", { class: "cm-find", role: "search" });
  dom.append(input, caseBox, wordBox, regexpBox, previous, next, said, close);

  const commit = () => {
    const query = new SearchQuery({
      search: input.value,
      caseSensitive: pressed(caseBox),
      regexp: pressed(regexpBox),
      wholeWord: pressed(wordBox),
      literal: !pressed(regexpBox),
    });
    if (query.eq(getSearchQuery(view.state))) return;
    view.dispatch({ effects: setSearchQuery.of(query) });
    if (query.valid && query.search) {
      // From the start of the present match, so that typing on stays where it is.
      view.dispatch({ selection: { anchor: view.state.selection.main.from } });
      step(view, text, 1);
    }
  };
  input.addEventListener("input", commit);
  for (const box of [caseBox, wordBox, regexpBox]) {
    box.addEventListener("click", () => {
      box.setAttribute("aria-pressed", String(!pressed(box)));
      commit();
    });
  }
  dom.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeSearchPanel(view);
    else if (event.key === "Enter" && event.target === input) step(view, text, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") view.focus();
  });

  const show = (query: SearchQuery) => {
    input.value = query.search;
    for (const [box, on] of [
      [caseBox, query.caseSensitive],
      [wordBox, query.wholeWord],
      [regexpBox, query.regexp],
    ] as const)
      box.setAttribute("aria-pressed", String(on));
  };
  return {
    dom,
    top: true,
    mount: () => {
      show(getSearchQuery(view.state));
      input.focus();
      input.select();
      said.textContent = summary(view, text);
    },
    update(update: ViewUpdate) {
      const changed = update.transactions.some((tr) => tr.effects.some((effect) => effect.is(setSearchQuery)));
      if (changed && document.activeElement !== input) show(getSearchQuery(view.state));
      if (changed || update.selectionSet) said.textContent = summary(view, text);
    },
  };
}

/** To the next match (1) or the one before (-1). */
export function step(view: EditorView, text: string, way: 1 | -1): boolean {
  const query = getSearchQuery(view.state);
  if (!query.search || !query.valid) return false;
  const { from, to } = view.state.selection.main;
  const found = findMatch(text, query, way === 1 ? to : from, way);
  if (!found) return true;
  view.dispatch({
    selection: { anchor: found.from, head: found.to },
    effects: EditorView.scrollIntoView(found.from, { y: "center" }),
    userEvent: "select.search",
  });
  return true;
}

/** "3 of 17" */
function summary(view: EditorView, text: string): string {
  const query = getSearchQuery(view.state);
  if (!query.search) return "";
  if (!query.valid) return "invalid expression";
  const { from, to } = view.state.selection.main;
  const { count, current, more } = countMatches(text, query, from, to);
  const all = more ? `more than ${count}` : `${count}`;
  return count === 0 ? "not found" : current ? `${current} of ${all}` : all;
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
): HTMLElementTagNameMap[K] {
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

/** Opens the panel with a query from outside, marks all its matches, and chooses the first one of the line (from 1), if it has one. The editor keeps the keyboard. */
export function showFound(view: EditorView, text: string, query: SearchQuery, line: number): void {
  openSearchPanel(view);
  view.focus(); // else the panel would not show a query that is not the reader's own
  const { from, to } = view.state.doc.line(Math.min(line, view.state.doc.lines));
  const found = query.valid ? findMatch(text, query, from, 1) : null;
  const here = found && found.from >= from && found.from <= to;
  view.dispatch({
    effects: [
      setSearchQuery.of(query),
      EditorView.scrollIntoView(here ? found.from : from, { y: "center", xMargin: 80 }),
    ],
    selection: here ? { anchor: found.from, head: found.to } : { anchor: from },
  });
}

// What assets/parsers.js offers: it renders what the user's own parsers added, with DOM calls, because the components of the
// page are in app.js. All texts become text nodes.
import { inside, outside, toCompile, withSearch } from "../../lib/address";
import { bytes, count, plural } from "../../lib/text";
import { pieces } from "../../lib/prose";
import type { Parser, ParserFile, ParserFinding, ParserLink, ParserSection } from "../../store/generated/report";
import { codeTitle, codeUrl } from "../../store/source-link";
import type { Store } from "../../store/store";

declare module "../../lib/tl" {
  interface Bundles {
    parsers: typeof import("./bundle-api");
  }
}

type Child = Node | string | null | false;

const ROWS_SHOWN = 200;
const SIGNS = { error: "✕", warning: "!", info: "i" };

function make(tag: string, attributes: Record<string, string>, ...children: readonly Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value);
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return element;
}

/** A text of the parser, its code in the code font. Links in it stay text: a parser adds links by name. */
const prose = (text: string): Child[] =>
  pieces(text).map(([kind, said]) => (kind === "code" ? make("code", {}, said) : said));

const panel = (title: string, note: string, ...children: readonly Child[]): HTMLElement =>
  make(
    "section",
    { class: "panel" },
    make("h2", {}, make("span", {}, title), make("span", { class: "note" }, note)),
    ...children,
  );

const far = (href: string, title: string, ...children: readonly Child[]): HTMLElement =>
  make("a", { href, title, target: "_blank", rel: "noopener noreferrer" }, ...children);

/** Renders into the element: everything, or what is of one compile, or issues only. */
export function render(
  to: HTMLElement,
  store: Store,
  parsers: readonly Parser[],
  compile: string | undefined,
  issues: boolean,
): void {
  to.replaceChildren(
    ...parsers
      .flatMap((parser) =>
        issues
          ? [failure(parser), findings(store, parser, parser.findings)]
          : compile === undefined
            ? whole(store, parser)
            : ofCompile(store, parser, compile),
      )
      .filter((child) => child !== null),
  );
}

function whole(store: Store, parser: Parser): (HTMLElement | null)[] {
  const { findings: found, links, files } = parser;
  return [
    failure(parser),
    findings(store, parser, found),
    ...parser.sections.map((section) => sectionPanel(parser, section)),
    list(parser, "Links", links, (link) => linkItem(store, link, true)),
    list(parser, "Files", files, (file) => fileItem(store, file, true)),
    notes(parser),
  ];
}

function ofCompile(store: Store, parser: Parser, compile: string): (HTMLElement | null)[] {
  const own = <T extends { compile: string | null }>(items: readonly T[]) =>
    items.filter((one) => one.compile === compile);
  return [
    values(parser, compile),
    findings(store, parser, own(parser.findings)),
    list(parser, "Links", own(parser.links), (link) => linkItem(store, link, false)),
    list(parser, "Files", own(parser.files), (file) => fileItem(store, file, false)),
  ];
}

const by = (parser: Parser): string => `parser ${parser.name}`;

function failure(parser: Parser): HTMLElement | null {
  if (!parser.error) return null;
  const text = make("p", { class: "pad s-error" }, "✕ ", parser.error);
  return panel("Parser failed", by(parser), text, make("p", { class: "pad muted" }, "What it added is left out."));
}

/** What was not understood, or was too much. */
function notes(parser: Parser): HTMLElement | null {
  if (parser.error) return null;
  const added =
    parser.columns.length + parser.sections.length + parser.findings.length + parser.links.length + parser.files.length;
  const lines = [
    `${by(parser)} read ${plural(parser.records, "record")}${added ? "" : " and added nothing"}.`,
    parser.rejected > 0 &&
      `${plural(parser.rejected, "line")} of its answer ${parser.rejected === 1 ? "was" : "were"} ignored, first ${parser.example}.`,
    parser.more > 0 &&
      `${plural(parser.more, "answer")} beyond the limits ${parser.more === 1 ? "was" : "were"} left out.`,
  ];
  return make("p", { class: "pad muted" }, lines.filter(Boolean).join(" "));
}

function values(parser: Parser, compile: string): HTMLElement | null {
  const rows = parser.columns.filter((column) => Object.hasOwn(column.values, compile));
  if (!rows.length) return null;
  const row = ({ title, values: of }: (typeof rows)[number]) =>
    make("tr", {}, make("td", { class: "full" }, title), make("td", { class: "num" }, `${of[compile]}`));
  return panel("Values", by(parser), make("table", {}, make("tbody", {}, ...rows.map(row))));
}

function findings(store: Store, parser: Parser, items: readonly ParserFinding[]): HTMLElement | null {
  if (!items.length) return null;
  const article = (item: ParserFinding) =>
    make(
      "article",
      { class: "finding", "data-parser": parser.name },
      make(
        "span",
        { class: `sign s-${item.severity}`, role: "img", "aria-label": item.severity },
        SIGNS[item.severity],
      ),
      make(
        "div",
        {},
        make("h3", {}, ...prose(item.title)),
        item.message && make("p", { class: "why" }, ...prose(item.message)),
        (item.place || item.compile) &&
          make(
            "div",
            { class: "where" },
            item.place && place(store, item.place),
            item.compile && chip(store, item.compile),
          ),
        item.advice && make("p", { class: "advice" }, make("b", {}, "Fix: "), ...prose(item.advice)),
      ),
    );
  return panel("Issues from a parser", by(parser), ...items.map(article));
}

function place(store: Store, at: NonNullable<ParserFinding["place"]>): HTMLElement {
  const link = store.report.source_link;
  const full = `${at.file}${at.line ? `:${at.line}` : ""}`;
  const name = full.split("/").at(-1)!;
  const url = codeUrl(link, at.file, at.line);
  return make(
    "span",
    { class: "place mono" },
    url ? far(url, full + codeTitle(link), name) : make("span", { title: full }, name),
    at.function && ` in ${at.function}`,
  );
}

function chip(store: Store, key: string): HTMLElement {
  return make("a", { class: "chip", href: toCompile(key) }, store.name(key));
}

function list<T>(
  parser: Parser,
  title: string,
  items: readonly T[],
  item: (one: T) => HTMLElement | null,
): HTMLElement | null {
  if (!items.length) return null;
  return panel(title, by(parser), make("ul", { class: "plainlist" }, ...items.map(item)));
}

function linkItem(store: Store, link: ParserLink, named: boolean): HTMLElement {
  const url = outside(link.url);
  const text = link.title || link.url;
  return make(
    "li",
    {},
    url ? far(url, url, text) : text,
    " ",
    named && link.compile !== null && chip(store, link.compile),
  );
}

function fileItem(store: Store, file: ParserFile, named: boolean): HTMLElement {
  const url = inside(file.url.split("/").map(encodeURIComponent).join("/"));
  return make(
    "li",
    {},
    url ? make("a", { href: withSearch(store.base + url) }, file.name) : file.name,
    make("span", { class: "muted" }, ` ${bytes(file.bytes)} `),
    named && file.compile !== null && chip(store, file.compile),
  );
}

function sectionPanel(parser: Parser, section: ParserSection): HTMLElement {
  const texts = section.texts.map((text) => {
    const paragraph = make("p", { class: "pad" }, text);
    Object.assign(paragraph.style, { whiteSpace: "pre-wrap", overflowWrap: "anywhere" });
    return paragraph;
  });
  return panel(
    section.title,
    by(parser),
    ...texts,
    section.columns ? table(section.columns, section.rows ?? []) : null,
  );
}

type Cell = string | number;

function table(columns: readonly Cell[], rows: readonly (readonly Cell[])[]): HTMLElement {
  const numeric = columns.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === "number"));
  const cells = (tag: string, row: readonly Cell[]) =>
    make("tr", {}, ...row.map((cell, i) => make(tag, { class: numeric[i] ? "num" : "" }, `${cell}`)));
  const body = make("tbody", {}, ...rows.slice(0, ROWS_SHOWN).map((row) => cells("td", row)));
  const rest = rows.slice(ROWS_SHOWN);
  const box = make("div", { class: "scroll-x" }, make("table", {}, make("thead", {}, cells("th", columns)), body));
  if (rest.length) {
    const more = make("button", { type: "button", class: "plain link" }, `${count(rest.length)} more rows`);
    more.addEventListener("click", () => {
      body.append(...rest.map((row) => cells("td", row)));
      more.remove();
    });
    box.append(make("p", { class: "pad" }, more));
  }
  return box;
}

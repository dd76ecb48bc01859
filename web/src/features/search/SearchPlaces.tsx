import { type Compile, frameName, type Report } from "../../store/report";
import { useMemo } from "preact/hooks";
import { address, toCompile } from "../../lib/address";
import { useLoaded } from "../../lib/hooks";
import { placed } from "../../lib/packed";
import { bundle, type Bundles } from "../../lib/tl";
import { CompileNames } from "../../store/compile-name";
import { isNamed } from "../../store/search-report";

/** Links to what has this name: compiles, functions, files, pages and terms of the help. */
export function Places({ q, report }: { q: string; report: Report }) {
  const help = useLoaded(() => bundle("help"), []);
  const texts = help.state === "ready" ? help.value : null;
  const places = useMemo(() => placesOf(q, report, texts), [q, report, texts]);
  if (!places.length) return null;
  return (
    <nav class="search-places" aria-label="Matching names">
      {places.map((place) => (
        <a key={place.href + place.title} href={place.href} title={place.about}>
          <small>{place.kind}</small> {place.title}
        </a>
      ))}
    </nav>
  );
}

interface PlaceLink {
  kind: string;
  title: string;
  href: string;
  about: string;
}

const OF_A_KIND = 4;

function placesOf(q: string, report: Report, help: Bundles["help"] | null): PlaceLink[] {
  const wanted = q
    .trim()
    .replace(/^\[|\]$/g, "")
    .toLowerCase();
  if (wanted.length < 2) return [];
  const ids = report.compiles.filter((compile) => isNamed(compile, wanted));
  const names = new CompileNames(report.compiles);
  const distinct = (of: (compile: Compile) => string | undefined) =>
    [
      ...new Set(
        report.compiles.flatMap((compile) => of(compile) ?? []).filter((text) => text.toLowerCase().includes(wanted)),
      ),
    ].slice(0, OF_A_KIND);
  return [
    ...ids.slice(0, OF_A_KIND).map((compile) => ({
      kind: "compile",
      title: names.of(compile.key),
      href: toCompile(compile.key),
      about: [frameName(compile.frame), names.explain(compile.key)].filter(Boolean).join(". "),
    })),
    ...distinct((compile) => compile.frame?.function).map((text) => ({
      kind: "function",
      title: text,
      href: address(["compiles"], { q: text }),
      about: "its compiles",
    })),
    ...distinct((compile) => compile.frame?.file).map((text) => ({
      kind: "file",
      title: text.slice(text.lastIndexOf("/") + 1),
      href: address(["stacks"], { q: text }),
      about: text,
    })),
    ...(help?.searchHelp(wanted) ?? [])
      .slice(0, OF_A_KIND)
      .map((entry) => ({ kind: entry.kind, title: entry.title, href: placed(entry.href), about: entry.text })),
  ];
}

// A page that C has written whole, such as that of the provenance, where the report is one file: in a frame, because it has styles, keys and line
// anchors of its own. In the folder of a report such a page is a file, and nothing leads here.
import { useEffect, useRef } from "preact/hooks";
import { address } from "../../lib/address";
import { useLoaded, useTitle } from "../../lib/hooks";
import { packed, packedText, shownReport } from "../../lib/packed";
import { theme } from "../../lib/theme";
import { Empty, type PageProps, Pending } from "../../ui/page";
import "./page.css";

export function StandalonePage({ at }: PageProps) {
  const path = at.path[1] ?? "";
  useTitle(path);
  if (!packed()?.has(shownReport() + path))
    return (
      <Empty title="No such page">
        <code>{path}</code> <a href={address([])}>Overview</a>
      </Empty>
    );
  return <Framed path={path} anchor={at.query.at} />;
}

function Framed({ path, anchor }: { path: string; anchor: string | undefined }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const loaded = useLoaded(
    () => Promise.all([packedText(shownReport() + path), packedText("assets/app.css"), packedText("assets/app.js")]),
    [path],
  );
  useEffect(() => {
    const element = frame.current;
    if (loaded.state !== "ready" || !element) return;
    // C has escaped the text of the log in it, and the policy of this page, which the frame has too, runs nothing that C did not write.
    element.setAttribute("srcdoc", documentOf(...loaded.value));
    element.onload = () => anchor && element.contentWindow && (element.contentWindow.location.hash = anchor);
  }, [loaded, anchor]);
  return (
    <>
      <Pending of={loaded} what="the page" />
      <h1 class="sr">{path}</h1>
      <iframe ref={frame} class="standalone-page" title={path} />
    </>
  );
}

/** `body`: the page from its body element on, without scripts that are files. Neither text ends its element: a unit test looks. */
function documentOf(body: string, style: string, script: string): string {
  return `<!DOCTYPE html><html lang="en" data-theme="${theme()}"><head><meta charset="utf-8"><style>${style}</style></head>${body}<script>${script}</script></html>`;
}

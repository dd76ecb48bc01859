import type { ComponentChildren } from "preact";
import { baseName, middle } from "../lib/format";
import { besidePlace } from "../store/place";
import type { Frame, Place } from "../store/types";
import { useCodeLink } from "./context";

export function CodeLink({ link, children }: { link: object | null; children: ComponentChildren }) {
  return link ? (
    <a class="mono" {...link}>
      {children}
    </a>
  ) : (
    <span class="mono">{children}</span>
  );
}

/** `file.py:12 in function`; the whole path is in the title. A link if the report knows where the code is. */
export function PlaceText({
  place,
  full = false,
  limit = 60,
}: {
  place: Place | string | null | undefined;
  full?: boolean;
  limit?: number;
}) {
  const link = useCodeLink(typeof place === "string" ? null : place);
  if (!place) return null;
  if (typeof place === "string")
    return (
      <span class="mono" title={place}>
        {middle(place, limit)}
      </span>
    );
  if (!place.file) return place.function ? <span class="mono">{place.function}</span> : null;
  const line = place.line ? `:${place.line}` : "";
  const shown = full ? middle(place.file, limit) : middle(baseName(place.file), limit);
  return (
    <span class="place" title={`${place.file}${line}`}>
      <CodeLink link={link}>
        {shown}
        {line}
      </CodeLink>
      {place.function && (
        <>
          {" "}
          <span class="muted">in</span> <span class="mono">{middle(place.function, limit)}</span>
        </>
      )}
    </span>
  );
}

/** The function first, as in lists of compiles, and its place in a muted color. */
export function FrameName({ frame }: { frame: Frame | null }) {
  if (!frame) return <span class="muted">–</span>;
  return (
    <span class="mono" title={`${frame.function}\n${frame.file}:${frame.line ?? "?"}`}>
      {besidePlace(frame)}{" "}
      {frame.file && (
        <span class="muted">
          {baseName(frame.file)}:{frame.line ?? "?"}
        </span>
      )}
    </span>
  );
}

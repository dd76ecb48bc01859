import { baseName, middle } from "../lib/format";
import { frameName } from "../store/place";
import type { Frame, Place } from "../store/types";

/** `file.py:12 in function`; the whole path is in the title. The file is on another machine, so it is no link. */
export function PlaceText({
  place,
  full = false,
  limit = 60,
}: {
  place: Place | string | null | undefined;
  full?: boolean;
  limit?: number;
}) {
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
      <span class="mono">
        {shown}
        {line}
      </span>
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
      {frameName(frame)}{" "}
      {frame.file && (
        <span class="muted">
          {baseName(frame.file)}:{frame.line ?? "?"}
        </span>
      )}
    </span>
  );
}

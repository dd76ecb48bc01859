import type { Place } from "../store/types";
import { PlaceText } from "./PlaceText";

interface Props {
  place: Place | null | undefined;
  code: string | null | undefined;
  severity?: "error" | "warning" | "info";
  /** Say where it is if the log does not have its text. */
  always?: boolean;
}

/** A line of the user's program behind its number. */
export function SourceLine({ place, code, severity = "info", always = false }: Props) {
  if (!code && !(always && place)) return null;
  return (
    <div class="sourceline">
      <div class={severity === "error" ? "hit" : severity === "warning" ? "warn" : ""}>
        {code ? (
          <>
            <i aria-hidden={!place?.line}>{place?.line || ""}</i>
            <code>{code}</code>
          </>
        ) : (
          <>
            <PlaceText place={place} /> <span class="muted">no source text in the log</span>
          </>
        )}
      </div>
    </div>
  );
}

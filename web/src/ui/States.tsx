import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Why there is nothing to see, in one line: what is missing, then why or what to do, if that is not obvious. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <p class="state">
      <b>{title}</b>
      {children && <span>{children}</span>}
    </p>
  );
}

export function Failed({ error }: { error: Error }) {
  return (
    <div class="state failed" role="alert">
      <b>✕ {error.message}</b>
    </div>
  );
}

/** Shown after a moment only: most parts arrive sooner, and text that flashes by disturbs. */
export function Loading({ what }: { what: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="state" aria-busy="true">
      {late ? `Loading ${what}…` : ""}
    </div>
  );
}

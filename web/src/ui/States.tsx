import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Why there is nothing to see. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <b>{title}</b>
      {children && <p>{children}</p>}
    </div>
  );
}

export function Failed({ error }: { error: Error }) {
  return (
    <div class="state failed" role="alert">
      <b>✕ {error.message}</b>
    </div>
  );
}

/** Shown after a moment only: most parts are there sooner, and a flash of text disturbs. */
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

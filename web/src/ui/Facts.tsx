import type { ComponentChildren } from "preact";

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values; facts without a value are left out, unless `dash` asks for a dash. */
export function Facts({ facts, dash = false }: { facts: readonly Fact[]; dash?: boolean }) {
  const shown = dash
    ? facts
    : facts.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== "–");
  return (
    <dl>{shown.map(([name, value]) => [<dt key={`${name}-t`}>{name}</dt>, <dd key={name}>{value ?? "–"}</dd>])}</dl>
  );
}

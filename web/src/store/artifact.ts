import { insideEncoded, outside } from "../lib/address";
import type { Artifact } from "./report";

/** The address of an artifact's file, or of the place a `link` record points at; null when it is not safe to follow. */
export function artifactUrl(artifact: Artifact): string | null {
  if (artifact.kind === "link") return outside(artifact.url);
  return artifact.url === null ? null : fileUrl(artifact.url);
}

export const fileUrl = (path: string | null): string | null => insideEncoded(path);

/** Whether the page can show it itself; else it is a page of its own or a link. */
export function hasText(artifact: Artifact): boolean {
  return artifact.text !== null;
}

/** The sign of a cache's answer, which the contract gives as an emoji, in the font of the page. */
export function sign(artifact: Artifact): string {
  return ({ "✅": "✓", "❌": "✗", "❓": "○" } as Record<string, string>)[artifact.suffix] ?? artifact.suffix;
}

export interface Group {
  title: string;
  items: { artifact: Artifact; n: number }[];
}

/** The artifacts of a compile by attempt and subgraph, in the order of their first artifacts. */
export function groupArtifacts(artifacts: readonly Artifact[]): Group[] {
  const attempts = new Set(artifacts.map((artifact) => artifact.attempt).filter((attempt) => attempt !== null));
  const groups = new Map<string, Group>();
  artifacts.forEach((artifact, n) => {
    const title = [
      attempts.size > 1 ? (artifact.attempt === null ? "no attempt" : `attempt ${artifact.attempt}`) : "",
      artifact.subgraph ? `subgraph ${artifact.subgraph}` : "",
    ]
      .filter(Boolean)
      .join(" · ");
    const group = groups.get(title) ?? { title, items: [] };
    group.items.push({ artifact, n });
    groups.set(title, group);
  });
  return [...groups.values()];
}

/** The name of the artifact's file; of one without a file its own name. */
export function fileName(artifact: Artifact): string {
  return artifact.url !== null && artifact.kind !== "link"
    ? artifact.url.slice(artifact.url.lastIndexOf("/") + 1)
    : artifact.name;
}

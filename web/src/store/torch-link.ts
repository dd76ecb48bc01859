// Links from places inside PyTorch to its own code on GitHub: at the tag of a release, or the commit of a nightly or of a build from the source.
// eslint-disable-next-line no-restricted-syntax -- a link that the reader may follow; the page loads nothing from it
const HOME = "https://github.com/pytorch/pytorch/blob/";
/** A release, as a wheel of pytorch.org or PyPI names it. */
const RELEASE = /^(\d{1,3}\.\d{1,3}\.\d{1,3})(?:\+(?:cpu|cu\d+|rocm[\d.]+|xpu))?$/;
const NIGHTLY = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.dev\d{8}(?:\+(?:cpu|cu\d+|rocm[\d.]+|xpu))?$/;
const COMMIT = /\+git([0-9a-f]{7,40})$/;
const WHOLE = /^[0-9a-f]{40}$/;
const INSIDE = /\/(?:site|dist)-packages\/(torch\/.+\.py)$/;
/** Written when PyTorch is built. */
const MADE = new Set(["torch/version.py"]);

/** What a report says of PyTorch. */
export interface Torch {
  torch?: string | null;
  torch_commit?: string;
}

/** The tag or commit of a version; null: there is none that is public. Builds of vendors have commits that only they have. */
export function torchRef({ torch, torch_commit }: Torch): string | null {
  const version = torch ?? "";
  const commit = WHOLE.test(torch_commit ?? "") ? torch_commit! : null;
  const release = RELEASE.exec(version)?.[1];
  if (release) return `v${release}`;
  const named = COMMIT.exec(version)?.[1];
  if (named) return commit?.startsWith(named) ? commit : named;
  return NIGHTLY.test(version) ? commit : null;
}

/** The address of a line of a file of PyTorch; null for other files, and if it is not known which code it is. */
export function torchUrl(torch: Torch, file: string | null | undefined, line?: number | null): string | null {
  const ref = torchRef(torch);
  const path = INSIDE.exec(file?.replaceAll("\\", "/") ?? "")?.[1];
  if (!ref || !path || MADE.has(path) || path.split("/").some((part) => /^\.{0,2}$/.test(part))) return null;
  const encoded = path
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  return `${HOME}${ref}/${encoded}${line ? `#L${line}` : ""}`;
}

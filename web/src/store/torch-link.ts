// Links from places inside PyTorch to its own code on GitHub: at the tag of a release, or the commit that its version names.
// eslint-disable-next-line no-restricted-syntax -- a link that the reader may follow; the page loads nothing from it
const HOME = "https://github.com/pytorch/pytorch/blob/";
/** A release, as a wheel of pytorch.org or PyPI names it; a build of one's own or a nightly has other versions. */
const RELEASE = /^(\d{1,3}\.\d{1,3}\.\d{1,3})(?:\+(?:cpu|cu\d+|rocm[\d.]+|xpu))?$/;
const COMMIT = /\+git([0-9a-f]{7,40})$/;
const INSIDE = /\/(?:site|dist)-packages\/(torch\/.+\.py)$/;
/** Written when PyTorch is built. */
const MADE = new Set(["torch/version.py"]);

/** The tag or commit of a version; null: there is none that is public. */
export function torchRef(version: string | null | undefined): string | null {
  const release = RELEASE.exec(version ?? "")?.[1];
  return release ? `v${release}` : (COMMIT.exec(version ?? "")?.[1] ?? null);
}

/** The address of a line of a file of PyTorch; null for other files, and if it is not known which code it is. */
export function torchUrl(
  version: string | null | undefined,
  file: string | null | undefined,
  line?: number | null,
): string | null {
  const ref = torchRef(version);
  const path = INSIDE.exec(file?.replaceAll("\\", "/") ?? "")?.[1];
  if (!ref || !path || MADE.has(path) || path.split("/").some((part) => /^\.{0,2}$/.test(part))) return null;
  const encoded = path
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  return `${HOME}${ref}/${encoded}${line ? `#L${line}` : ""}`;
}

// The worker: what would hold up the page for longer than a moment. It is started from a Blob, since file:// refuses workers with an address.
import { lineDiff } from "../data/diff-lines";
import { searchText } from "../data/search";
import type { Answers, Request } from "./protocol";

self.onmessage = ({ data }: MessageEvent<{ id: number; request: Request }>) => {
  const { id, request } = data;
  try {
    self.postMessage({ id, answer: answer(request) });
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};

function answer(request: Request): Answers[keyof Answers] {
  if (request.kind === "diff") return lineDiff(request.left, request.right, request.options, 4000);
  const decoder = new TextDecoder();
  return request.texts.map((text) => searchText(decoder.decode(text), request.query));
}

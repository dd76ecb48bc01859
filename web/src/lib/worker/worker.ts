// assets/worker.js: what would hold up the page for longer than a moment, and what no first view needs. build.mjs wraps it so that its text is the
// worker's program as well: file:// refuses workers with an address, so one is started from a Blob.
import { answer } from "./answer";
import type { Answers, Request } from "./protocol";

export { lineDiff } from "../diff-lines";
export { graphDiff } from "../graph/graph-diff";
export { answerHere } from "./answer";

declare module "../tl" {
  interface Bundles {
    /** with its own text as the program of a worker */
    worker: typeof import("./worker") & { program: string };
  }
}

type Reply = { id: number; answer?: Answers[keyof Answers]; error?: string };

/** In a worker: answers one request after the other. */
export function serve(scope: {
  onmessage: ((event: MessageEvent<{ id: number; request: Request }>) => void) | null;
  postMessage(reply: Reply): void;
}): void {
  scope.onmessage = ({ data }) => {
    const { id, request } = data;
    try {
      scope.postMessage({ id, answer: answer(request) });
    } catch (error) {
      scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
  };
  scope.postMessage({ id: 0 }); // it runs: texts may be moved here
}

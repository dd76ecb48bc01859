// The worker: what would hold up the page for longer than a moment. It is started from a Blob, since file:// refuses workers with an address.
import { answer } from "./answer";
import type { Request } from "./protocol";

self.onmessage = ({ data }: MessageEvent<{ id: number; request: Request }>) => {
  const { id, request } = data;
  try {
    self.postMessage({ id, answer: answer(request) });
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};
self.postMessage({ id: 0 }); // it runs: texts may be moved here

// Asks for a layout, in a worker of its own when the browser allows one.
import type { Bundles } from "../tl";
import type { Answer } from "./drawing-bundle";
import type { Layout, LayoutRequest } from "./layout";

/** With a worker the page goes on meanwhile; more nodes than that would take more than some ten seconds. */
export const WORKER_LIMIT = 5000;
/** Without one, the page freezes for about a second. */
export const PAGE_LIMIT = 700;

export class NoWorker extends Error {}

/** Rejects with NoWorker when the browser refuses a worker and the graph is too large to be laid out without. `signal` ends it. */
export async function layOut(
  drawing: Bundles["drawing"],
  request: LayoutRequest,
  signal: AbortSignal,
): Promise<Layout> {
  const worker = start(drawing.program);
  const answer = worker && (await ask(worker, request, signal));
  if (answer) return answer;
  if (request.widths.length > PAGE_LIMIT) throw new NoWorker();
  return drawing.layoutOf(request);
}

function start(program: string): Worker | null {
  const blobUrl = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  try {
    return new Worker(blobUrl);
  } catch {
    return null;
  } finally {
    setTimeout(() => URL.revokeObjectURL(blobUrl), 10_000);
  }
}

/** null when the worker never ran: some browsers report a refusal by an event only. */
function ask(worker: Worker, request: LayoutRequest, signal: AbortSignal): Promise<Layout | null> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.terminate();
      settle();
    };
    signal.addEventListener("abort", () => end(() => reject(new DOMException("ended", "AbortError"))));
    worker.onmessage = ({ data }: MessageEvent<Answer>) =>
      end(() => ("layout" in data ? resolve(data.layout) : reject(new Error(data.error))));
    worker.onerror = () => end(() => resolve(null));
    worker.postMessage(request);
  });
}

// The page's side of its worker. What does not answer in time is ended with its worker; the next question gets a new one.
import { bundle } from "./tl";
import type { Answers, Request } from "./worker/protocol";

const START_MS = 10_000;

/** The host of the page refuses workers: asked once, held until the page is left. */
let refused = false;
export const worksHere = (): boolean => refused;

export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`ended after ${ms / 1000} s`);
  }
}

export class Work {
  #worker: Worker | null = null;
  #asked = 0;
  #abandon: ((reason: Error) => void) | null = null;
  #stops = 0;

  /** One question at a time. */
  async ask<K extends Request["kind"]>(
    request: Request & { kind: K },
    limitMs: number,
    moved: Transferable[] = [],
  ): Promise<Answers[K]> {
    const stops = this.#stops;
    const worker = this.#worker ?? (refused ? null : await start());
    if (stops !== this.#stops) {
      worker?.terminate();
      throw new Error("stopped");
    }
    if (!worker) return (await this.#here(request)) as Answers[K];
    this.#worker = worker;
    const id = ++this.#asked;
    return new Promise<Answers[K]>((resolve, reject) => {
      const fail = (error: Error) => {
        clearTimeout(timer);
        this.#abandon = null;
        reject(error);
      };
      const timer = setTimeout(() => {
        this.#abandon = null;
        this.stop();
        fail(new TookTooLong(limitMs));
      }, limitMs);
      this.#abandon = fail;
      worker.onmessage = ({ data }: MessageEvent<{ id: number; answer?: Answers[K]; error?: string }>) => {
        if (data.id !== id) return;
        if (data.answer === undefined) return fail(new Error(data.error ?? "the worker failed"));
        clearTimeout(timer);
        this.#abandon = null;
        resolve(data.answer);
      };
      worker.onerror = (event) => fail(new Error(event.message || "the worker failed"));
      worker.postMessage({ id, request }, moved);
    });
  }

  /** Has no limit of time: the page goes on meanwhile, and stop() ends it. */
  async #here(request: Request): Promise<Answers[keyof Answers]> {
    const stops = this.#stops;
    const { answerHere } = await bundle("worker");
    return answerHere(request, () => {
      if (stops !== this.#stops) throw new Error("stopped");
    });
  }

  /** Ends what runs. */
  stop(): void {
    this.#stops++;
    this.#worker?.terminate();
    this.#worker = null;
    const abandon = this.#abandon;
    this.#abandon = null;
    abandon?.(new Error("stopped"));
  }
}

/** A worker that has said that it runs; null where the host refuses it: some browsers throw, others report it later. */
async function start(): Promise<Worker | null> {
  const blobUrl = URL.createObjectURL(new Blob([(await bundle("worker")).program], { type: "text/javascript" }));
  try {
    const worker = new Worker(blobUrl);
    const runs = await new Promise<boolean>((resolve) => {
      worker.onmessage = () => resolve(true);
      worker.onerror = () => resolve(false);
      setTimeout(() => resolve(false), START_MS);
    });
    if (runs) return worker;
    worker.terminate();
  } catch {
    // refused
  } finally {
    URL.revokeObjectURL(blobUrl);
  }
  refused = true;
  return null;
}

// The page's side of its worker. What does not answer in time is ended with its worker; the next question gets a new one.
import { bundle } from "../tl";
import type { Answers, Request } from "../worker/protocol";

export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`ended after ${ms / 1000} s`);
  }
}

export class Work {
  #worker: Worker | null = null;
  #asked = 0;
  #abandon: ((reason: Error) => void) | null = null;

  /** One question at a time. */
  async ask<K extends Request["kind"]>(request: Request & { kind: K }, limitMs: number, moved: Transferable[] = []): Promise<Answers[K]> {
    this.#worker ??= await start();
    const worker = this.#worker;
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

  /** Ends what runs. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    const abandon = this.#abandon;
    this.#abandon = null;
    abandon?.(new Error("stopped"));
  }
}

async function start(): Promise<Worker> {
  const blobUrl = URL.createObjectURL(new Blob([await bundle("worker")], { type: "text/javascript" }));
  try {
    return new Worker(blobUrl);
  } finally {
    setTimeout(() => URL.revokeObjectURL(blobUrl), 10_000);
  }
}

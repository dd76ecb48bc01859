// A search over all artifacts of a report: texts are read one after the other, looked through in the worker, and dropped.
import { type SearchQuery, type TextHits } from "../lib/search";
import type { Store } from "./store";
import type { Artifact, Compile } from "./report";
import { TookTooLong, type Work } from "../lib/work";

export interface Found {
  compile: Compile;
  artifact: Artifact;
  /** place in the compile's list */
  n: number;
  result: TextHits;
}

export interface Progress {
  bytes: number;
  total: number;
  texts: number;
  /** texts in which the expression took too long */
  slow: { compile: Compile; n: number; artifact: Artifact }[];
}

export interface Scope {
  /** part of the artifact's name */
  name: string;
  /** kindOf() of the artifact */
  kind: string;
  status: string;
  /** a compile id, a key, or the first part of an id: "2" is all compiles of frame 2 */
  id: string;
}

/** What an artifact is, for choosing: those without a kind of their own in the log are recognized by their name. */
export const kindOf = (artifact: Artifact): string => (artifact.kind === "artifact" ? artifact.name : artifact.kind);

/** Whether a reader may mean this compile: by its key, by its id (all of that id), or by its frame. */
export function isNamed(compile: Compile, wanted: string): boolean {
  return (
    compile.key === wanted ||
    compile.id === wanted ||
    compile.id.startsWith(`${wanted}/`) ||
    compile.key === wanted.replace(/\s+/g, "")
  );
}

export function inScope(compile: Compile, { status, id }: Scope): boolean {
  const wanted = id.trim().replace(/^\[|\]$/g, "");
  return (!status || compile.status === status) && (!wanted || isNamed(compile, wanted));
}

interface Text {
  compile: Compile;
  artifact: Artifact;
  n: number;
}

const BATCH = 1 << 20; // bytes that go to the worker together
const LIMIT_MS = 2000; // for a text, or several small ones
const SLOW_MOST = 5; // texts that may take too long before the search is given up

/** Yields what was found, some texts at a time. Stopping is `work.stop()` and leaving the loop. */
export async function* searchReport(
  store: Store,
  query: SearchQuery,
  scope: Scope,
  work: Work,
): AsyncGenerator<{ found: Found[]; progress: Progress }> {
  const wanted = (compile: Compile) => inScope(compile, scope);
  const progress: Progress = {
    bytes: 0,
    total: store.report.compiles.reduce((n, compile) => n + (wanted(compile) ? compile.bytes : 0), 0),
    texts: 0,
    slow: [],
  };
  const batches = read(store, scope, progress);
  let next = batches.next();
  for (;;) {
    const result = await next;
    if (result.done) return;
    next = batches.next(); // is read while the worker looks through this one
    next.catch(() => undefined);
    const found = await look(result.value, store, query, work, progress);
    yield { found, progress };
    if (progress.slow.length >= SLOW_MOST) return;
  }
}

async function* read(store: Store, scope: Scope, progress: Progress): AsyncGenerator<Text[]> {
  const name = scope.name.toLowerCase();
  let batch: Text[] = [];
  let size = 0;
  for await (const { first, details } of store.allDetails()) {
    for (const [i, detail] of details.entries()) {
      const compile = store.report.compiles[first + i]!;
      if (!inScope(compile, scope)) continue;
      for (const [n, artifact] of detail.artifacts.entries()) {
        if (
          !artifact.text ||
          (scope.kind && kindOf(artifact) !== scope.kind) ||
          (name && !artifact.name.toLowerCase().includes(name) && !artifact.kind.includes(name))
        ) {
          progress.total -= artifact.bytes;
          continue;
        }
        if (batch.length && size + artifact.bytes > BATCH) {
          yield batch;
          [batch, size] = [[], 0];
        }
        batch.push({ compile, artifact, n });
        size += artifact.bytes;
      }
    }
  }
  if (batch.length) yield batch;
}

async function look(
  batch: readonly Text[],
  store: Store,
  query: SearchQuery,
  work: Work,
  progress: Progress,
): Promise<Found[]> {
  const texts = await Promise.all(batch.map((item) => store.bytes(item.artifact)));
  try {
    const results = await work.ask(
      { kind: "search", query, texts },
      LIMIT_MS,
      texts.map((text) => text.buffer),
    );
    progress.texts += batch.length;
    for (const item of batch) progress.bytes += item.artifact.bytes;
    return batch.flatMap((item, i) => (results[i]!.count ? [{ ...item, result: results[i]! }] : []));
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    if (batch.length === 1) {
      progress.texts++;
      progress.bytes += batch[0]!.artifact.bytes;
      progress.slow.push(batch[0]!);
      return [];
    }
  }
  const found: Found[] = []; // which of them it was
  for (const item of batch) {
    found.push(...(await look([item], store, query, work, progress)));
    if (progress.slow.length >= SLOW_MOST) break;
  }
  return found;
}

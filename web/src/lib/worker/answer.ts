// What the worker does; the page does it itself where a host refuses workers (a CSP without worker-src blob:).
import { lineDiff } from "../diff-lines";
import { graphDiff } from "../graph/graph-diff";
import { mayRunAway, searchSlices, searchText } from "../search";
import type { Answers, Request } from "./protocol";

const DIFF_MS = 4000;
const DIFF_HERE_MS = 500; // the page is frozen meanwhile
const TURN_MS = 12;

export function answer(request: Request): Answers[keyof Answers] {
  if (request.kind === "diff") return lineDiff(request.left, request.right, request.options, DIFF_MS);
  if (request.kind === "graphs") return { found: graphDiff(request.left, request.right) };
  const decoder = new TextDecoder();
  return request.texts.map((text) => searchText(decoder.decode(text), request.query));
}

/** In the page's own thread: gives it back every few milliseconds, asking `go` (which may throw) whether to go on. */
export async function answerHere(request: Request, go: () => void): Promise<Answers[keyof Answers]> {
  if (request.kind === "diff") return lineDiff(request.left, request.right, request.options, DIFF_HERE_MS);
  if (request.kind === "graphs") return answer(request);
  if (request.query.regexp && mayRunAway(request.query.text))
    throw new Error(
      "This host refuses workers, so an expression that repeats a repeat or a choice, as (a+)+ does, could not be stopped. It was not run: write it without.",
    );
  const decoder = new TextDecoder();
  const results = [];
  let until = performance.now() + TURN_MS;
  for (const text of request.texts) {
    const steps = searchSlices(decoder.decode(text), request.query);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        results.push(step.value);
        break;
      }
      if (performance.now() < until) continue;
      await new Promise((resolve) => setTimeout(resolve));
      go();
      until = performance.now() + TURN_MS;
    }
  }
  await new Promise((resolve) => setTimeout(resolve));
  go();
  return results;
}

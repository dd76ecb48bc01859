// How compiles are called. Their ids come back after torch._dynamo.reset(), and in other processes of the same log; their keys do not.
import { ordinal } from "../lib/text";
import type { Compile } from "./report";

type Named = Pick<Compile, "key" | "id" | "generation" | "process" | "process_nth" | "process_file" | "is_compile">;

/** "4711:0/0#2" in its parts; a process may be "7.2", the second one with the ID 7. */
export function parseKey(key: string): { process: string | null; id: string; generation: number } {
  const [, process, id, generation] = /^(?:(\d+(?:\.\d+)?):)?(.*?)(?:#(\d+))?$/s.exec(key)!;
  return {
    process: process === undefined ? null : process,
    id: id!,
    generation: generation === undefined ? 1 : Number(generation),
  };
}

/** "7", or "7.2" of the second process with that ID. */
export const processName = (compile: { process: number; process_nth?: number | undefined }): string =>
  compile.process_nth ? `${compile.process}.${compile.process_nth}` : `${compile.process}`;

/** The same with its file, where several files have processes of that ID; null where the log has one process. */
export function processOf(compile: Named): string | null {
  if (!compile.key.startsWith(`${processName(compile)}:`)) return null;
  return compile.process_file === undefined
    ? processName(compile)
    : `${processName(compile)} of ${compile.process_file}`;
}

export class CompileNames {
  #items: ReadonlyMap<string, Named>;
  /** by process and id: how many compiles have it */
  #generations = new Map<string, number>();

  constructor(compiles: readonly Named[]) {
    this.#items = new Map(compiles.map((compile) => [compile.key, compile]));
    for (const compile of compiles) {
      // The records behind the last compile of [-/-] are none.
      if (compile.generation > 1 && compile.is_compile)
        this.#generations.set(idOf(compile), Math.max(compile.generation, this.#count(compile)));
    }
  }

  /** The key as people read it: with a generation where there is more than one, also on the first. */
  of(key: string): string {
    const compile = this.#items.get(key);
    if (!compile) return key;
    const bare = key.replace(/#\d+$/, "");
    return compile.is_compile && this.#count(compile) > 1 ? `${bare}\u00a0#${compile.generation}` : bare;
  }

  /** How many compiles have the id of this one, in its process. */
  generations(key: string): number {
    const compile = this.#items.get(key);
    return compile?.is_compile ? this.#count(compile) : 1;
  }

  /** What the name does not say by itself; "" where it does. */
  explain(key: string): string {
    const compile = this.#items.get(key);
    if (!compile) return "";
    const named = processOf(compile);
    const process = named === null ? "" : `In process ${named}. `;
    const several = this.#count(compile);
    if (several < 2 || !compile.is_compile) return process.trim();
    if (compile.id === "-/-")
      return `${process}The ${ordinal(compile.generation)} of ${several} compiles without a compile id.`;
    return `${process}torch._dynamo.reset() resets the ids: this is the ${ordinal(compile.generation)} of ${several} compiles called ${compile.id}.`;
  }

  #count(compile: Named): number {
    return this.#generations.get(idOf(compile)) ?? 1;
  }
}

const idOf = (compile: Named): string => `${processName(compile)} ${compile.id}`;

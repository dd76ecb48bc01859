// Artifacts that are programs of their own, and the command that runs them.
import type { Artifact, Report } from "./types";

export interface Runnable {
  n: number;
  /** what it does */
  title: string;
  command: string;
  needs: string[];
}

/** A word of a shell's command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** Where the text of an artifact lies in the report's folder as it is; null where there is no such file. */
function plainFile(artifact: Artifact): string | null {
  const file = artifact.payload_url ?? artifact.url;
  return file !== null && /\.(txt|py)$/.test(file) ? file : null;
}

/** A name that starts with "-" would be taken for an option. */
const path = (file: string): string => (file.startsWith("-") ? `./${file}` : file);

export function runnables(report: Report, artifacts: readonly Artifact[]): Runnable[] {
  const { torch, cuda } = report.run;
  const version = `PyTorch ${torch ?? "of the same version"}: the program uses its internals, so another version may refuse it`;
  const found: Runnable[] = [];
  artifacts.forEach((artifact, n) => {
    const file = plainFile(artifact);
    if (artifact.name === "fx_graph_runnable" && file) {
      found.push({
        n,
        title: "compiles and runs this graph alone, with inputs of the same shapes",
        command: `python ${shellWord(path(file))}`,
        needs: [
          version,
          "a GPU where the graph was compiled for one",
          "weights and inputs are random: shapes and types are as they were, values are not",
          "its first lines set the environment of the logged machine (TORCH_TRACE, folders of caches): take out what does not suit",
        ],
      });
    }
    if (artifact.kind === "inductor_output_code" && artifact.lang === "python" && file) {
      found.push({
        n,
        title: "runs the generated code with random inputs and prints how long it takes",
        command: `python ${shellWord(path(file))}`,
        needs: [
          version,
          ...(cuda === null ? [] : ["a GPU of the same kind where its kernels are Triton's"]),
          "the text must have its part under __main__: PyTorch leaves it out where benchmark_harness is off",
        ],
      });
    }
  });
  return found;
}

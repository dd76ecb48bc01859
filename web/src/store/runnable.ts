// Artifacts that are programs of their own, and the command that runs them.
import type { Artifact, Report } from "./report";

export interface Runnable {
  n: number;
  /** what it does */
  title: string;
  /** as a word of a command line */
  file: string;
  needs: string[];
}

/** A word of a shell's command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** Where the text of an artifact is in the report's folder, unchanged; null where there is no such file. */
function plainFile(artifact: Artifact): string | null {
  const file = artifact.payload_url ?? artifact.url;
  return file !== null && /\.(txt|py)$/.test(file) ? file : null;
}

/** A name that starts with "-" would be taken for an option. */
const path = (file: string): string => (file.startsWith("-") ? `./${file}` : file);

export function runnables(report: Report, artifacts: readonly Artifact[]): Runnable[] {
  const { torch, cuda } = report.run;
  const version = `PyTorch ${torch ?? "of the same version"}: the script uses internal APIs`;
  const found: Runnable[] = [];
  artifacts.forEach((artifact, n) => {
    const file = plainFile(artifact);
    if (artifact.name === "fx_graph_runnable" && file) {
      found.push({
        n,
        title: "Compile and run a graph with random inputs of the same shapes",
        file: shellWord(path(file)),
        needs: [
          version,
          "a GPU, if the graph was compiled for one",
          "weights and inputs are random; shapes and dtypes are the original ones",
          "its first lines set environment variables of the logged machine (TORCH_TRACE, cache directories): remove those that do not apply",
        ],
      });
    }
    if (artifact.kind === "inductor_output_code" && artifact.lang === "python" && file) {
      found.push({
        n,
        title: "Benchmark the generated code with random inputs",
        file: shellWord(path(file)),
        needs: [
          version,
          ...(cuda === null ? [] : ["the same type of GPU, if it has Triton kernels"]),
          "its __main__ block, which Inductor writes if config.benchmark_harness is on",
        ],
      });
    }
  });
  return found;
}

// Where a report shows what a figure of a line counts.
import { address } from "../../lib/address";
import { baseName } from "../../lib/text";
import type { CostKey, LineCost } from "../../store/lines";
import type { Report } from "../../store/report";

type Place = { file: string | null; line: number } | null;

/** The one item of a list that is of the line, by its number, or a filter for all of them. */
function oneOrAll(page: string, places: readonly (readonly Place[])[], line: LineCost): string {
  const found = places.flatMap((own, n) =>
    own.some((place) => place?.file === line.file && place.line === line.line) ? n : [],
  );
  return address([page], found.length === 1 ? { n: `${found[0]}` } : { q: `${line.file}:${line.line}` });
}

export function costLink(report: Report, line: LineCost, key: CostKey): string {
  const named = `${baseName(line.file)}:${line.line}`;
  const whole = `${line.file}:${line.line}`;
  switch (key) {
    case "breaks":
      return oneOrAll(
        "breaks",
        report.graph_breaks.map(({ place }) => [place]),
        line,
      );
    case "recompiles":
      return oneOrAll(
        "recompiles",
        report.recompiles.map(({ causes }) => causes.map(({ place }) => place)),
        line,
      );
    case "compile_us":
      return address(["compiles"], { q: whole });
    case "run_us":
      return address(["runtime"], { q: named });
    case "kernels":
      return address(["kernels"], { q: whole });
    case "guards": // with the end of the path of the line that made them
      return address(["search"], { q: named, word: "1", in: "dynamo_cpp_guards_str" });
    case "ops":
    case "saved_bytes":
      return address(["code", "line"], { file: line.file, line: `${line.line}` });
  }
}

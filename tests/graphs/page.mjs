// What the page says about two graphs, for run.py: reads a list of [text, text] of files, writes a line of JSON for each pair,
// with members of what `tlparse graph --diff --format json` says.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "../../web");
const { runnerImport } = await import(createRequire(join(web, "package.json")).resolve("vite"));
const load = async (name) =>
  (await runnerImport(join(web, "src/lib/graph", name), { configFile: false, logLevel: "error" })).module;
const { readOpGraph } = await load("op-read.ts");
const { diffGraphs } = await load("op-diff.ts");
const { Words } = await load("words.ts");
const { callText } = await load("op-call.ts");
const { countOps, graphName, DIFFERS } = await load("op-graph.ts");

const NAMES = { resized: "sizes", rewired: "operands", changed: "call", retyped: "type", restrided: "strides" };

const placeOf = (graph, node) => (node.source < 0 ? null : graph.sources[node.source]);

function member(graph, i) {
  const node = graph.nodes[i];
  const value = callText(node);
  return { graph: graphName(graph, node), node: i, name: node.name || null, value, place: placeOf(graph, node) };
}

function differsOf(diff, j) {
  const of = diff.match.b[j] < 0 ? null : diff.match.b[j];
  const differs = Object.keys(NAMES).filter((key) => diff.differs[j] & DIFFERS[key]);
  return of === null ? { of } : { of, differs: differs.map((key) => NAMES[key]) };
}

function answer(left, right) {
  const words = new Words();
  const [a, b] = [readOpGraph(left, words), readOpGraph(right, words)];
  const diff = diffGraphs(a, b);
  const side = (graph) => ({ ops: countOps(graph), more_nodes: graph.more, nodes: graph.nodes.length });
  const { same, resized, rewired, restrided, retyped, inputs, counts, sizes, types } = diff;
  return {
    ...{ base: side(a), new: side(b), same, resized, rewired, restrided, retyped, inputs, counts, sizes, types },
    changes: diff.edits.map((edit, i) => ({
      change: edit.change,
      equal_to: diff.equalTo[i] === i ? null : diff.equalTo[i],
      base: edit.a.map((i) => member(a, i)),
      new: edit.b.map((i) => member(b, i)),
    })),
    nodes: b.nodes.map((_, j) => differsOf(diff, j)),
  };
}

let asked = "";
for await (const chunk of process.stdin.setEncoding("utf8")) asked += chunk;
for (const pair of JSON.parse(asked)) {
  const [left, right] = pair.map((path) => readFileSync(path, "utf8"));
  console.log(JSON.stringify(answer(left, right)));
}

// The texts of assets/help.js: what each page shows, and the terms it uses. Loaded when help is opened or searched.
import { ARTIFACTS } from "./artifact-help";

export interface Term {
  key: string;
  term: string;
  /** other words that people search for */
  also: string;
  text: string;
}

export interface PageText {
  /** the key of the page in app/pages.ts */
  page: string;
  title: string;
  text: string;
  /** keys of the terms that the page uses */
  terms: readonly string[];
}

export interface HelpEntry {
  kind: "term" | "page" | "artifact";
  title: string;
  text: string;
  /** its address in the page */
  href: string;
}

const term = (key: string, name: string, also: string, text: string): Term => ({ key, term: name, also, text });

export const TERMS: readonly Term[] = [
  term(
    "compile-id",
    "Compile id [x/y_z]",
    "compileid 0/1 frame_id frame_compile_id compiled frame",
    "Identifies one compile. In [2/1_0], 2 is the frame, numbered in the order of first compilation; 1 means the frame's second compile; 0 is the attempt, which this page leaves out: 2/1. After torch._dynamo.reset(), ids start again: 2/1 #2 is the second compile called 2/1, and may be another function. If a log has several processes, the process ID comes first: 4711:2/1. Records under -/- have no id: AOTInductor, export, and a backward that is compiled late write them.",
  ),
  term(
    "frame",
    "Frame",
    "function code object frame_id",
    "One run of a Python function. torch.compile works on whole frames: it reads the bytecode of the function that is about to run and rewrites it. The code after a graph break is a frame of its own, named torch_dynamo_resume_in_…",
  ),
  term(
    "attempt",
    "Attempt",
    "restart retry _1",
    "One try at compiling a frame. If Dynamo has to start over, for example after a graph break in an inlined function, it restarts: attempt 1, 2, … of the same compile id. The time of earlier attempts is lost.",
  ),
  term(
    "restart",
    "Restart",
    "restart_reasons restarted attempt",
    "Dynamo discards an attempt and starts the same compile again with what it has learned. The compile takes longer.",
  ),
  term(
    "run-time",
    "Run time",
    "runtime speed latency throughput benchmark profile slow",
    "The time that calls of the compiled code take. A structured log does not have it: record a trace with torch.profiler, and read it with tlparse LOG --profile TRACE. The log only has what the compiler does at run time, such as benchmarks of kernels and the recording of CUDA graphs, and estimates where PyTorch logs them.",
  ),
  term(
    "compiled-autograd",
    "Compiled Autograd !a",
    "!0 !1 compiled_autograd_id backward",
    "Compiled Autograd captures the backward pass at run time as one graph and compiles it. The ids of its compiles start with !n: [!0/3/0] is frame 3 in the first capture.",
  ),
  term(
    "guard",
    "Guard",
    "guards check cache entry",
    "A condition under which compiled code can be reused: x is a float32 tensor of shape [2, 3], k == 4, gradients are enabled. Guards are checked before each call. If one fails, the next compiled version of the frame is tried; if none fits, the frame is recompiled.",
  ),
  term(
    "graph-break",
    "Graph break",
    "break unsupported gb fullgraph",
    "Python code that cannot be put into a graph: a print, a call into C code, a branch on a tensor's value. The graph ends there, Python runs that code, and a new frame starts after it. Each break costs compile time and prevents optimizations across it.",
  ),
  term(
    "recompile",
    "Recompile",
    "recompilation recompiles 0/1 guard failed",
    "A frame is compiled again because a guard of every earlier version failed. A few recompiles are normal, for example when a size varies. A frame that recompiles in every step costs far more time than it saves.",
  ),
  term(
    "recompile-limit",
    "Recompile limit",
    "recompile_limit cache_size_limit accumulated_recompile_limit",
    "The number of versions that Dynamo compiles of a frame: torch._dynamo.config.recompile_limit, 8 by default. Beyond it, calls that fit no version run eagerly, or raise an error with fullgraph=True.",
  ),
  term(
    "specialization",
    "Specialization",
    "specialization specialize constant duck 0/1",
    "A value that could vary was taken as a constant because the code depends on it: a size compared with a number, a Python int used as an argument. The graph is simpler, but another value needs another compile.",
  ),
  term(
    "dynamic-shape",
    "Dynamic shape, symbol",
    "symint s0 s77 u0 dynamic backed unbacked mark_dynamic symbolic",
    "A size that is kept as a symbol (s77) instead of a number, so that one compile serves all its values. By default, PyTorch makes a size dynamic after the first recompile that it causes. Symbols u0, u1, … are unbacked: their values are known only when the graph runs, as with x.item() or nonzero().",
  ),
  term(
    "fx-graph",
    "FX graph",
    "fx graph module node op placeholder",
    "A program as a list of nodes, each an operation with inputs and an output. The placeholder nodes are the inputs of the graph, the output node its results. Every stage between bytecode and kernels works on FX graphs.",
  ),
  term(
    "replay",
    "Nodes by source line",
    "replay order source line loop trace nodes table csv",
    "The table of nodes of a Dynamo graph in another form: the source lines in the order in which Dynamo traced them, each with the values that it produced. A line that ran again after another one, as in a loop, appears again. Lines without nodes do not appear: their work became constants, guards or nothing.",
  ),
  term(
    "computed-by",
    "Computed by",
    "follow provenance mapping kernel post-grad node",
    "What a node of the Dynamo graph became: nodes of post-grad graphs as Inductor's node mappings have them, and kernels that these mappings or the comments in the code name. Where the log has neither, nodes and kernels with the same source line are listed; they may belong to other operations of that line.",
  ),
  term(
    "dynamo",
    "Dynamo",
    "torchdynamo bytecode trace phase",
    "The first stage. It traces the Python bytecode of a frame and records tensor operations as an FX graph, together with the guards. Artifact: dynamo_output_graph.",
  ),
  term(
    "aot",
    "AOTAutograd",
    "aot_autograd functionalization phase aot",
    "The second stage. It rewrites the graph in basic operators (ATen), removes mutation, and derives the backward pass. Artifacts: aot_joint_graph, aot_forward_graph, aot_backward_graph, or aot_inference_graph if no gradients are needed.",
  ),
  term(
    "joint-graph",
    "Joint graph, partitioner",
    "joint forward backward partition min-cut saved tensors",
    "Forward and backward in one graph. The partitioner splits it, and decides what the forward saves for the backward and what the backward recomputes.",
  ),
  term(
    "pre-grad",
    "Pre-grad passes",
    "pre_grad passes phase",
    "Inductor's changes to Dynamo's graph before AOTAutograd, for example fusing a convolution with a batch norm. Artifacts: before_pre_grad_graph, after_pre_grad_graph.",
  ),
  term(
    "post-grad",
    "Post-grad passes",
    "post_grad passes phase",
    "Inductor's changes to the forward or backward graph after AOTAutograd: pattern matching, reordering of collectives, in-place operations. Artifacts: before_post_grad_graph, after_post_grad_graph or inductor_post_grad_graph.",
  ),
  term(
    "inductor",
    "Inductor",
    "torchinductor lowering scheduler phase",
    "The default backend. It lowers a graph to loops, fuses loops into kernels, and generates code: Triton for GPUs, C++ for CPUs. Artifacts: inductor_output_code, fx_graph_runnable.",
  ),
  term(
    "codegen",
    "Code generation",
    "codegen compiler phase async_compile",
    "Inductor generates the kernels and compiles them with Triton or a C++ compiler. Often most of the compile time; a cache hit saves it.",
  ),
  term(
    "triton",
    "Triton",
    "gpu kernel compile autotune phase",
    "The language and compiler of the GPU kernels that Inductor generates. A kernel may be compiled in several configurations, of which the fastest is used (autotuning).",
  ),
  term(
    "backward",
    "Backward",
    "backward phase bwd gradient",
    "The pass that computes gradients. Its graph is made together with the forward, but often compiled only when it first runs, so its compile time is listed separately.",
  ),
  term(
    "kernel",
    "Kernel, fusion",
    "kernel fused fusion triton_poi cpp_fused",
    "A GPU or CPU function that computes one or more operations of a graph. Operations in the same kernel are fused: values between them need not go through memory.",
  ),
  term(
    "cache",
    "Caches",
    "fx_graph_cache aotautograd_cache hit miss bypass",
    "Results of earlier compiles. The FX graph cache stores Inductor's code for a graph, the AOTAutograd cache the result of AOTAutograd and Inductor. Hit: loaded from the cache. Miss: compiled and stored. Bypass: could not be cached, for the reason shown.",
  ),
  term(
    "pgo",
    "PGO profile",
    "pgo profile get_local_code_state put_local_code_state automatic dynamic job_id",
    "Dynamo records the sizes that it saw of each source. A size that varied becomes dynamic. With a job id (torch.compiler.config.job_id), the profile is stored in a cache, and the next run compiles these sources with dynamic shapes from the start.",
  ),
  term(
    "cudagraph",
    "CUDA graph",
    "cudagraphs cudagraph skip reduce-overhead",
    "A recording of all kernels of a graph that the GPU replays at once, without launching each. It is skipped if, for example, the graph mutates inputs or runs partly on the CPU. An issue gives the reason if the log has it.",
  ),
  term(
    "collective",
    "Collective",
    "all_reduce all_gather nccl distributed rank",
    "An operation in which all ranks of a group take part, such as all_reduce. All must call the same collectives in the same order; otherwise they hang.",
  ),
  term(
    "rank",
    "Rank",
    "rank world size distributed process",
    "One process of a distributed job, usually one per GPU. Each rank compiles on its own and usually writes its own log.",
  ),
  term(
    "subgraph",
    "Subgraph",
    "subgraph piecewise ddp optimizer autograd higher order",
    "A part of a frame's graph that is compiled separately: a piece of a model that vLLM split, a bucket of DDP, a branch of torch.cond.",
  ),
  term(
    "guard-source",
    "Source",
    "source L G local global",
    "Where a value comes from, as seen from the frame: L['x'] is the local variable x, G['SCALE'] the global SCALE, L['self'].layer.weight an attribute.",
  ),
  term(
    "side-effect",
    "Side effect",
    "dynamo_side_effects mutation",
    "What a function changes besides its result: an attribute, a list, a global. Dynamo collects these changes and applies them after the graph has run.",
  ),
  term(
    "artifact",
    "Artifact",
    "artifact file payload record",
    "A text that the compiler wrote to the log: a graph, code, guards, metrics. The Files page lists all of them.",
  ),
  term(
    "status",
    "Status",
    "ok failed restarted empty missing no ops",
    "✓ compiled. ↻ compiled after a restart: at least one attempt was discarded. ✕ failed: the frame runs eagerly, or the program got an exception. ○ empty graph: the graph has no ops, so there is nothing to compile. ? no metrics: the log ends before the compile does, or does not say how it ended.",
  ),
  term(
    "self-time",
    "Self time, total time",
    "own time self total duration span",
    "The total time of a span includes the spans inside it; its self time does not.",
  ),
  term(
    "structured-log",
    "TORCH_TRACE log",
    "torch_trace structured log trace",
    "What PyTorch writes if the environment variable TORCH_TRACE names a directory: one record for each thing that the compiler did. This report is made from it.",
  ),
  term(
    "unspecialized",
    "mark_dynamic",
    "mark_dynamic mark_unbacked maybe_mark_dynamic torch_compile_dynamic_sources whitelist",
    "torch._dynamo.mark_dynamic(x, 0), called before the first compiled call, declares that dimension 0 of x varies; this saves the recompile that would find it out. TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']\" does the same for the sources that it names, without changing the code.",
  ),
];

const page = (key: string, title: string, text: string, ...terms: string[]): PageText => ({
  page: key,
  title,
  text,
  terms,
});

export const PAGE_TEXTS: readonly PageText[] = [
  page(
    "",
    "Overview",
    "Issues found in this run, most important first, each with its source location and cost, and a fix if the log has evidence for one. A fix saves at most what the issue itself cost; of several with the same setting, the first has the sum. Other issues that it removes count their own. Above them: how many functions were compiled, how that ended, and where the time went.",
    "compile-id",
    "graph-break",
    "recompile",
    "cache",
  ),
  page(
    "stacks",
    "Stacks",
    "The calls in your program that led to compiles, as a tree: callers first, compiles at the end of each branch. Frames of libraries are hidden unless you show them. The flame view draws the same tree; the width of a bar is the compile time that came from its line.",
    "frame",
    "compile-id",
    "status",
  ),
  page(
    "compiles",
    "Compiles",
    "One row per compile of a function, grouped by frame, with totals per group. Other ids have records but no compile. Sort by a column, choose columns, filter by words; click a row to open the compile.",
    "compile-id",
    "frame",
    "attempt",
    "guard",
    "status",
    "subgraph",
  ),
  page(
    "c",
    "Compile",
    "Everything that the log has of one compile: its stages from bytecode to kernels, what came of them, and its artifacts. A graph opens as text, where a click on a name marks its definition and uses, as a drawing, or as a table of its nodes.",
    "fx-graph",
    "replay",
    "computed-by",
    "artifact",
    "dynamo",
    "aot",
    "joint-graph",
    "post-grad",
    "inductor",
  ),
  page(
    "breaks",
    "Graph breaks",
    "Where Dynamo stopped tracing and returned to Python. Each entry is one cause at one source line, with PyTorch's hints and the whole compile time of its compiles. What a break cost is on the overview.",
    "graph-break",
    "frame",
    "restart",
  ),
  page(
    "recompiles",
    "Recompiles",
    "The functions that were compiled more than once, with a row per version: what changed since the nearest earlier version (the one with the fewest differences), and which other versions did not fit. Advice appears only if the log has evidence for it. Fix the guard that causes the most recompiles first.",
    "recompile",
    "guard",
    "guard-source",
    "dynamic-shape",
    "specialization",
    "recompile-limit",
    "unspecialized",
  ),
  page(
    "failures",
    "Failures",
    "Compiles that failed, and compiles that restarted. After a failure, the program gets the exception or the function runs eagerly; the issue on the overview says which if the log does.",
    "status",
    "restart",
    "attempt",
  ),
  page(
    "export",
    "Export",
    "What torch.export or draft_export reported: the exported programs, and each failure with its source line and what to do.",
    "specialization",
    "dynamic-shape",
  ),
  page(
    "parsers",
    "Parsers",
    "What your own parsers added to this report: sections, issues, links and files, each with the name of its parser. tlparse does not check any of it. Their columns are in the list of compiles.",
    "compile-id",
  ),
  page(
    "time",
    "Compile time",
    "Where the compile time goes. The parts add up to it; the other views look at the same time by cause and overlap. Each line has its time, the records that it comes from, and, if the log has evidence for it, what to change and the compile time that this saves at most: limits such as the number of cores are not in the log.",
    "compile-id",
  ),
  page(
    "passes",
    "Passes",
    "The passes over the graphs of a compile, in order, with the number of nodes that each added or removed. Select a pass to see which operations it changed. Select an operation to see it in the text, or press d to switch between graph and text.",
    "fx-graph",
    "pre-grad",
    "joint-graph",
    "post-grad",
  ),
  page(
    "compare",
    "Compare",
    "Two artifacts side by side. Two graphs are compared as graphs, whose names do not matter: n and p go through the operations that differ, and each leads to its line. Press d to switch between graph and text. In texts, what differs in every run (addresses, object ids, device numbers, temporary paths) is not marked unless you show noise.",
    "artifact",
    "fx-graph",
  ),
  page(
    "search",
    "Search",
    "Finds a text or a regular expression in all artifacts: graphs, code, guards. Results are grouped by compile. j and k move through them, Enter opens the artifact at that line, Back returns. To find a compile, a source line or a setting by name, press Ctrl+K.",
    "artifact",
    "compile-id",
  ),
  page(
    "timeline",
    "Timeline",
    "What the compiler did, and when. A bar below another one happened within it. Drag to pan, or zoom and pan with w, s, a and d; on a touch screen, drag and pinch. n and p step through what the search found. Each rank has its own tracks, and the file for Perfetto contains all of them.",
    "self-time",
    "dynamo",
    "aot",
    "inductor",
    "codegen",
  ),
  page(
    "kernels",
    "Kernels",
    "The kernels that were generated and the library calls beside them, with the operations that each computes and the source lines that these come from. With the trace of a profiler (tlparse LOG --profile TRACE), also their run time.",
    "kernel",
    "triton",
    "inductor",
  ),
  page(
    "code",
    "Code",
    "What each line of source costs, of all compiles: compile time of frames that begin there, recompiles because a guard that it made failed, graph breaks, guards, ops, kernels and, with a profile, run time. Click a line to see it beside the Dynamo graph, the post-grad graph and the output code. A line chosen in one marks what corresponds in all. The log has only some lines of each file.",
    "guard",
    "graph-break",
    "recompile",
    "kernel",
  ),
  page(
    "modules",
    "Modules",
    "The nn.Modules that a compile uses, with parameters, buffers, operations of the Dynamo graph, kernels and guards. Figures include the modules below. Names and classes come from guards and tensors of the log. If the log does not determine the module of an operation, it counts for the nearest module that surely contains it. Equal numbered siblings are one row with their sums.",
    "guard",
    "kernel",
    "fx-graph",
    "guard-source",
  ),
  page(
    "memory",
    "Memory",
    "What each compiled graph allocates when it runs, read from the calls of its output code. Peak is the most at a time; of a backward it includes what the forward saved. A sign ≥ means that an operator may allocate more. Sizes with symbols are those of the example inputs. Click a graph for the course of its call and the lines whose values are saved for the backward.",
    "fx-graph",
    "kernel",
  ),
  page(
    "guards",
    "Guards",
    "The checks that a call makes before compiled code runs, by compile: the leaves of the guard tree. The columns say what would remain with filters of torch.compiler, which are unsafe: what they drop is no longer noticed. Click a row for kinds, modules, lines and all filters. Times come from a profile only.",
    "guard",
    "guard-source",
    "recompile",
  ),
  page(
    "runtime",
    "Run time",
    "What the compiled program costs when it runs: a trace of torch.profiler, joined with the compiles of the log. Shares are of the time in compiled graphs. A call of a graph is aligned if its operators are those of its code, in that order; others have no kernels and lines. Guard checks precede each call; overhead is bytecode and wrappers around the graphs; the rest ran eagerly.",
    "run-time",
    "kernel",
    "guard",
    "graph-break",
  ),
  page(
    "files",
    "Files",
    "Every artifact of the report, with its compile, kind, size and line in the log. Hover over a name to see what it is.",
    "artifact",
    "compile-id",
  ),
  page(
    "config",
    "Config",
    "The compiler's settings as far as the log has them, and which of them differ between compiles. The configurations are those of the metrics; what torch.compile(mode=, options=) sets for one function is under Settings in effect.",
    "dynamo",
    "inductor",
  ),
  page(
    "log",
    "Log",
    "The log by kind of record: how many, how large, and what could not be read. In the map, an area is as large as the bytes (or the number) of its records; click it to see their artifacts. Records of kinds unknown to this version are kept and marked with a question mark.",
    "structured-log",
    "artifact",
  ),
  page(
    "vllm",
    "vLLM",
    "How vLLM compiled the model: it splits the graph into pieces and compiles each piece for ranges of batch sizes and for single sizes.",
    "subgraph",
    "fx-graph",
    "compile-id",
  ),
  page(
    "ranks/all",
    "All ranks",
    "Whether all ranks did the same, and if not, why: each root cause with its source location and its consequences. Logs without a rank are runs of a program, and are compared by times, issues, functions and settings.",
    "rank",
    "collective",
    "compile-id",
  ),
  page(
    "ranks",
    "Compile matrix",
    "A row per rank and a column per compile id: which rank compiled what, how it ended, and how long it took. Not compiled: the rank has no compile with this id. ≠: under this id, the rank compiled another function than the first rank that has it. Ctrl+wheel, + and - zoom from all ranks to one, < and > change the width of columns, 0 shows all ranks.",
    "rank",
    "compile-id",
    "status",
  ),
  page(
    "ranks/collectives",
    "Collectives",
    "The collectives in each rank's graphs, in order and aligned, so that a missing or different one is visible.",
    "collective",
    "rank",
  ),
  page("ranks/order", "Execution order", "The order in which each rank ran its compiled graphs.", "rank", "compile-id"),
  page(
    "ranks/runtime",
    "Runtime estimates",
    "The estimated run time of each graph on each rank. The slowest rank keeps all others waiting.",
    "rank",
    "collective",
  ),
  page(
    "ranks/diff",
    "Diff",
    "The same compile on two ranks, or in two runs, artifact by artifact. Graphs are compared as graphs; press d to compare their texts.",
    "rank",
    "artifact",
  ),
  page("help", "Help", "The terms, pages and artifacts of the report.", "compile-id"),
];

const BY_KEY = new Map(TERMS.map((item) => [item.key, item]));
export const termOf = (key: string): Term | undefined => BY_KEY.get(key);

/** The text of the page at this address. */
export function pageText(path: readonly string[]): PageText | undefined {
  return (
    PAGE_TEXTS.find((item) => item.page === path.slice(0, 2).join("/")) ??
    PAGE_TEXTS.find((item) => item.page === (path[0] ?? ""))
  );
}

interface Indexed extends HelpEntry {
  names: string;
  haystack: string;
}

let index: Indexed[] | null = null;

function entries(): Indexed[] {
  index ??= [
    ...TERMS.map((item) =>
      indexed("term", item.term, item.text, `#/help?q=${encodeURIComponent(item.term)}`, item.also),
    ),
    ...PAGE_TEXTS.map((item) =>
      indexed("page", item.title, item.text, item.page === "c" ? "#/compiles" : `#/${item.page}`, ""),
    ),
    ...Object.entries(ARTIFACTS).map(([name, text]) =>
      indexed("artifact", name, text, `#/files?q=${longest(name)}`, ""),
    ),
  ];
  return index;
}

/** The longest part of a name between two *. */
function longest(name: string): string {
  return name.split("*").reduce((a, b) => (b.length > a.length ? b : a));
}

function indexed(kind: HelpEntry["kind"], title: string, text: string, href: string, also: string): Indexed {
  const names = `${title} ${also}`.toLowerCase();
  return { kind, title, text, href, names, haystack: `${names} ${text.toLowerCase()}` };
}

/** Entries that contain all words, those with the words in their names first; without words, all entries. */
export function searchHelp(query: string): HelpEntry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries().filter((entry) => wanted.every((word) => entry.haystack.includes(word)));
  const named = (entry: Indexed) => (wanted.every((word) => entry.names.includes(word)) ? 0 : 1);
  return found
    .map((entry, i) => ({ entry, i }))
    .sort((a, b) => named(a.entry) - named(b.entry) || a.i - b.i)
    .map(({ entry }) => ({ kind: entry.kind, title: entry.title, text: entry.text, href: entry.href }));
}

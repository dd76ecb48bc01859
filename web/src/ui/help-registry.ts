// What the page says of itself: terms, pages and names of artifacts, in plain words for who sees a compiler's report for the first time. Pages show
// their own entry, `#/help` shows all, and a search may ask `searchHelp`.
export interface Term {
  key: string;
  term: string;
  /** other words by which people look for it */
  also: string;
  text: string;
}

export interface PageText {
  /** first items of the address, as the key of the page */
  page: string;
  title: string;
  text: string;
  /** keys of the terms that it uses */
  terms: readonly string[];
}

export interface HelpEntry {
  kind: "term" | "page" | "artifact";
  title: string;
  text: string;
  /** where it stands in the page */
  href: string;
}

const term = (key: string, name: string, also: string, text: string): Term => ({ key, term: name, also, text });

export const TERMS: readonly Term[] = [
  term(
    "compile-id",
    "Compile id [x/y_z]",
    "compileid 0/1 frame_id frame_compile_id compiled frame",
    "The name of one compile. In [2/1_0], 2 is the frame (which function, counted in the order in which they were first compiled), 1 says that it is the second compile of that frame, and 0 is the attempt. This page leaves the attempt out: 2/1. After torch._dynamo.reset() the ids start anew: 2/1 #2 is the second compile called 2/1, which may be another function. Where a log has several processes, the process comes first: 4711:2/1. [-/-] are records without an id: AOTInductor, export and a backward that is compiled late write them.",
  ),
  term(
    "frame",
    "Frame",
    "function code object frame_id",
    "One run of a Python function. torch.compile works on whole frames: it reads the bytecode of the function that is about to run and writes it anew. What comes after a graph break is a frame of its own, named torch_dynamo_resume_in_…",
  ),
  term(
    "attempt",
    "Attempt",
    "restart retry _1",
    "One try to compile a frame. Where Dynamo finds out half way that it must begin anew (a graph break in a function that was inlined, for instance), it restarts: attempt 1, 2, … of the same compile id. What the earlier attempts did is lost time.",
  ),
  term(
    "restart",
    "Restart",
    "restart_reasons restarted attempt",
    "Dynamo gave up an attempt and began the same compile anew with what it had learnt. The compile is well in the end; it took longer.",
  ),
  term(
    "compiled-autograd",
    "Compiled autograd !a",
    "!0 !1 compiled_autograd_id backward",
    "With compiled autograd the backward pass is captured at run time as one graph and compiled as well. Its compiles have !n in front of their id: [!0/3/0] is what frame 3 became in the first such capture.",
  ),
  term(
    "guard",
    "Guard",
    "guards check cache entry",
    "A condition under which compiled code may be used again: that x is a float32 tensor of shape [2, 3], that k == 4, that gradients are on. Guards are checked before each call. If one fails, the next compiled version of the frame is tried; if none fits, the frame is compiled again.",
  ),
  term(
    "graph-break",
    "Graph break",
    "break unsupported gb fullgraph",
    "A place in the Python code that cannot be put into a graph (a print, a call into C code, a branch on a tensor's value). The graph ends there, Python runs the piece as ever, and a new frame begins after it. Each costs compile time, and optimisation across it is lost.",
  ),
  term(
    "recompile",
    "Recompile",
    "recompilation recompiles 0/1 guard failed",
    "A frame that is compiled again, since a guard of every earlier version failed. A few are normal, as when a size turns out to vary. A frame that recompiles with each step costs far more time than it saves.",
  ),
  term(
    "recompile-limit",
    "Recompile limit",
    "recompile_limit cache_size_limit accumulated_recompile_limit",
    "After 8 versions of a frame (torch._dynamo.config.recompile_limit) Dynamo gives up on it, and the function runs uncompiled from then on.",
  ),
  term(
    "specialization",
    "Specialization",
    "specialization specialize constant duck 0/1",
    "Something that could vary was taken as a constant, because the code asked for its value: a size compared with a number, a Python int used as an argument. The graph is simpler, but another value needs another compile.",
  ),
  term(
    "dynamic-shape",
    "Dynamic shape, symbol",
    "symint s0 s77 u0 dynamic backed unbacked mark_dynamic symbolic",
    "A size that is kept as a symbol (s77) instead of a number, so that one compile serves all its values. After the first recompile because of a size, PyTorch makes that size dynamic by itself. Symbols u0, u1, … are unbacked: their value is known only when the graph runs, as with x.item() or nonzero().",
  ),
  term(
    "fx-graph",
    "FX graph",
    "fx graph module node op placeholder",
    "A program as a list of operations, each a node with inputs and an output. placeholders are its inputs, output its results. All stages between bytecode and kernels work on FX graphs.",
  ),
  term(
    "dynamo",
    "Dynamo",
    "torchdynamo bytecode trace phase",
    "The first stage. It follows the Python bytecode of a frame and writes down what happens to tensors as an FX graph, together with the guards. Artifact: dynamo_output_graph.",
  ),
  term(
    "aot",
    "AOTAutograd",
    "aot_autograd functionalization phase aot",
    "The second stage. It writes the graph in basic operators (aten), removes mutation, and derives the backward pass. Artifacts: aot_joint_graph, aot_forward_graph, aot_backward_graph, or aot_inference_graph where no gradient is asked for.",
  ),
  term(
    "joint-graph",
    "Joint graph, partitioner",
    "joint forward backward partition min-cut saved tensors",
    "Forward and backward in one graph. The partitioner then cuts it in two and chooses what the forward saves for the backward and what the backward computes again.",
  ),
  term(
    "pre-grad",
    "Pre-grad passes",
    "pre_grad passes phase",
    "Changes that Inductor makes to the graph of Dynamo, before AOTAutograd: fusing a convolution with a batch norm, for instance. Artifacts: before_pre_grad_graph, after_pre_grad_graph.",
  ),
  term(
    "post-grad",
    "Post-grad passes",
    "post_grad passes phase",
    "Changes that Inductor makes to the forward or the backward graph after AOTAutograd: patterns, reordering of collectives, in-place operations. Artifacts: before_post_grad_graph, after_post_grad_graph or inductor_post_grad_graph.",
  ),
  term(
    "inductor",
    "Inductor",
    "torchinductor lowering scheduler phase",
    "The usual backend. It lowers a graph to loops, decides which of them to fuse into one kernel, and writes code: Triton for GPUs, C++ for CPUs. Artifacts: inductor_output_code, fx_graph_runnable.",
  ),
  term(
    "codegen",
    "Code generation",
    "codegen compiler phase async_compile",
    "Inductor writes the kernels and has them compiled, by the C++ compiler or Triton. Often most of the compile time; a warm cache saves it.",
  ),
  term(
    "triton",
    "Triton",
    "gpu kernel compile autotune phase",
    "The language and compiler of the GPU kernels that Inductor writes. A kernel may be compiled in several configurations, of which the fastest is taken (autotuning).",
  ),
  term(
    "backward",
    "Backward",
    "backward phase bwd gradient",
    "The pass that computes gradients. Its graph is made together with the forward, but often compiled only when it first runs; so its time stands beside that of the compile.",
  ),
  term(
    "kernel",
    "Kernel, fusion",
    "kernel fused fusion triton_poi cpp_fused",
    "A function on the GPU or CPU that computes one or several operations of the graph. Several in one kernel are fused: values go through memory once only.",
  ),
  term(
    "cache",
    "Caches",
    "fx_graph_cache aotautograd_cache hit miss bypass",
    "Results of earlier runs. The FX graph cache holds Inductor's code for a graph, the AOTAutograd cache what both stages made. hit: taken from the cache; miss: compiled and stored; bypass: could not be cached, with the reason.",
  ),
  term(
    "pgo",
    "Profile (PGO)",
    "pgo profile get_local_code_state put_local_code_state automatic dynamic job_id",
    "Dynamo notes which sizes it saw of each source. A size that varied becomes dynamic. With a job id (torch.compiler.config.job_id) the profile is written to a cache, and the next run compiles these sources dynamically from the start.",
  ),
  term(
    "cudagraph",
    "CUDA graph",
    "cudagraphs cudagraph skip reduce-overhead",
    "A recording of all kernels of a graph that the GPU then replays at once, without the cost of launching each. It is skipped where the graph changes inputs or runs on the CPU in part; a finding gives the reason where the log has it.",
  ),
  term(
    "collective",
    "Collective",
    "all_reduce all_gather nccl distributed rank",
    "An operation in which all ranks take part, as all_reduce. All must call the same ones in the same order; else they wait for one another for ever.",
  ),
  term(
    "rank",
    "Rank",
    "rank world size distributed process",
    "One process of a distributed job, as a rule one per GPU. Each compiles by itself and writes a log of its own.",
  ),
  term(
    "subgraph",
    "Subgraph",
    "subgraph piecewise ddp optimizer autograd higher order",
    "A piece of a frame's graph that is compiled by itself: pieces of vLLM's splitting, DDP's buckets, or the branches of torch.cond.",
  ),
  term(
    "guard-source",
    "Source",
    "source L G local global",
    "Where a value comes from, as Python would reach it from the frame: L['x'] is the local variable x, G['SCALE'] the global SCALE, L['self'].layer.weight an attribute.",
  ),
  term(
    "side-effect",
    "Side effect",
    "dynamo_side_effects mutation",
    "What a function changes besides its result: an attribute, a list, a global. Dynamo collects these and makes them happen after the graph has run.",
  ),
  term(
    "artifact",
    "Artifact",
    "artifact file payload record",
    "A text that the compiler wrote into the log: a graph, code, guards, a list of times. The Files page has all of them.",
  ),
  term(
    "status",
    "Status",
    "ok failed restarted empty missing",
    "✓ ok: compiled. ↻ restarted: compiled, after one attempt or more was given up. ✕ failed: the frame runs uncompiled, or the program ended. ○ empty graph: nothing in it for a compiler. ? no metrics: the log ends before the compile did, or its end was not written.",
  ),
  term(
    "structured-log",
    "TORCH_TRACE log",
    "torch_trace structured log trace",
    "What PyTorch writes when the variable TORCH_TRACE names a folder: one record for each thing that the compiler did, made for tools. This report is made of it.",
  ),
  term(
    "unspecialized",
    "mark_dynamic",
    "mark_dynamic mark_unbacked maybe_mark_dynamic torch_compile_dynamic_sources whitelist",
    "torch._dynamo.mark_dynamic(x, 0) says before the first call that dimension 0 of x will vary, which saves the recompile that finds it out. Without a change to the code: TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']\" does so for the sources that it names.",
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
    "Issues found in this run, most severe first, each with its source location and cost, and a fix where the log has evidence for one. Above them: how many functions were compiled, how that ended, and where the time went.",
    "compile-id",
    "graph-break",
    "recompile",
    "cache",
  ),
  page(
    "stacks",
    "Stacks",
    "From which lines of your program compilation was started, as a tree of calls: the caller above, what it called beneath. At the end of a branch stand the compiles that began there. Fold away what you know, and hide the frames of libraries to see your own code alone. The flame view draws the same tree as bars as wide as the compile time that came from each line.",
    "frame",
    "compile-id",
    "status",
  ),
  page(
    "compiles",
    "Compiles",
    "Each row is one compile of a function. Grouped by frame, versions of the same function stand together with sums in the head of the group. Sort by a column, choose columns, filter by words; a click opens the compile.",
    "compile-id",
    "frame",
    "attempt",
    "guard",
    "status",
    "subgraph",
  ),
  page(
    "c",
    "One compile",
    "Everything that the log has of one compile: at the left the artifacts in the order in which the stages wrote them (Dynamo, AOTAutograd, Inductor), at the right what they say together. A graph opens as its text, where a click on a name marks what makes and reads it, or as a drawing, whole or around one node.",
    "fx-graph",
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
    "Places where Dynamo stopped tracing and returned to Python. The same cause at the same line is one entry, with the source line, PyTorch's hints, and the whole compile time of its compiles. What a break cost is on the overview.",
    "graph-break",
    "frame",
    "restart",
  ),
  page(
    "recompiles",
    "Recompiles",
    "For each function that was compiled more than once: a row for each version, with what changed since the nearest earlier version (the one of whose guards fewest fail), its old and new value, and other guards that would have failed as well. Advice appears only where the log has evidence for it, and cites the records. A guard that causes many recompiles is the one to fix.",
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
    "Compiles that ended with an error, and those that were traced again. After a failure the program gets the exception, or the function runs eagerly: the finding says which, where the log does.",
    "status",
    "restart",
    "attempt",
  ),
  page(
    "export",
    "Export",
    "What torch.export or draft_export found: programs that were exported, and what in the model stood in the way, with the line of your code.",
    "specialization",
    "dynamic-shape",
  ),
  page(
    "passes",
    "Passes",
    "A graph is changed by many passes, one after the other. Here they stand in order, with what each changed; those that changed nothing are marked.",
    "fx-graph",
    "pre-grad",
    "joint-graph",
    "post-grad",
  ),
  page(
    "compare",
    "Compare",
    "Two artifacts beside each other. Names that differ from run to run (addresses, temporary names, line numbers) can be left out, so that only what matters is marked.",
    "artifact",
    "fx-graph",
  ),
  page(
    "search",
    "Search",
    "Looks for a text or a regular expression in all artifacts of the report: graphs, code, guards. What it finds is grouped by compile, the match marked in its line. j and k walk the results, Enter opens the artifact at the line with all matches marked, Back returns to the same result.",
    "artifact",
    "compile-id",
  ),
  page(
    "timeline",
    "Timeline",
    "What the compiler did when: time runs from left to right, what lies beneath a bar happened within it. Drag to move, turn the wheel to come closer; on a touch screen one finger moves and two come closer. n and p go through what the search found. Of several ranks each has lanes of its own, and the file for Perfetto holds all of them.",
    "dynamo",
    "aot",
    "inductor",
    "codegen",
  ),
  page(
    "kernels",
    "Kernels",
    "The functions that were made for the GPU or the CPU in the end, and which operations and lines of your code each stands for.",
    "kernel",
    "triton",
    "inductor",
  ),
  page(
    "files",
    "Files",
    "Every artifact of the report: what it is called, which compile it belongs to, how large it is. Rest on a name to see what it is.",
    "artifact",
    "compile-id",
  ),
  page(
    "config",
    "Config",
    "The settings under which the compiler ran, as the log tells them. Type a part of a name or a value to find one.",
    "dynamo",
    "inductor",
  ),
  page(
    "log",
    "Log",
    "The log itself: how many records of which kind, what takes the space, and what could not be read. In the picture each area is as large as the bytes (or the number) of its records, by kind, by compile id, or by both; a click leads to the artifacts. Kinds that this version does not know are kept and marked with a question mark; warnings show the line of the log where each was first found.",
    "structured-log",
  ),
  page(
    "vllm",
    "vLLM",
    "How vLLM compiled the model: it cuts the graph into pieces and compiles each for ranges of batch sizes.",
    "subgraph",
    "fx-graph",
    "compile-id",
  ),
  page(
    "ranks/all",
    "All ranks",
    "Whether the ranks of the job did the same, and if not, why: each root cause with its first location, and what follows from it. Logs without a rank are not ranks but runs, before and after a change of the program or of PyTorch: then the page says what became of times, findings, functions and settings.",
    "rank",
    "collective",
    "compile-id",
  ),
  page(
    "ranks",
    "Ranks × ids",
    "A row for each rank, a column for each compile id: at a glance which rank compiled what, how it ended, and how long it took.",
    "rank",
    "compile-id",
    "status",
  ),
  page(
    "ranks/collectives",
    "Collectives",
    "The collective operations of each rank's graphs in order, aligned, so that a missing or different one stands out.",
    "collective",
    "rank",
  ),
  page("ranks/order", "Execution order", "The order in which each rank ran its compiled graphs.", "rank", "compile-id"),
  page(
    "ranks/runtime",
    "Runtime",
    "How long each graph is estimated to run on each rank; the slowest rank keeps all others waiting.",
    "rank",
    "collective",
  ),
  page("ranks/diff", "Diff of ranks", "The same compile on two ranks, artifact by artifact.", "rank", "artifact"),
  page("help", "Help", "All terms, pages and names of artifacts. Type to find one.", "compile-id"),
];

/** What the text of an artifact is, by its name without number and ending. The longest name that fits counts. */
const ARTIFACTS: Readonly<Record<string, string>> = {
  dynamo_output_graph: "the graph that Dynamo captured from your Python code",
  dynamo_side_effects: "what the function changes besides its result",
  dynamo_guards: "the conditions under which this compile may be used again",
  dynamo_cpp_guards_str: "the guards as the tree that is really checked before each call",
  dynamo_graph_break_reason: "why the graph ended here, and what to do",
  dynamo_error: "the error with which Dynamo gave up",
  dynamo_cache: "what Dynamo's precompile cache did",
  recompile_reasons: "which guard of each earlier version failed",
  compilation_metrics: "times, counts and results of the compile",
  bwd_compilation_metrics: "times and counts of compiling the backward pass",
  aot_autograd_backward_compilation_metrics: "times and counts of compiling the backward pass",
  aot_joint_graph: "forward and backward in one graph, before they are parted",
  aot_forward_graph: "the forward graph in basic operators; it also returns what the backward needs",
  aot_backward_graph: "the backward graph in basic operators",
  aot_inference_graph: "the graph in basic operators where no gradient is asked for",
  aot_forward_graph_fw_metadata: "what AOTAutograd found out about inputs and outputs: aliases, mutation, tangents",
  before_pre_grad_graph: "the graph before Inductor's first passes",
  after_pre_grad_graph: "the graph after Inductor's first passes",
  before_joint_graph: "the joint graph before Inductor's passes over it",
  after_joint_graph: "the joint graph after Inductor's passes over it",
  before_post_grad_graph: "the graph before the passes that follow AOTAutograd",
  after_post_grad_graph: "the graph after all passes, as it is lowered to kernels",
  inductor_post_grad_graph: "the graph after all passes, as it is lowered to kernels",
  inductor_output_code: "the program that Inductor wrote: its kernels, and the calls of them",
  inductor_provenance_tracking_node_mappings: "which nodes of the graphs each kernel comes from",
  inductor_provenance_tracking_kernel_stack_traces: "which lines of your code each kernel comes from",
  inductor_collective_schedule: "the order of the collective operations in the graph",
  inductor_runtime_and_tensor_meta: "estimated run times and the layout of tensors",
  inductor_tlparse_runtime: "estimated run time of each operation",
  inductor_tlparse_tensor_meta: "shapes, strides and types of the tensors",
  inductor_graph: "Inductor's graph",
  inductor_pre_fusion: "Inductor's loops before they are fused",
  inductor_post_fusion: "Inductor's loops after they are fused into kernels",
  ir_pre_fusion: "Inductor's loops before they are fused",
  ir_post_fusion: "Inductor's loops after they are fused into kernels",
  fx_graph_runnable: "a Python program that compiles this graph alone: to reproduce or to report a bug",
  fx_graph_transformed: "the graph as it goes into Inductor",
  fx_graph_cache_hit: "the code was found in the FX graph cache, with the key",
  fx_graph_cache_miss: "the code was not in the FX graph cache, with the key and what went into it",
  fx_graph_cache_bypass: "the graph cannot be cached, and why",
  fx_graph_cache_hash: "the key of the FX graph cache and what went into it",
  aotautograd_cache_hit: "found in AOTAutograd's cache",
  aotautograd_cache_miss: "not in AOTAutograd's cache, with the key and what went into it",
  aotautograd_cache_bypass: "AOTAutograd's cache could not be used, and why",
  aotautograd_cache_hash: "the key of AOTAutograd's cache",
  compiled_autograd_graph: "the backward pass that compiled autograd captured",
  graph_break: "where and why the graph ended",
  optimize_ddp_split_graph: "the graph as it is cut into DDP's buckets",
  optimize_ddp_split_child: "one of the pieces that DDP's buckets cut",
  propagate_real_tensors_provenance: "where export used a real value, since a symbol's was asked for",
  guard_added: "a condition on symbols that was added, with its place",
  guard_added_fast: "a condition on symbols that was added",
  symbolic_shape_specialization: "a symbol that became a constant, and why",
  create_unbacked_symbol: "a size that is known only at run time was made",
  exported_program: "the program that torch.export made",
  missing_fake_kernel: "an operator without a rule for shapes",
  mismatched_fake_kernel: "an operator whose rule for shapes says another thing than it does",
  chromium_event: "when each part of the compiler began and ended",
  graph_dump: "a graph that a tool asked to log",
  dump_file: "generated Python code, as it stands in stack traces",
  link: "a link that the program put into the log",
  torch_version: "the version of PyTorch that wrote the log",
  tensorify_python_scalars: "the graph after Python numbers were made tensors",
  bytecode: "the bytecode of the function, before and after",
  dynamo_bytecode: "the bytecode of the function, before and after",
  pt2_configs: "the settings of the compiler",
  inductor_config: "the settings of Inductor",
  cudagraph_skip: "why CUDA graphs were not used",
  triton_kernel_info: "times and sizes of compiled Triton kernels",
  autotune_results: "which configuration of a kernel was fastest",
  graph_execution: "in which order graphs ran",
  vllm_compilation_config: "how vLLM was told to compile",
  vllm_piecewise_compile_start: "vLLM begins to compile a piece of the model",
  vllm_piecewise_split_graph: "the model's graph as vLLM cut it into pieces",
  "torch._functorch.config": "the settings of AOTAutograd",
  aot_autograd_runtime_wrappers: "the code around the graph that unpacks inputs and mends aliases and mutation",
  inductor_post_to_pre_grad_nodes: "which nodes after all passes come from which nodes before",
  inductor_triton_kernel_to_post_grad_nodes: "which nodes of the graph each kernel computes",
  inductor_aot_wrapper_code: "the C++ program around the kernels (AOTInductor)",
  inductor_aot_kernel_code: "the kernels in C++ (AOTInductor)",
  inductor_graph_execution: "a graph began to run",
  compilation_metrics_runtime: "times that are known only after the first runs, as autotuning",
  compiled_autograd_graph_pre_reordering: "the captured backward pass before its nodes are put in order",
  make_fx_fail_partial: "the graph as far as it was traced when tracing failed",
  propagate_real_tensors: "where export used a real value, since a symbol's was asked for",
  guard_on_data_dependent_error: "the code asked for a value that is known only at run time",
  expression_created: "how an expression of symbols was made",
  create_symbol: "a size became a symbol, with its source and its value at that time",
  describe_tensor: "an input of the graph: shape, type, storage",
  describe_storage: "the memory of an input",
  describe_source: "where an input comes from",
  dynamo_start: "Dynamo begins with a frame: the stack of calls that led there",
  vllm_submod: "a piece of the model, as vLLM cut it",
};
const ARTIFACT_NAMES = Object.keys(ARTIFACTS).sort((a, b) => b.length - a.length);

/** What an artifact is, in some words; null where its name is not known. Its name may have a number and an ending. */
export function artifactHelp(name: string): string | null {
  if (name.includes("_ORIGINAL_BYTECODE")) return "the bytecode of the function as Python made it";
  if (name.includes("_MODIFIED_BYTECODE")) return "the bytecode that Dynamo put in its place";
  const found = ARTIFACT_NAMES.find(
    (known) => name === known || (name.startsWith(known) && !/[a-z]/i.test(name[known.length]!)),
  );
  return found === undefined ? null : ARTIFACTS[found]!;
}

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
    ...Object.entries(ARTIFACTS).map(([name, text]) => indexed("artifact", name, text, `#/files?q=${name}`, "")),
  ];
  return index;
}

function indexed(kind: HelpEntry["kind"], title: string, text: string, href: string, also: string): Indexed {
  const names = `${title} ${also}`.toLowerCase();
  return { kind, title, text, href, names, haystack: `${names} ${text.toLowerCase()}` };
}

/** Entries that hold all words, those that hold them in their names first; without words all of them. */
export function searchHelp(query: string): HelpEntry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries().filter((entry) => wanted.every((word) => entry.haystack.includes(word)));
  const named = (entry: Indexed) => (wanted.every((word) => entry.names.includes(word)) ? 0 : 1);
  return found
    .map((entry, i) => ({ entry, i }))
    .sort((a, b) => named(a.entry) - named(b.entry) || a.i - b.i)
    .map(({ entry }) => ({ kind: entry.kind, title: entry.title, text: entry.text, href: entry.href }));
}

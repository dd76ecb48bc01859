// What artifacts are, for readers who see their names for the first time.
import type { Artifact } from "./types";

const WORDS: readonly (readonly [name: RegExp, words: string])[] = [
  [/_ORIGINAL_BYTECODE$/, "the bytecode of the function, as Python compiled it"],
  [/_MODIFIED_BYTECODE$/, "the bytecode that Dynamo put in its place: it calls the compiled graph"],
  [/^dynamo_output_graph$/, "the graph that Dynamo recorded: what goes to the backend"],
  [/^dynamo_side_effects$/, "changes of Python objects that the rewritten bytecode repeats after the graph ran"],
  [/^dynamo_graph_break_reason$/, "why the graph ends there, and what one can do about it"],
  [/^dynamo_error$/, "the error that ended the compile, with its stack"],
  [/^dynamo_cpp_guards_str$/, "the tree of guards: see the tab Guards"],
  [/^dynamo_guards$/, "the guards, as PyTorch wrote them before"],
  [/^recompile_reasons$/, "the guards of the earlier compiles of this frame that failed"],
  [/^before_pre_grad_graph$/, "Dynamo's graph, as Inductor got it"],
  [/^(after_pre_grad_graph|inductor_pre_grad_graph)$/, "the same behind Inductor's pre-grad passes"],
  [/^aot_joint_graph$/, "forward and backward in one graph of ATen operations"],
  [/^before_joint_graph$/, "the graph before Inductor's joint passes"],
  [/^after_joint_graph$/, "the graph behind Inductor's joint passes"],
  [/^aot_forward_graph$/, "the forward graph that the partitioner cut out of the joint graph"],
  [/^aot_backward_graph$/, "the backward graph that the partitioner cut out of the joint graph"],
  [/^aot_inference_graph$/, "the graph of ATen operations, where nothing asks for gradients"],
  [/fw_metadata$/, "what AOTAutograd found out of inputs and outputs: aliases, mutations, gradients"],
  [/^aot_autograd_runtime_wrappers$/, "the code around the graph that does what a graph cannot: aliases, mutations, subclasses"],
  [/^before_post_grad_graph$/, "the graph before Inductor's post-grad passes"],
  [/^inductor_post_grad_graph$/, "the graph behind Inductor's post-grad passes: what is lowered"],
  [/^inductor_output_code/, "the code that Inductor wrote: kernels and what calls them"],
  [/^fx_graph_runnable$/, "a Python program that runs this graph alone"],
  [/^fx_graph_cache_/, "what Inductor's cache had, and the key that it asked for"],
  [/^aotautograd_cache_/, "what AOTAutograd's cache had, and the key that it asked for"],
  [/^torch\._functorch\.config$/, "the configuration of AOTAutograd"],
  [/^compiled_autograd_graph/, "the backward as compiled autograd recorded it when it ran"],
  [/^inductor_provenance_tracking_node_mappings/, "which nodes became which kernels and lines"],
  [/^inductor_provenance_tracking_kernel_stack_traces/, "which lines of yours each kernel comes from"],
  [/^(bwd_)?compilation_metrics/, "times, counts and versions of this compile: see the tab Metrics"],
  [/^propagate_real_tensors/, "a value that was read while tracing"],
  [/^eval_with_key/, "the Python source of a generated graph module"],
];

export function artifactWords(artifact: Artifact): string {
  return WORDS.find(([name]) => name.test(artifact.name))?.[1] ?? "";
}

"""A backend that writes which module PyTorch has for each operation of a graph, beside the log.

truth.jsonl gets one line for each graph: its compile id, and each operation's name, kind, target and modules, the outermost first
(`nn_module_stack`: what torch.fx knows while it traces). The last line has the modules of the program: `named_modules()` with classes, and
the parameters and buffers of each without those of its children."""
import json
import os

import torch
from torch._guards import CompileContext
from torch._inductor.compile_fx import compile_fx

OUT = open(os.path.join(os.environ["TRUTH_OUT"], "truth.jsonl"), "w")


def class_name(value):
    return value if isinstance(value, str) else f"{value.__module__}.{value.__qualname__}"


def nodes_of(graph_module, prefix=""):
    for node in graph_module.graph.nodes:
        if node.op in ("placeholder", "output"):
            continue
        stack = node.meta.get("nn_module_stack") or {}
        stack = [[key, path, class_name(cls)] for key, (path, cls) in stack.items()]
        yield [prefix + node.name, node.op, str(node.target), stack]
    for name, child in graph_module.named_children():
        if isinstance(child, torch.fx.GraphModule):
            yield from nodes_of(child, f"{prefix}{name}/")


def write_nodes(graph_module):
    nodes = list(nodes_of(graph_module))
    json.dump({"compile": str(CompileContext.current_compile_id()), "nodes": nodes}, OUT)
    OUT.write("\n")
    OUT.flush()


def backend(graph_module, inputs, **kwargs):
    write_nodes(graph_module)
    return compile_fx(graph_module, inputs, **kwargs)


def eager(graph_module, inputs):
    """The same without Inductor, for small logs."""
    write_nodes(graph_module)
    return graph_module.forward


def size_of(tensors):
    """Number and bytes of all elements."""
    tensors = list(tensors)
    return [len(tensors), sum(t.numel() for t in tensors), sum(t.numel() * t.element_size() for t in tensors)]


def modules(*models):
    for model in models:
        rows = [[name, class_name(type(module)), size_of(module.parameters(recurse=False)), size_of(module.buffers(recurse=False))]
                for name, module in model.named_modules()]
        # Each tensor once, however many names it has: what named_parameters() counts.
        total = [size_of(model.parameters()), size_of(model.buffers())]
        json.dump({"modules": rows, "total": total}, OUT)
        OUT.write("\n")
    OUT.flush()

"""A list of tensors lives across a graph break; the layout of one of them depends on how the function was called."""
import torch


def layouts(x, transposed):
    views = [x * 2, x.t() + 1 if transposed else x.t().contiguous() + 1]
    torch._dynamo.graph_break()
    return views[1] * 3 + views[0].sum()


compiled = torch.compile(layouts, dynamic=False)
x = torch.ones(8, 4)
compiled(x, False)
compiled(x, True)

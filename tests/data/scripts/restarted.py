# A float that becomes a symbol, and then has to be a number: Dynamo starts the trace again, without a graph break.
import torch


@torch.compile(backend="aot_eager")
def scaled(x, s):
    return torch.nn.functional.dropout(x, p=s, training=True) * s


for s in (0.25, 0.5, 0.75):
    scaled(torch.ones(4), s)

# Selective activation checkpointing without a cache_hash, which AOTAutograd's cache needs.
from functools import partial

import torch
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op == torch.ops.aten.mm.default else CheckpointPolicy.PREFER_RECOMPUTE


@torch.compile
def f(x, w):
    contexts = partial(create_selective_checkpoint_contexts, policy)
    return checkpoint(lambda t: torch.tanh(t @ w).sin(), x, use_reentrant=False, context_fn=contexts).sum()


f(torch.randn(4, 4, requires_grad=True), torch.randn(4, 4)).backward()

"""Activation checkpointing, plain and selective, with Compiled Autograd on a GPU."""

import functools

import torch
from torch import nn
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

fc1, fc2 = nn.Linear(64, 256).cuda(), nn.Linear(256, 64).cuda()


def block(x):
    return fc2(torch.nn.functional.gelu(fc1(x)))


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op == torch.ops.aten.addmm.default else CheckpointPolicy.PREFER_RECOMPUTE


contexts = functools.partial(create_selective_checkpoint_contexts, policy)


@torch.compile
def plain(x):
    return checkpoint(block, x, use_reentrant=False).sum()


@torch.compile
def selective(x):
    return checkpoint(block, x, use_reentrant=False, context_fn=contexts).sum()


x = torch.randn(16, 64, device="cuda", requires_grad=True)
plain(x).backward()
with torch._dynamo.compiled_autograd._enable(torch.compile(backend="inductor")):
    selective(x).backward()
torch.cuda.synchronize()

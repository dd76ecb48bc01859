"""A small GPT-2 of transformers, training, without events of kernels."""
import torch
import transformers
from common import recorded

config = transformers.GPT2Config(n_layer=2, n_head=2, n_embd=64, vocab_size=200, n_positions=64)
model = transformers.GPT2LMHeadModel(config)
compiled = torch.compile(model)
ids = torch.randint(0, 200, (2, 32))


def step(i):
    compiled(input_ids=ids, labels=ids).loss.backward()


step(0)
recorded("huggingface", step)

"""A model of transformers that installs hooks in its first call, which breaks the graph there only, and a break that depends on a flag."""
import torch
from diffusers.utils.torch_utils import randn_tensor
from transformers import LlamaConfig, LlamaModel

torch.manual_seed(0)
config = LlamaConfig(vocab_size=32, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2)
model = LlamaModel(config).eval()
gen = torch.Generator().manual_seed(0)


@torch.compile(backend="eager")
def step(ids):
    out = model(ids, output_hidden_states=True, use_cache=False)
    return out.hidden_states[-1].sum()


@torch.compile(backend="eager")
def noisy(x, noise):
    x = x * 2
    if noise:
        x = x + randn_tensor(x.shape, generator=gen)
    return x.sin()


with torch.no_grad():
    for rows in (2, 3, 2, 4):
        step(torch.ones(rows, 5, dtype=torch.long))
for noise in (True, False):
    noisy(torch.ones(3), noise)

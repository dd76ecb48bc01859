"""transformers generate() with a compiled forward: prefill, decode steps, then another batch size."""
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=60, n_embd=16, n_layer=1, n_head=2, n_positions=64)).eval()
model.forward = torch.compile(model.forward, backend="eager")
for batch, length in ((1, 5), (2, 7)):
    ids = torch.randint(0, 60, (batch, length))
    model.generate(ids, max_new_tokens=4, do_sample=False, pad_token_id=0)

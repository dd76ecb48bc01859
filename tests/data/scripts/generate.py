"""generate() of a small GPT-2: prefill and decode, cache lengths and batch sizes."""

import torch
torch.manual_seed(0)
torch.set_num_threads(1)
from transformers import GPT2Config, GPT2LMHeadModel
model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=64, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)).eval()
model.generation_config.pad_token_id = 0
model.forward = torch.compile(model.forward, backend="eager")
def go(batch, prompt, new):
    ids = torch.randint(1, 64, (batch, prompt))
    return model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=new, min_new_tokens=new, do_sample=False)
go(1, 8, 4)
go(1, 8, 6)
go(2, 8, 4)
go(2, 12, 4)

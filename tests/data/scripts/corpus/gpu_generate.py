"""Hugging Face `generate` with a static cache on a GPU, which compiles the forward of a decode step with CUDA graphs; two prompts of other lengths."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(vocab_size=128, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128, bos_token_id=1, eos_token_id=2, pad_token_id=0)
model = LlamaForCausalLM(config).cuda().half().eval()
for length in (5, 9):
    ids = torch.randint(3, 128, (1, length), device="cuda")
    out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=8, min_new_tokens=8, cache_implementation="static", do_sample=False)
    print(out.shape)
torch.cuda.synchronize()

"""Greedy decoding of a small Llama with a static cache: prompts of several lengths and batches, a prefill and a decode step compiled apart."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM, StaticCache

torch.manual_seed(0)
config = LlamaConfig(vocab_size=64, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=64)
model = LlamaForCausalLM(config).eval()
compiled = torch.compile(model.forward, backend="eager")


def generate(prompt, new_tokens, mask=None):
    cache = StaticCache(config=config, max_cache_len=16)
    position = torch.arange(prompt.shape[1])
    out = compiled(input_ids=prompt, attention_mask=mask, past_key_values=cache, cache_position=position, use_cache=True)
    for step in range(new_tokens):
        token = out.logits[:, -1:].argmax(-1)
        position = position[-1:] + 1
        out = compiled(input_ids=token, past_key_values=cache, cache_position=position, use_cache=True)


with torch.no_grad():
    generate(torch.ones(1, 4, dtype=torch.long), 2)
    generate(torch.ones(2, 4, dtype=torch.long), 2)
    generate(torch.ones(2, 6, dtype=torch.long), 1)
    generate(torch.ones(3, 6, dtype=torch.long), 1, torch.ones(3, 6, dtype=torch.long))

"""Llama decoding with a static cache, compiled in the step function, for two cache lengths."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.cache_utils import StaticCache

torch.manual_seed(0)
config = LlamaConfig(vocab_size=40, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=64)
model = LlamaForCausalLM(config).eval()


@torch.compile(backend="eager")
def decode(ids, position, cache):
    return model(ids, cache_position=position, past_key_values=cache, use_cache=True).logits[:, -1].argmax(-1)


with torch.no_grad():
    for length in (8, 12):
        cache = StaticCache(config=config, max_cache_len=length)
        token = torch.tensor([[1]])
        for i in range(3):
            token = decode(token, torch.tensor([i]), cache)[:, None]

"""A Llama whose layers are equal, but each reads its own number, to find its part of the cache."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(vocab_size=60, hidden_size=16, intermediate_size=32, num_hidden_layers=5, num_attention_heads=2, num_key_value_heads=2)
model = LlamaForCausalLM(config).eval()
model.compile(backend="aot_eager")
with torch.no_grad():
    model(torch.randint(0, 60, (2, 8)))

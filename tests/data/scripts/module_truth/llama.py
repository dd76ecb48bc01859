"""Llama of transformers, for inference: rotary embeddings from a buffer, gated MLPs, RMS norms."""
import torch
import transformers
import truth

config = transformers.LlamaConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
                                  num_key_value_heads=2, vocab_size=100)
model = transformers.LlamaForCausalLM(config).eval()
compiled = torch.compile(model, backend=truth.backend)
with torch.no_grad():
    compiled(input_ids=torch.randint(0, 100, (2, 16)), use_cache=False)
truth.modules(model)

"""ALBERT of transformers: one layer that is called several times."""
import torch
import transformers
import truth

config = transformers.AlbertConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=4, num_attention_heads=4, embedding_size=16,
                                   vocab_size=100)
model = transformers.AlbertForMaskedLM(config).eval()
compiled = torch.compile(model, backend=truth.backend)
with torch.no_grad():
    compiled(input_ids=torch.randint(0, 100, (2, 16)))
truth.modules(model)

"""GPT-2 of transformers with a tied head, training."""
import torch
import transformers
import truth

config = transformers.GPT2Config(n_embd=32, n_layer=3, n_head=2, vocab_size=100, n_positions=32)
model = transformers.GPT2LMHeadModel(config)
ids = torch.randint(0, 100, (2, 16))
compiled = torch.compile(model, backend=truth.backend)
compiled(input_ids=ids, labels=ids).loss.backward()
truth.modules(model)

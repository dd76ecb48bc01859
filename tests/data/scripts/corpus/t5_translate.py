"""Encoder and decoder of T5, trained on two lengths and then used to generate."""
import torch
from transformers import T5Config, T5ForConditionalGeneration

torch.manual_seed(0)
config = T5Config(vocab_size=40, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, decoder_start_token_id=0)
model = T5ForConditionalGeneration(config)
step = torch.compile(model, backend="eager")
for src, dst in ((6, 4), (9, 4), (9, 7)):
    step(input_ids=torch.randint(1, 40, (2, src)), labels=torch.randint(1, 40, (2, dst))).loss.backward()

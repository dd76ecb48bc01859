"""T5 of transformers, training: one embedding that the encoder, the decoder and the head share."""
import torch
import transformers
import truth

config = transformers.T5Config(d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, vocab_size=100, decoder_start_token_id=0, pad_token_id=0)
model = transformers.T5ForConditionalGeneration(config)
ids = torch.randint(0, 100, (2, 12))
torch.compile(model, backend=truth.backend)(input_ids=ids, labels=ids).loss.backward()
truth.modules(model)

"""Mamba of transformers: a state space model in plain operations."""
import torch
import transformers
import truth

model = transformers.MambaForCausalLM(transformers.MambaConfig(hidden_size=32, num_hidden_layers=2, vocab_size=100, state_size=4)).eval()
with torch.no_grad():
    torch.compile(model, backend=truth.eager)(input_ids=torch.randint(0, 100, (2, 6)))
truth.modules(model)

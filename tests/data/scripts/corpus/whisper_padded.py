"""A speech encoder of transformers (Whisper) that reads batches with padded clips: two batch sizes, with and without a mask, and a short clip that it refuses."""

import torch
from transformers import WhisperConfig
from transformers.models.whisper.modeling_whisper import WhisperEncoder


def main():
    torch.manual_seed(0)
    config = WhisperConfig(d_model=32, encoder_layers=2, encoder_attention_heads=4, encoder_ffn_dim=64, num_mel_bins=16, max_source_positions=40)
    encoder = WhisperEncoder(config).eval()
    compiled = torch.compile(encoder, backend="eager")
    with torch.no_grad():
        for batch in (1, 2, 3):
            print("batch", batch, compiled(torch.randn(batch, 16, 80)).last_hidden_state.shape)
        mask = torch.ones(2, 80, dtype=torch.long)
        mask[1, 50:] = 0
        print("masked", compiled(torch.randn(2, 16, 80), attention_mask=mask).last_hidden_state.shape)
        try:
            compiled(torch.randn(1, 16, 60))
        except ValueError as error:
            print("refused:", error)


main()

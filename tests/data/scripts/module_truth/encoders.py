"""Encoders of transformers with classifiers: BERT, DeBERTa, which makes an activation while it runs, and ViT."""
import torch
import transformers
import truth

sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
ids = {"input_ids": torch.randint(0, 100, (2, 12))}
pixels = {"pixel_values": torch.randn(2, 3, 32, 32)}
models = [
    (transformers.BertForSequenceClassification(transformers.BertConfig(**sizes, vocab_size=100)), ids),
    (transformers.DebertaV2ForSequenceClassification(
        transformers.DebertaV2Config(**sizes, vocab_size=100, relative_attention=True, pos_att_type=["p2c", "c2p"])), ids),
    (transformers.ViTForImageClassification(transformers.ViTConfig(**sizes, image_size=32, patch_size=8)), pixels),
]
for model, inputs in models:
    torch.compile(model, backend=truth.backend)(**inputs).logits.sum().backward()
    truth.modules(model)

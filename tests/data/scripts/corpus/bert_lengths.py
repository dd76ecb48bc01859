"""BERT encoder for classification: batches of several lengths, with and without an attention mask, then evaluation."""
import torch
from transformers import BertConfig, BertForSequenceClassification

torch.manual_seed(0)
config = BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, max_position_embeddings=64)
model = torch.compile(BertForSequenceClassification(config), backend="aot_eager")
for batch, length in ((2, 8), (2, 12), (3, 16)):
    ids = torch.randint(0, 50, (batch, length))
    model(ids, labels=torch.zeros(batch, dtype=torch.long)).loss.backward()
model(ids, attention_mask=torch.ones_like(ids), labels=torch.zeros(3, dtype=torch.long)).loss.backward()
model.eval()
with torch.no_grad():
    model(ids, attention_mask=torch.ones_like(ids))

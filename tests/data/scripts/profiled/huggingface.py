"""A small BERT of transformers, training. Its first call changes what a guard reads, so a second version runs, whose graphs come from the cache."""
import torch
import transformers
from common import recorded, with_kernel_events

with_kernel_events()
config = transformers.BertConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, vocab_size=100)
model = transformers.BertForSequenceClassification(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
compiled = torch.compile(model)
ids = torch.randint(0, 100, (2, 16))
labels = torch.tensor([0, 1])


def step(i):
    compiled(input_ids=ids, labels=labels).loss.backward()
    optimizer.step()
    optimizer.zero_grad()


for i in range(2):
    step(i)
recorded("huggingface", step)

"""A metric of torchmetrics that checks its arguments in a loop, within a compiled step."""
import torch
from torchmetrics.classification import MulticlassAccuracy

accuracy = MulticlassAccuracy(num_classes=4)
model = torch.nn.Linear(8, 4)


@torch.compile(backend="aot_eager")
def evaluate(x, target):
    scores = model(x)
    accuracy.update(scores.argmax(-1), target)
    return scores.logsumexp(-1).mean()


accuracy.update(torch.zeros(6, dtype=torch.long), torch.zeros(6, dtype=torch.long))
evaluate(torch.ones(6, 8), torch.zeros(6, dtype=torch.long))

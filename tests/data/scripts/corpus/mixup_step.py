"""A training step with timm's mixup inside the compiled function: the library breaks the graph several times below one line of the program. Then the same step with mixup before it, the option for autograd, and a batch that lacks a key."""

import torch
from timm.data.mixup import Mixup
from timm.loss import SoftTargetCrossEntropy

torch.manual_seed(0)
mixup = Mixup(mixup_alpha=0.4, cutmix_alpha=1.0, num_classes=4)
criterion = SoftTargetCrossEntropy()
model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.Flatten(), torch.nn.Linear(4 * 6 * 6, 4))
optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)


@torch.compile(backend="eager")
def train_step(batch):
    x, y = mixup(batch["image"], batch["label"])
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()


@torch.compile(backend="eager")
def loss_of(x, y):
    return criterion(model(x), y)


def batch(size):
    return {"image": torch.randn(size, 3, 8, 8), "label": torch.randint(0, 4, (size,))}


for _ in range(2):
    print("inside", train_step(batch(4)).item())
for _ in range(2):
    print("before", loss_of(*mixup(**{"x": batch(4)["image"], "target": batch(4)["label"]})).item())
try:
    train_step({"image": torch.randn(4, 3, 8, 8)})
except KeyError as error:
    print("missing", error)

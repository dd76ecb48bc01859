"""Training with autocast, a GradScaler and gradient accumulation: the step takes the number of the micro batch and whether it synchronizes, and an exponential moving average is updated in a compiled function."""

import copy

import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, 1))
average = copy.deepcopy(model).requires_grad_(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu")
ACCUMULATE = 4


@torch.compile(backend="aot_eager")
def micro_step(x, y, number, half):
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
        loss = nn.functional.mse_loss(model(x), y)
    if (number + 1) % ACCUMULATE == 0:
        loss = loss * 1.0
    return loss / ACCUMULATE


@torch.compile(backend="aot_eager")
@torch.no_grad()
def update_average(decay):
    for slow, fast in zip(average.parameters(), model.parameters()):
        slow.lerp_(fast, 1 - decay)


def main():
    torch.manual_seed(0)
    for number in range(8):
        x = torch.randn(16, 8)
        loss = micro_step(x, x.sum(1, keepdim=True), number, number >= 4)
        scaler.scale(loss).backward()
        if (number + 1) % ACCUMULATE == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            update_average(min(0.99, (1 + number) / (10 + number)))
            print(number, loss.item(), scaler.get_scale())


main()

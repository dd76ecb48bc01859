"""random.sample() of a replay buffer needs the value of a number, which is dynamic from its second value on: an error."""
import random
import torch

random.seed(0)


@torch.compile(backend="eager")
def sample(buffer, n):
    return torch.stack(random.sample(buffer, n))


buffer = [torch.ones(2) for _ in range(8)]
for n in (3, 5):
    try:
        sample(buffer, n)
    except Exception as error:
        print(n, type(error).__name__)

# A loss that reads a number, tests it at the next line, and has a float among its arguments that changes; and one that reads
# a number and only prints it.
import torch

compiled = torch.compile(backend="aot_eager")


@compiled
def loss(logp, old, entropy_weight):
    ratio = (logp - old).exp()
    kl = (old - logp).mean().item()
    if kl > 0.5:
        print("early stop", kl)
    return ratio.mean() - entropy_weight * logp.mean()


@compiled
def logged(logp, old):
    ratio = (logp - old).exp()
    kl = (old - logp).mean().item()
    return ratio.mean() * kl


torch.manual_seed(0)
for step in range(4):
    weight = 0.01 * 0.9 ** (step // 2)
    logp, old = torch.randn(4), torch.randn(4)
    loss(logp, logp + old * 0.01, weight), logged(logp, old)

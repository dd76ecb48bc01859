"""A critic with a gradient penalty, whose loss goes through backward(), and the gradient of an energy."""
import torch


def gradient_penalty(critic, mixed):
    score = critic(mixed)
    (grad,) = torch.autograd.grad(score.sum(), mixed, create_graph=True)
    return ((grad.norm(dim=1) - 1) ** 2).mean()


def force(net, x):
    energy = (net(x) ** 2).sum()
    (grad,) = torch.autograd.grad(energy, x)
    return energy, -grad


def mixed_inside(critic, real, fake):
    mixed = (0.5 * real + 0.5 * fake).requires_grad_(True)
    return gradient_penalty(critic, mixed)


def main():
    torch.manual_seed(0)
    critic = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.SiLU(), torch.nn.Linear(8, 1))
    real, fake = torch.randn(4, 2), torch.randn(4, 2)
    mixed = (0.5 * real + 0.5 * fake).requires_grad_(True)
    torch.compile(gradient_penalty, backend="eager")(critic, mixed).backward()
    print(torch.compile(force, backend="eager")(critic, mixed)[1].shape)
    torch._dynamo.config.trace_autograd_ops = True
    torch.compile(mixed_inside, backend="eager")(critic, real, fake).backward()
    torch.compiler.reset()
    try:
        torch.compile(mixed_inside, backend="eager", fullgraph=True)(critic, real, fake)
    except Exception as error:
        print("failed", type(error).__name__)


if __name__ == "__main__":
    main()

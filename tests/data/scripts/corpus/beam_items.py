"""A beam search and merges of a tokenizer that read numbers with item(): in the test of a while loop, in comparisons, as keys; then lines that need the value of a captured number, and two graph breaks below one call."""
import torch

torch.manual_seed(0)
W = torch.randn(16, 16)
RANKS, WEIGHTS = {3: 1, 4: 2, 5: 3}, [1, 2, 3, 4, 5, 6]


@torch.compile(backend="eager")
def search(states, limit):
    scores, length = torch.zeros(len(states)), 0
    while scores.max().item() > -limit:
        every = scores[:, None] + (states @ W).log_softmax(-1)
        scores, picks = every.flatten().topk(len(states))
        states = states[picks // 16].tanh()
        length += 1
    return scores, length


@torch.compile(backend="eager")
def merged(ids, merges):
    while ids.numel() > 1:
        pairs = ids[:-1] * 100 + ids[1:]
        best = int(pairs.max())
        if best not in merges:
            break
        at = int(pairs.argmax())
        ids = torch.cat([ids[:at], torch.tensor([merges[best]]), ids[at + 2 :]])
    return ids


@torch.compile(backend="eager")
def finished(scores, tokens):
    best = scores.max()
    for k in range(3):
        if scores[k].item() < best.item() - 1 or tokens[k].item() == 2:
            scores = scores.index_fill(0, torch.tensor([k]), -1e9)
    return scores.softmax(0)


def rank(x):
    n = x.max().item()
    return x * RANKS.get(n, 1)


def weight(x):
    n = x.max().item()
    return x * WEIGHTS[n]


def compared(x):
    n = x.max().item()
    y = x * 2
    if n > 4:
        return y + 1
    return y - 1


def inner(x, step):
    torch._dynamo.graph_break()
    y = x.sin()
    torch._dynamo.graph_break()
    return y.cos(), step.number


@torch.compile(backend="eager")
def outer(x, step):
    y, number = inner(x, step)
    return y * number


class Step:
    number = 0


with torch.no_grad():
    search(torch.randn(3, 16), 9.0)
    finished(torch.randn(3), torch.randint(0, 4, (3,)))
    merged(torch.tensor([1, 2, 3, 4, 2]), {304: 7, 402: 8, 207: 9})
    for number in (0.5, 1.5, 2.5):
        step = Step()
        step.number = number
        outer(torch.ones(4), step)
    with torch._dynamo.config.patch(capture_scalar_outputs=True):
        for f in (rank, weight, compared):
            compiled = torch.compile(f, backend="eager")
            for start in (0, 1, 2):
                compiled(torch.arange(start, start + 4))

"""A sampler as in a text generator: top-k and top-p, then Python over the numbers of sampled tokens: loops with tests and sets, lookups, bool()."""
import torch

torch.manual_seed(0)
VOCAB, EOS = 32, {2, 5}
embed = torch.nn.Embedding(VOCAB, 16)
head = torch.nn.Linear(16, VOCAB)


def filtered(logits, top_k, top_p):
    limit = logits.topk(top_k).values[:, -1:]
    logits = logits.masked_fill(logits < limit, float("-inf"))
    order, index = logits.sort(descending=True)
    cut = order.softmax(-1).cumsum(-1) > top_p + order.softmax(-1)
    return logits.masked_fill(cut.scatter(1, index, cut), float("-inf"))


def unrepeated(ids, logits):
    for row, tokens in enumerate(ids.tolist()):
        for token in set(tokens):
            logits[row, token] = logits[row, token] / 1.3
    return logits


def stops(ids, length):
    if ids.shape[1] >= length:
        return True
    for token in ids[:, -1].tolist():
        if token not in EOS:
            return False
    return True


@torch.compile(backend="eager")
def step(ids):
    logits = head(embed(ids).mean(1))
    logits = filtered(unrepeated(ids, logits), 8, 0.9)
    token = torch.multinomial(logits.softmax(-1), 1)
    ids = torch.cat([ids, token], dim=1)
    return ids, stops(ids, 9)


@torch.compile(backend="eager")
def first_eos(ids):
    probs = head(embed(ids)).softmax(-1)
    for place, token in enumerate(probs.argmax(-1)[0]):
        if int(token) == 2:
            return probs[:, : place + 1]
    return probs


@torch.compile(backend="eager")
def counts(ids):
    seen = {}
    for token in ids[0].tolist():
        seen[token] = seen.get(token, 0) + 1
    return embed(ids) * max(seen.values())


@torch.compile(backend="eager")
def used(ids):
    seen = set(ids[0].tolist())
    return embed(ids) * len(seen)


@torch.compile(backend="eager")
def ended(ids):
    stop = int(ids[0, -1]) in EOS
    return embed(ids) * 2, stop


@torch.compile(backend="eager")
def every(ids):
    full = bool((ids > 5).all())
    return embed(ids) if full else embed(ids) * 2


@torch.compile(backend="eager")
def share(ids):
    count = ids.bool().sum().item()
    return embed(ids) * count


@torch.compile(backend="eager")
def weighted(scores):
    total = scores.sum()
    for score in scores.tolist():
        total = total if score < 0 else total * 2
    return total


with torch.no_grad():
    ids, done = torch.randint(6, VOCAB, (2, 4)), False
    while not done:
        ids, done = step(ids)
    for _ in range(2):
        first_eos(torch.randint(0, VOCAB, (1, 6)))
        for f in (counts, used, ended, every, share):
            f(torch.randint(0, VOCAB, (1, 6)))
    weighted(torch.ones(2))

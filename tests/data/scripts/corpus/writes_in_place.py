"""Compiled functions that write parts of their arguments: a cache of keys, a table of rows, and a counter."""

import torch

torch.manual_seed(0)
cache, rows, count = torch.zeros(16, 8), torch.zeros(16, 8), torch.zeros(5)
place, values = torch.tensor([1, 3]), torch.randn(2, 8)


@torch.compile
def put(cache, place, values):
    cache[place] = values.sin()


@torch.compile
def put_and_sum(cache, place, values):
    cache[place] = values.exp()
    return cache.sum()


@torch.compile
def put_and_count(rows, place, values, count):
    rows.index_copy_(0, place, values.cos())
    count.add_(1)
    return values.tanh()


@torch.compile
def put_twice(rows, place, values):
    rows[place] = values.exp()
    rows[place + 1] = values.sin()
    return values + 1


put(cache, place, values)
put_and_sum(cache, place, values)
put_and_count(rows, place, values, count)
put_twice(rows, place, values)

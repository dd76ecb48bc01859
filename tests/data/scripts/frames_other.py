"""A function of the same name as one in frames.py."""


def helper(x):
    return x.cos()

"""A library that looks for a package in a function that is compiled, where the package is not installed."""
import torch
from lightning_utilities.core.imports import RequirementCache

HAS_EXTRA = RequirementCache("an-extra-package>=1.0")


@torch.compile(backend="aot_eager")
def normalize(x):
    scale = 2.0 if HAS_EXTRA else 1.0
    return x / x.norm() * scale


def main():
    try:
        print(normalize(torch.randn(4)))
    except Exception as error:
        print("failed", type(error).__name__)


if __name__ == "__main__":
    main()

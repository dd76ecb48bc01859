"""A worker of a DataLoader that was forked after the first compile: its log holds only the recompile."""
import torch
from torch.utils.data import DataLoader, Dataset


@torch.compile(backend="eager")
def augment(x):
    return x * 2 + 1


class Data(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return augment(torch.ones(4) * i)


if __name__ == "__main__":
    augment(torch.ones(4))
    for batch in DataLoader(Data(), batch_size=2, num_workers=1, multiprocessing_context="fork"):
        pass

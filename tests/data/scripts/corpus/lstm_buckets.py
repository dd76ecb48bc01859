"""A tagger with an LSTM that packs padded sequences; batches are bucketed by length, and the hidden state is carried from one batch to the next of the same bucket."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8)
        self.cell = nn.LSTM(8, 12, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(24, 5)

    def forward(self, tokens, lengths, state=None):
        packed = pack_padded_sequence(self.words(tokens), lengths, batch_first=True, enforce_sorted=False)
        hidden, state = self.cell(packed, state)
        hidden, _ = pad_packed_sequence(hidden, batch_first=True)
        return self.tags(hidden), state


def main():
    torch.manual_seed(0)
    tagger = Tagger()
    compiled = torch.compile(tagger, backend="aot_eager")
    optimizer = torch.optim.Adam(tagger.parameters())
    for length in (6, 12, 18):
        state = None
        for _ in range(2):
            tokens = torch.randint(0, 40, (4, length))
            lengths = torch.tensor([length, length - 1, length - 3, 2])
            out, state = compiled(tokens, lengths, state)
            state = tuple(part.detach() for part in state)
            loss = nn.functional.cross_entropy(out.transpose(1, 2), torch.randint(0, 5, (4, length)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(length, loss.item())


main()

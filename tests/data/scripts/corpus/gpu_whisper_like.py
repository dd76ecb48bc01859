"""Audio on a GPU: a spectrogram with complex numbers and an LSTM of cuDNN in a compiled model; clips of several lengths."""

import torch
import torchaudio
from torch import nn


class Audio(nn.Module):
    def __init__(self):
        super().__init__()
        self.mel = torchaudio.transforms.MelSpectrogram(16000, n_fft=256, n_mels=32)
        self.rnn = nn.LSTM(32, 32, batch_first=True)
        self.out = nn.Linear(32, 10)

    def forward(self, clip):
        x = self.mel(clip).clamp(min=1e-5).log().transpose(1, 2)
        y, _ = self.rnn(x)
        return self.out(y[:, -1])


net = torch.compile(Audio().cuda())
with torch.no_grad():
    for n in (4000, 6000, 8000):
        net(torch.randn(2, n, device="cuda"))
torch.cuda.synchronize()

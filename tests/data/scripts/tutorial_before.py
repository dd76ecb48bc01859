"""The program of the tutorial before the fix; tutorial_after.py is the same program with it. Both were recorded under the name train.py."""
import torch


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = torch.nn.Linear(16, 32)
        self.scores = torch.nn.Linear(32, 4)

    def forward(self, batch):
        return self.scores(torch.relu(self.hidden(batch)))


torch.manual_seed(0)
model = torch.compile(Classifier())
data = torch.randn(21, 16)
with torch.no_grad():
    for batch in data.split(8):  # 8, 8 and 5 rows
        model(batch)

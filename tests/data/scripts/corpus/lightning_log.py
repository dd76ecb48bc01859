"""Lightning trains a module that is compiled as a whole and logs a metric: `log` breaks the graph, and hits the recompile limit."""
import logging
import lightning as L
import torch
import torchmetrics
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
torch.manual_seed(0)


class Task(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(4, 8), *[torch.nn.Linear(8, 8) for _ in range(40)], torch.nn.Linear(8, 3))
        self.right = torchmetrics.Accuracy(task="multiclass", num_classes=3)

    def training_step(self, batch, index):
        x, y = batch
        out = self.net(x)
        loss = torch.nn.functional.cross_entropy(out, y)
        self.right(out, y)
        self.log("right", self.right)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, index):
        self.log("val", torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1]))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = DataLoader(TensorDataset(torch.randn(10, 4), torch.randint(0, 3, (10,))), batch_size=4)
task = torch.compile(Task(), backend="aot_eager")
L.Trainer(max_epochs=2, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False).fit(task, data, data)

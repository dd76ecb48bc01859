"""An export whose sequence length is cut into windows: only some lengths fit. Then what PyTorch suggests."""
import torch
from torch.export import Dim, export


class Windows(torch.nn.Module):
    def forward(self, x):
        batch, length, width = x.shape
        return x.view(batch, length // 4, 4, width).amax(2)


x = torch.ones(2, 16, 8)
length = Dim("length", min=4, max=128)
try:
    export(Windows(), (x,), dynamic_shapes={"x": {1: length}}, strict=True)
except Exception as error:
    print(error)
windows = Dim("windows", min=1, max=32)
export(Windows(), (x,), dynamic_shapes={"x": {1: 4 * windows}}, strict=True)

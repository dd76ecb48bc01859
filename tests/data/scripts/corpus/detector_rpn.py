"""The region proposals of a detector of torchvision, compiled as a whole: the library calls `nms` in it."""
import torch
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.rpn import RegionProposalNetwork, RPNHead

torch.manual_seed(0)
anchors = AnchorGenerator(((8,),), ((1.0,),))
counts = {"training": 8, "testing": 8}
proposals = RegionProposalNetwork(anchors, RPNHead(4, 1), 0.7, 0.3, 16, 0.5, counts, counts, 0.7).eval()
proposals = torch.compile(proposals, backend="eager")
with torch.no_grad():
    proposals(ImageList(torch.rand(1, 3, 32, 32), [(32, 32)]), {"0": torch.rand(1, 4, 4, 4)})

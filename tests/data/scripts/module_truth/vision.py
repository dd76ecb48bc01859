"""Models of torchvision: DenseNet, whose transitions inherit forward() of Sequential, SqueezeNet, ShuffleNet with two branches in one
line, and a vision transformer."""
import torch
import torchvision
import truth

for model, shape in ((torchvision.models.densenet.DenseNet(growth_rate=4, block_config=(2, 2), num_init_features=8, num_classes=5), (2, 3, 32, 32)),
                     (torchvision.models.squeezenet1_1(num_classes=5), (2, 3, 64, 64)),
                     (torchvision.models.shufflenet_v2_x0_5(num_classes=5), (2, 3, 32, 32)),
                     (torchvision.models.vision_transformer.VisionTransformer(16, 8, 2, 2, 16, 32, num_classes=5), (2, 3, 16, 16))):
    torch.compile(model, backend=truth.eager)(torch.randn(shape)).sum().backward()
    truth.modules(model)

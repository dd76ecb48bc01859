"""An encoder as in BERT, written out: embeddings, attention with a mask, layer norm, GELU; trained with inductor and provenance tracking."""
import torch
import torch._inductor.config

torch._inductor.config.trace.provenance_tracking_level = 1


class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)
        self.norm1 = torch.nn.LayerNorm(width)
        self.norm2 = torch.nn.LayerNorm(width)

    def forward(self, x, mask):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = q @ k.transpose(-1, -2)
        scores = scores / 4.0
        scores = scores + mask
        weights = torch.softmax(scores, dim=-1)
        weights = torch.nn.functional.dropout(weights, 0.1, self.training)
        x = self.norm1(x + self.out(weights @ v))
        y = torch.nn.functional.gelu(self.up(x))
        return self.norm2(x + self.down(y))


class Encoder(torch.nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.words = torch.nn.Embedding(50, width)
        self.places = torch.nn.Embedding(12, width)
        self.norm = torch.nn.LayerNorm(width)
        self.layer = Layer(width)
        self.decoder = torch.nn.Linear(width, 50)

    def forward(self, ids, keep):
        mask = (1.0 - keep[:, None, :]) * -1e9
        places = torch.arange(ids.shape[1])
        x = self.words(ids) + self.places(places)
        x = self.norm(x)
        x = self.layer(x, mask)
        pooled = torch.tanh(x[:, 0])
        return self.decoder(x), pooled


torch.manual_seed(0)
net = torch.compile(Encoder().train())
ids = torch.randint(0, 50, (2, 12))
logits, pooled = net(ids, torch.ones(2, 12))
loss = torch.nn.functional.cross_entropy(logits.view(-1, 50), ids.view(-1)) + pooled.sum()
loss.backward()

"""A server with two threads that take requests from one queue: one compiled model gets batches of different sizes in both threads, in inference mode in one of them and without gradients in the other."""

import queue
import threading

import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(30, 8)
        self.score = nn.Linear(8, 1)

    def forward(self, ids, top):
        scores = self.score(self.items(ids).mean(1)).squeeze(-1)
        return scores.topk(min(top, scores.shape[0])).indices


def serve(model, requests, mode, turn, other):
    while True:
        turn.acquire()
        request = requests.get()
        if request is None:
            requests.put(None)
            other.release()
            return
        with mode():
            print(mode.__name__, request[0].shape[0], model(*request).tolist())
        other.release()


def main():
    torch.manual_seed(0)
    model = torch.compile(Ranker().eval(), backend="aot_eager")
    requests = queue.Queue()
    for rows, top in ((1, 1), (1, 1), (4, 2), (6, 2), (8, 3), (2, 3)):
        requests.put((torch.randint(0, 30, (rows, 5)), top))
    requests.put(None)
    first, second = threading.Semaphore(1), threading.Semaphore(0)
    threads = [
        threading.Thread(target=serve, args=(model, requests, torch.inference_mode, first, second), name="front"),
        threading.Thread(target=serve, args=(model, requests, torch.no_grad, second, first), name="back"),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main()

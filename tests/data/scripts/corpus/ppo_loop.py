"""Reinforcement learning with PPO: a policy acts on NumPy observations of a small environment, and an update step with clipped ratios trains on what was collected; the last minibatch is smaller."""

import numpy as np
import torch
from torch import nn


class Walk:
    """An environment: stay near zero."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.state = self.random.normal(size=4).astype(np.float32)

    def step(self, action):
        self.state = 0.9 * self.state + (0.1 if action else -0.1)
        reward = -float(np.abs(self.state).sum())
        return self.state.astype(np.float32), reward


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
        self.actor = nn.Linear(16, 2)
        self.critic = nn.Linear(16, 1)

    def forward(self, observation):
        hidden = self.body(observation)
        return self.actor(hidden), self.critic(hidden).squeeze(-1)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)


@torch.compile(backend="aot_eager")
def act(observation):
    logits, value = policy(torch.from_numpy(observation))
    choice = torch.distributions.Categorical(logits=logits)
    action = choice.sample()
    return action.item(), choice.log_prob(action), value


@torch.compile(backend="aot_eager")
def loss_of(observations, actions, old, returns, clip):
    logits, values = policy(observations)
    logs = torch.log_softmax(logits, -1).gather(1, actions[:, None]).squeeze(1)
    ratio = (logs - old).exp()
    gain = returns - values.detach()
    policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()
    return policy_loss + 0.5 * (returns - values).pow(2).mean()


def collect(walk, steps):
    rows = []
    observation = walk.state
    for _ in range(steps):
        with torch.no_grad():
            action, log_prob, _ = act(observation)
        following, reward = walk.step(action)
        rows.append((observation, action, log_prob, reward))
        observation = following
    return rows


def main():
    torch.manual_seed(0)
    walk = Walk(0)
    for epoch in range(3):
        rows = collect(walk, 20)
        observations = torch.from_numpy(np.stack([r[0] for r in rows]))
        actions = torch.tensor([r[1] for r in rows])
        old = torch.stack([r[2] for r in rows])
        returns = torch.tensor([r[3] for r in rows])
        for part in torch.arange(20).split(8):
            optimizer.zero_grad()
            loss = loss_of(observations[part], actions[part], old[part], returns[part], 0.2 / (epoch + 1))
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


main()

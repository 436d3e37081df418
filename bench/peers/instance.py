"""instance.py: the experiment that the peers play, and what the library did on it.

Both come from `roster trace`: its first line has experts and context probabilities, the others what happened in each
round of a run and the library's indices after it, which the peers' must equal.
"""
import json
import subprocess

import numpy as np

C = 0.02


class Instance:
    """Tables pi[k, cell], cell = context * actions + action; Bernoulli rewards of means[cell]."""

    def __init__(self, header):
        episode = header["episodes"][0]
        pi = np.array(header["experts"])
        self.experts, self.contexts, self.actions = pi.shape
        self.p = np.array(episode["context_probabilities"])
        self.means = np.array(episode["reward_means"]).ravel()
        self.pi = pi.reshape(self.experts, -1)
        self.context_sums = np.cumsum(self.p)
        self.action_sums = np.cumsum(pi, axis=2)
        self.context_sums[-1] = self.action_sums[:, :, -1] = 2
        self.values = self.pi * np.repeat(self.p, self.actions) @ self.means
        self.divergences()

    def divergences(self):
        """M[i, k] = ln sum p pi_i exp(r), r = pi_i / pi_k; a sample of k in a cell counts r / M where r / (2 M) <=
        level."""
        ratio = self.pi[:, None, :] / self.pi[None, :, :]
        weight = np.repeat(self.p, self.actions) * self.pi[:, None, :]
        self.M = np.log(np.sum(weight * np.exp(ratio), axis=2))
        self.coef = ratio / self.M[:, :, None]
        self.theta = self.coef / 2


def trace(program, path, agent, rounds):
    """The instance, and of the first episode of run 0 the rounds: experts, cells, rewards, indices."""
    done = subprocess.run([program, "trace", path, "--agent", agent, "--rounds", str(rounds)], stdout=subprocess.PIPE,
                          check=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    made = Instance(lines[0])
    first = [line for line in lines[1:] if line["e"] == 1]
    k = np.array([line["k"] for line in first])
    cell = np.array([line["x"] * made.actions + line["v"] for line in first])
    y = np.array([line["y"] for line in first])
    u = np.array([[np.inf if value is None else value for value in line["u"]] for line in first])
    return made, (k, cell, y, u)

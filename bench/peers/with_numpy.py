"""with_numpy.py: D-UCB in numpy, in its incremental and in its literal form.

    U_i = 1/Z_i sum_s y_s r/M 1{r/(2M) <= L_i} + 3/2 eps_i,  x = sqrt(t ln t)/Z_i,  W = W0(2/x),
    eps_i = C x W,  L_i = W - ln C

Incremental: rewards are summed by expert and cell, and every round sums over those that have any. Literal: over all
rounds.
"""
import math

import numpy as np

from instance import C

LN_C = math.log(C)


def lambert(a, w):
    """W0(a) for a > 0 by Newton's method from w > 0, in logarithms: w + ln w = ln a. The error is of a move's
    square."""
    ln_a = np.log(a)
    for _ in range(50):
        move = (ln_a - w - np.log(w)) * w / (1 + w)
        w = np.maximum(w + move, w / 8)
        if (abs(move) <= 1e-8 * w).all():
            break
    return w


class Incremental:
    def __init__(self, instance):
        n, cells = instance.pi.shape
        self.inverse, self.all_coef, self.all_theta = 1 / instance.M, instance.coef, instance.theta
        self.t, self.used = 0, 0
        self.place = -np.ones((n, cells), dtype=np.int64)  # of an expert's cell among those used
        self.coef, self.theta, self.sums = np.zeros((n, n * cells)), np.zeros((n, n * cells)), np.zeros(n * cells)
        self.z, self.w, self.u = np.zeros(n), np.ones(n), np.zeros(n)

    def add(self, k, cell, y):
        at = self.place[k, cell]
        if at < 0:
            at = self.place[k, cell] = self.used
            self.coef[:, at], self.theta[:, at] = self.all_coef[:, k, cell], self.all_theta[:, k, cell]
            self.used += 1
        self.sums[at] += y

    def learn(self, k, cell, y):
        self.t += 1
        self.z += self.inverse[:, k]
        if y > 0:
            self.add(k, cell, y)
        coef, theta, sums = self.coef[:, :self.used], self.theta[:, :self.used], self.sums[:self.used]
        if self.t == 1:  # nothing is clipped
            self.u = coef @ sums / self.z
            return
        x = math.sqrt(self.t * math.log(self.t)) / self.z
        self.w = lambert(2 / x, self.w)
        passed = coef * (theta <= (self.w - LN_C)[:, None])
        self.u = passed @ sums / self.z + 1.5 * C * x * self.w


class Literal:
    """Sums over the whole history in every round; room for so many rounds."""

    def __init__(self, instance, rounds):
        self.instance, self.t = instance, 0
        self.k, self.cell = np.zeros(rounds, dtype=np.int64), np.zeros(rounds, dtype=np.int64)
        self.y = np.zeros(rounds)
        self.w = np.ones(instance.experts)
        self.u = np.zeros(instance.experts)

    def learn(self, k, cell, y):
        self.k[self.t], self.cell[self.t], self.y[self.t] = k, cell, y
        self.t += 1
        self.u = np.array([self.index(i) for i in range(self.instance.experts)])

    def index(self, i):
        k, cell, y = self.k[:self.t], self.cell[:self.t], self.y[:self.t]
        pi, M = self.instance.pi, self.instance.M[i, k]
        z = np.sum(1 / M)
        level, width = np.inf, 0
        if self.t > 1:
            x = math.sqrt(self.t * math.log(self.t)) / z
            self.w[i] = lambert(2 / x, self.w[i])
            level, width = self.w[i] - LN_C, 1.5 * C * x * self.w[i]
        r = pi[i, cell] / pi[k, cell]
        return np.sum(y * r / M * (r <= 2 * level * M)) / z + width


def choose(u):
    """The first of those that tie with the largest."""
    most = u.max()
    return int((u >= most - 1e-12 * (1 + abs(most))).argmax())


def play(instance, agent, rounds, seed):
    """A campaign; returns the sum of rewards."""
    random = np.random.default_rng(seed).random((rounds, 3))
    k, total = 0, 0
    for draw in random:
        x = int(instance.context_sums.searchsorted(draw[0], "right"))
        v = int(instance.action_sums[k, x].searchsorted(draw[1], "right"))
        cell = x * instance.actions + v
        y = float(draw[2] < instance.means[cell])
        agent.learn(k, cell, y)
        k = choose(agent.u)
        total += y
    return total


def replay(agent, events):
    """The indices after each of the events."""
    made = []
    for k, cell, y in zip(*events[:3]):
        agent.learn(k, cell, y)
        made.append(agent.u.copy())
    return np.array(made)
